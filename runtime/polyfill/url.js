// URL, after the URL standard.
(function (part) {
	const { platform, global, shown, decode, encode, toASCII, searchParams: { URLSearchParams, link } } = part;
	const U8 = Uint8Array, { fromCharCode } = String, { min } = Math;
	const ports = { http: '80', https: '443', ws: '80', wss: '443', ftp: '21', file: '' };
	const special = (u) => Object.hasOwn(ports, u.scheme);
	// What is percent-encoded in each part, besides controls and all beyond ASCII.
	const sets = { fragment: ' "<>`', query: ' "#<>', specialQuery: ' "#<>\'', path: ' "#<>?^`{}', user: ' "#<>?^`{}/:;=@[\\]|', opaque: '' };
	const escape = (s, set) => {
		let out = '';
		for (const c of s) {
			if (c > ' ' && c < '\x7f' || c === ' ') out += sets[set].includes(c) ? `%${c.charCodeAt(0).toString(16).toUpperCase()}` : c;
			else for (const b of new U8(decode(c.toWellFormed(), 'utf8'))) out += '%' + (b < 16 ? '0' : '') + b.toString(16).toUpperCase();
		}
		return out;
	};
	const unescape = (s) => {
		if (!s.includes('%')) return s;
		const from = new U8(decode(s.toWellFormed(), 'utf8')), to = [];
		for (let i = 0; i < from.length; i++) {
			const pair = from[i] === 0x25 && i + 2 < from.length ? fromCharCode(from[i + 1], from[i + 2]) : '';
			if (/^[0-9a-f]{2}$/i.test(pair)) { to.push(parseInt(pair, 16)); i += 2; } else to.push(from[i]);
		}
		return encode(new U8(to), 'utf8');
	};

	const fail = () => { throw undefined; };
	const number = (part) => {
		if (part === '') return NaN;
		if (/^0[xX][0-9a-fA-F]*$/.test(part)) return part.length === 2 ? 0 : parseInt(part, 16);
		if (/^0[0-7]+$/.test(part)) return parseInt(part, 8);
		return /^\d+$/.test(part) && !/^0\d/.test(part) ? Number(part) : NaN;
	};
	const parseHost = (text, isSpecial) => {
		if (text[0] === '[') return text.at(-1) === ']' ? `[${ipv6(text.slice(1, -1))}]` : fail();
		if (!isSpecial) return /[\0\t\n\r #/:<>?@[\\\]^|]/.test(text) ? fail() : escape(text, 'opaque');
		const host = toASCII(unescape(text));
		if (!host || /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/.test(host)) fail();
		const labels = host.split('.');
		if (labels.at(-1) === '' && labels.length > 1) labels.pop();
		if (!/^(?:\d+|0[xX][0-9a-fA-F]*)$/.test(labels.at(-1))) return host;
		const numbers = labels.map(number);
		if (numbers.length > 4 || numbers.some((n) => n !== n) || numbers.slice(0, -1).some((n) => n > 255) || numbers.at(-1) >= 256 ** (5 - numbers.length)) fail();
		const value = numbers.slice(0, -1).reduce((sum, n, i) => sum + n * 256 ** (3 - i), numbers.at(-1));
		return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
	};
	const ipv6 = (text) => {
		const halves = text.split('::');
		if (halves.length > 2) fail();
		const pieces = (half) => half === '' ? [] : half.split(':').flatMap((p, i, all) => {
			if (i === all.length - 1 && p.includes('.')) {
				const b = p.split('.');
				if (b.length !== 4 || b.some((n) => !/^(?:0|[1-9]\d{0,2})$/.test(n) || n > 255)) fail();
				return [b[0] * 256 + +b[1], b[2] * 256 + +b[3]];
			}
			return /^[0-9a-fA-F]{1,4}$/.test(p) ? [parseInt(p, 16)] : fail();
		});
		const head = pieces(halves[0]), tail = halves.length === 2 ? pieces(halves[1]) : [];
		const gap = 8 - head.length - tail.length;
		if (halves.length === 2 ? gap < 1 : gap !== 0) fail();
		const all = [...head, ...Array(gap).fill(0), ...tail];
		let best = -1, size = 1;
		for (let i = 0; i < 8; i++) {
			let n = 0;
			while (i + n < 8 && all[i + n] === 0) n++;
			if (n > size) { best = i; size = n; }
			i += n;
		}
		const hex = (list) => list.map((n) => n.toString(16)).join(':');
		return best < 0 ? hex(all) : `${hex(all.slice(0, best))}::${hex(all.slice(best + size))}`;
	};
	const parseAuthority = (u, text) => {
		const at = text.lastIndexOf('@');
		if (at >= 0) {
			const colon = text.indexOf(':');
			const split = colon >= 0 && colon < at ? colon : at;
			u.username = escape(text.slice(0, split), 'user');
			u.password = split < at ? escape(text.slice(split + 1, at), 'user') : '';
			if (text.length === at + 1) fail();
		}
		const m = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text.slice(at + 1));
		if (!m || m[1] === '' && (special(u) || m[2] !== undefined)) fail();
		u.host = m[1] === '' ? '' : parseHost(m[1], special(u));
		setPort(u, m[2] ?? '');
	};
	const setPort = (u, text) => {
		if (text !== '' && (!/^\d+$/.test(text) || Number(text) > 65535)) fail();
		u.port = text === '' || String(Number(text)) === ports[u.scheme] ? '' : String(Number(text));
	};
	// Adds segments to a path, taking dots away.
	const addPath = (u, path, text) => {
		const segments = text.split(special(u) ? /[/\\]/ : '/');
		segments.forEach((segment, i) => {
			const last = i === segments.length - 1, plain = segment.replace(/%2e/gi, '.');
			if (plain === '..') {
				if (!(u.scheme === 'file' && path.length === 1 && /^[A-Za-z]:$/.test(path[0]))) path.pop();
				if (last) path.push('');
			} else if (plain === '.') {
				if (last) path.push('');
			} else {
				if (u.scheme === 'file' && path.length === 0 && /^[A-Za-z][:|]$/.test(segment)) segment = `${segment[0]}:`;
				path.push(escape(segment, 'path'));
			}
		});
		return path;
	};
	const rest = (u, text) => {
		const hash = text.indexOf('#');
		u.fragment = hash < 0 ? null : escape(text.slice(hash + 1), 'fragment');
		if (hash >= 0) text = text.slice(0, hash);
		const query = text.indexOf('?');
		u.query = query < 0 ? null : escape(text.slice(query + 1), special(u) ? 'specialQuery' : 'query');
		return query < 0 ? text : text.slice(0, query);
	};
	const setPath = (u, text, path = []) => {
		if (/^[/\\]/.test(text) && (special(u) || text[0] === '/')) text = text.slice(1);
		else if (text === '' && !special(u)) { u.path = path; return; }
		u.path = addPath(u, path, text);
	};

	const parse = (input, base) => {
		input = input.toWellFormed().replace(/^[\0-\x20]+|[\0-\x20]+$/g, '').replace(/[\t\n\r]/g, '');
		const m = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(input);
		const u = { scheme: '', username: '', password: '', host: null, port: '', path: [], query: null, fragment: null };
		if (!m) return base ? relative(u, input, base) : fail();
		u.scheme = m[1].toLowerCase();
		let text = input.slice(m[0].length);
		const slashes = special(u) ? /^[/\\]{2}/ : /^\/\//;
		if (special(u) && u.scheme !== 'file' && base?.scheme === u.scheme && !slashes.test(text)) return relative(u, text, base);
		if (u.scheme === 'file') return base?.scheme === 'file' && !slashes.test(text) ? relative(u, text, base) : absolute(u, text.replace(/^[/\\]{2}/, ''), !slashes.test(text));
		if (special(u)) return absolute(u, text.replace(/^[/\\]+/, ''));
		if (slashes.test(text)) return absolute(u, text.slice(2));
		text = rest(u, text);
		if (text[0] === '/') setPath(u, text);
		else u.path = escape(text, 'opaque').replace(/ +$/, (s) => u.query === null && u.fragment === null ? s : '%20'.repeat(1).padStart(s.length + 2));
		return u;
	};
	const absolute = (u, text, noHost = false) => {
		text = rest(u, text);
		const end = noHost ? 0 : text.search(special(u) ? /[/\\]/ : /\//);
		const authority = end < 0 ? text : text.slice(0, end), path = end < 0 ? '' : text.slice(end);
		if (u.scheme === 'file') {
			if (/^[A-Za-z][:|]$/.test(authority)) return u.host = '', setPath(u, text), u;
			u.host = authority === '' ? '' : parseHost(authority, true);
			if (u.host === 'localhost') u.host = '';
		} else parseAuthority(u, authority);
		setPath(u, path);
		return u;
	};
	const relative = (u, text, base) => {
		u.scheme = base.scheme;
		const slash = special(u) ? /^[/\\]/ : /^\//;
		if (typeof base.path === 'string') {
			if (text[0] !== '#') fail();
			return { ...base, fragment: escape(text.slice(1), 'fragment') };
		}
		if (slash.test(text) && slash.test(text.slice(1))) return absolute(u, u.scheme === 'file' || !special(u) ? text.slice(2) : text.replace(/^[/\\]+/, ''));
		Object.assign(u, { username: base.username, password: base.password, host: base.host, port: base.port });
		const path = rest(u, text);
		if (slash.test(path)) setPath(u, path, u.scheme === 'file' && /^[A-Za-z]:$/.test(base.path[0]) && !/^.[A-Za-z][:|]/.test(path) ? [base.path[0]] : []);
		else if (path === '') {
			u.path = [...base.path];
			if (u.query === null && !text.startsWith('?')) u.query = base.query;
		} else u.path = addPath(u, base.path.slice(0, -1), path);
		return u;
	};
	const pathname = (u) => typeof u.path === 'string' ? u.path : u.path.map((p) => `/${p}`).join('');
	const host = (u) => u.host === null ? '' : u.host + (u.port && `:${u.port}`);
	const credentials = (u) => u.username || u.password ? `${u.username}${u.password && `:${u.password}`}@` : '';
	const serialize = (u) => {
		const start = u.host !== null ? `//${credentials(u)}${host(u)}` : typeof u.path !== 'string' && u.path.length > 1 && u.path[0] === '' ? '/.' : '';
		return `${u.scheme}:${start}${pathname(u)}${u.query === null ? '' : `?${u.query}`}${u.fragment === null ? '' : `#${u.fragment}`}`;
	};
	const attempt = (f) => { try { return f(); } catch (e) { if (e !== undefined) throw e; } };
	const parsed = (input, base) => attempt(() => parse(`${input}`, base === undefined ? undefined : parse(`${base}`)));

	class URL {
		#u; #params = new URLSearchParams();
		constructor(input, base = undefined) {
			if (arguments.length === 0) throw new TypeError('The "url" argument must be specified');
			const u = parsed(input, base);
			if (!u) throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: `${input}` });
			this.#u = u;
			link(this.#params, u.query ?? '', () => { this.#u.query = this.#params.toString() || null; });
		}
		static canParse(input, base = undefined) { return parsed(input, base) !== undefined; }
		static parse(input, base = undefined) { return URL.canParse(input, base) ? new URL(input, base) : null; }
		get href() { return serialize(this.#u); }
		set href(v) { this.#u = new URL(v).#u; link(this.#params, this.#u.query ?? ''); }
		get origin() { return special(this.#u) && this.#u.scheme !== 'file' ? `${this.#u.scheme}://${host(this.#u)}` : 'null'; }
		get protocol() { return `${this.#u.scheme}:`; }
		set protocol(v) {
			const m = /^([A-Za-z][A-Za-z0-9+.-]*):?/.exec(`${v}`), u = this.#u;
			if (!m || Object.hasOwn(ports, m[1].toLowerCase()) !== special(u)) return;
			u.scheme = m[1].toLowerCase();
			if (u.port === ports[u.scheme]) u.port = '';
		}
		get username() { return this.#u.username; }
		set username(v) { if (this.#u.host) this.#u.username = escape(`${v}`, 'user'); }
		get password() { return this.#u.password; }
		set password(v) { if (this.#u.host) this.#u.password = escape(`${v}`, 'user'); }
		get host() { return host(this.#u); }
		set host(v) {
			const m = /^(\[[^\]]*\]|[^:/\\?#]*)(?::(\d*))?/.exec(`${v}`);
			this.hostname = m[1];
			if (m[2]) this.port = m[2];
		}
		get hostname() { return this.#u.host ?? ''; }
		set hostname(v) {
			if (typeof this.#u.path === 'string') return;
			const text = /^(?:\[[^\]]*\]|[^:/\\?#]*)/.exec(`${v}`)[0];
			if (text === '' && special(this.#u)) return;
			const h = attempt(() => parseHost(text, special(this.#u)));
			if (h !== undefined) this.#u.host = h;
		}
		get port() { return this.#u.port; }
		set port(v) {
			const text = /^\d*/.exec(`${v}`)[0];
			if (this.#u.host && this.#u.scheme !== 'file' && (text || `${v}` === '')) attempt(() => setPort(this.#u, text));
		}
		get pathname() { return pathname(this.#u); }
		set pathname(v) { if (typeof this.#u.path !== 'string') setPath(this.#u, `${v}`.replace(/[\t\n\r]/g, '').replaceAll('?', '%3F').replaceAll('#', '%23')); }
		get search() { return this.#u.query ? `?${this.#u.query}` : ''; }
		set search(v) {
			const text = `${v}`.replace(/^\?/, '');
			this.#u.query = text === '' ? null : escape(text, special(this.#u) ? 'specialQuery' : 'query');
			link(this.#params, this.#u.query ?? '');
		}
		get searchParams() { return this.#params; }
		get hash() { return this.#u.fragment ? `#${this.#u.fragment}` : ''; }
		set hash(v) { this.#u.fragment = `${v}` === '' ? null : escape(`${v}`.replace(/^#/, ''), 'fragment'); }
		toString() { return this.href; }
		toJSON() { return this.href; }
	}
	Object.defineProperty(URL, 'length', { value: 1, configurable: true });
	shown(part, URL, ({ href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash }) =>
		({ href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash }));
	global('URL', platform(URL));
	return URL;
})
