// require('url').
(function ({ URL, URLSearchParams }) {
	const url = {
		URL, URLSearchParams,
		fileURLToPath(u) {
			const { protocol, hostname, pathname } = typeof u === 'string' ? new URL(u) : u;
			if (protocol !== 'file:') throw Object.assign(new TypeError('The URL must be of scheme file'), { code: 'ERR_INVALID_URL_SCHEME' });
			if (hostname !== '') throw Object.assign(new TypeError('File URL host must be "localhost" or empty on linux'), { code: 'ERR_INVALID_FILE_URL_HOST' });
			if (/%2f/i.test(pathname)) throw Object.assign(new TypeError('File URL path must not include encoded / characters'), { code: 'ERR_INVALID_FILE_URL_PATH' });
			return decodeURIComponent(pathname);
		},
		pathToFileURL(path) { return new URL(`file://${path.replace(/[%?#\\\n\r\t]/g, (c) => encodeURIComponent(c))}`); },
		format(u) { return u.href ?? String(u); },
		resolve(from, to) {
			const base = 'resolve://', u = new URL(to, new URL(from, `${base}x/`));
			return u.protocol === 'resolve:' ? `${u.pathname.slice(from[0] === '/' || to[0] === '/' ? 0 : 1)}${u.search}${u.hash}` : u.href;
		},
	};
	return url;
})
