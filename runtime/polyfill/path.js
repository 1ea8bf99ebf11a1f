// require('path'): that of POSIX.
(function () {
	const str = (v, name) => {
		if (typeof v !== 'string') throw Object.assign(new TypeError(`The "${name}" argument must be of type string. Received ${v === null ? 'null' : typeof v}`), { code: 'ERR_INVALID_ARG_TYPE' });
		return v;
	};
	// Takes away dots and repeated slashes.
	const tidy = (path, absolute) => {
		const out = [];
		for (const part of path.split('/')) {
			if (part === '' || part === '.') continue;
			if (part !== '..') out.push(part);
			else if (out.length && out.at(-1) !== '..') out.pop();
			else if (!absolute) out.push('..');
		}
		return out.join('/');
	};
	const path = {
		sep: '/', delimiter: ':',
		normalize(p) {
			if (str(p, 'path') === '') return '.';
			const absolute = p[0] === '/', tail = p.at(-1) === '/', clean = tidy(p, absolute);
			if (clean === '') return absolute ? '/' : tail ? './' : '.';
			return (absolute ? '/' : '') + clean + (tail ? '/' : '');
		},
		join(...parts) {
			const joined = parts.map((p) => str(p, 'path')).filter(Boolean).join('/');
			return joined === '' ? '.' : path.normalize(joined);
		},
		resolve(...parts) {
			let result = '';
			for (let i = parts.length - 1; i >= 0 && result[0] !== '/'; i--) {
				if (str(parts[i], `paths[${i}]`) !== '') result = result === '' ? parts[i] : `${parts[i]}/${result}`;
			}
			const absolute = result[0] === '/';
			// A script knows no working directory: what is relative stays so.
			return (absolute ? '/' : '') + tidy(result, absolute) || '.';
		},
		isAbsolute(p) { return str(p, 'path')[0] === '/'; },
		relative(from, to) {
			const split = (p) => path.resolve(str(p, 'from')).split('/').filter((s) => s && s !== '.');
			const f = split(from), t = split(to);
			let n = 0;
			while (n < f.length && n < t.length && f[n] === t[n]) n++;
			return [...f.slice(n).map(() => '..'), ...t.slice(n)].join('/');
		},
		dirname(p) {
			const trimmed = str(p, 'path').replace(/(?!^)\/+$/, ''), at = trimmed.lastIndexOf('/');
			if (at < 0) return '.';
			return trimmed.slice(0, at).replace(/\/+$/, '') || (/^\/\/[^/]/.test(p) && at === 1 ? '//' : '/');
		},
		basename(p, suffix = undefined) {
			if (suffix !== undefined) str(suffix, 'suffix');
			const base = str(p, 'path').replace(/\/+$/, '').replace(/^.*\//s, '');
			if (suffix !== undefined && suffix === p) return '';
			return suffix && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
		},
		extname(p) {
			const base = path.basename(p), at = base.lastIndexOf('.');
			return at <= 0 || /^\.+$/.test(base) && base.length === 2 ? '' : base.slice(at);
		},
		parse(p) {
			const root = str(p, 'path')[0] === '/' ? '/' : '', base = path.basename(p), ext = path.extname(p);
			const dir = path.dirname(p);
			return { root, dir: dir === '.' && !/^\.(?:\/|$)/.test(p) ? '' : base === '' && root ? root : dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
		},
		format(o) {
			if (o === null || typeof o !== 'object') throw new TypeError('The "pathObject" argument must be of type object');
			const dir = o.dir || o.root, ext = o.ext ? (o.ext[0] === '.' ? o.ext : `.${o.ext}`) : '', base = o.base || `${o.name || ''}${ext}`;
			return !dir ? base : dir === o.root ? dir + base : `${dir}/${base}`;
		},
		toNamespacedPath(p) { return p; },
		matchesGlob: undefined,
	};
	delete path.matchesGlob;
	path.posix = path;
	return path;
})
