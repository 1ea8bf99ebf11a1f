// URLSearchParams.
(function (part) {
	const { platform, global, shown, decode, encode } = part;
	const { iterator } = Symbol, U8 = Uint8Array, { fromCharCode } = String;
	const bytes = (s) => new U8(decode(s.toWellFormed(), 'utf8'));
	const unescape = (s) => {
		if (!/[%+]/.test(s)) return s;
		const from = bytes(s.replaceAll('+', ' ')), to = [];
		for (let i = 0; i < from.length; i++) {
			const pair = from[i] === 0x25 && i + 2 < from.length ? fromCharCode(from[i + 1], from[i + 2]) : '';
			if (/^[0-9a-fA-F]{2}$/.test(pair)) { to.push(parseInt(pair, 16)); i += 2; } else to.push(from[i]);
		}
		return encode(new U8(to), 'utf8');
	};
	const escape = (s) => {
		if (/^[\w*.-]*$/.test(s)) return s;
		let out = '';
		for (const b of bytes(s)) {
			const c = fromCharCode(b);
			out += b === 0x20 ? '+' : b < 0x80 && /[\w*.-]/.test(c) ? c : '%' + (b < 16 ? '0' : '') + b.toString(16).toUpperCase();
		}
		return out;
	};
	const parse = (text) => text.split('&').filter(Boolean).map((pair) => {
		const at = pair.indexOf('=');
		return at < 0 ? [unescape(pair), ''] : [unescape(pair.slice(0, at)), unescape(pair.slice(at + 1))];
	});
	const text = (v) => `${v}`.toWellFormed();
	let link;
	const pair = (list) => { if (list.length < 2) throw Object.assign(new TypeError('The "name" and "value" arguments must be specified'), { code: 'ERR_MISSING_ARGS' }); };
	class URLSearchParams {
		#list = []; #changed = () => {};
		static { link = (params, query, changed) => { params.#list = parse(query); if (changed) params.#changed = changed; }; }
		constructor(init = '') {
			if (init === null || typeof init !== 'object' && typeof init !== 'function') {
				this.#list = parse(text(init).replace(/^\?/, ''));
			} else if (init[iterator] !== undefined && init[iterator] !== null) {
				for (const pair of init) {
					const p = typeof pair === 'object' && typeof pair?.[iterator] === 'function' ? [...pair] : [];
					if (p.length !== 2) throw new TypeError('Each query pair must be an iterable [name, value] tuple');
					this.#list.push([text(p[0]), text(p[1])]);
				}
			} else for (const k of Object.keys(init)) this.#list.push([text(k), text(init[k])]);
		}
		get size() { return this.#list.length; }
		append(name, value) { pair(arguments); this.#list.push([text(name), text(value)]); this.#changed(); }
		delete(name, value = undefined) {
			name = text(name);
			this.#list = this.#list.filter(([k, v]) => k !== name || value !== undefined && v !== text(value));
			this.#changed();
		}
		get(name) { name = text(name); return this.#list.find(([k]) => k === name)?.[1] ?? null; }
		getAll(name) { name = text(name); return this.#list.filter(([k]) => k === name).map(([, v]) => v); }
		has(name, value = undefined) { name = text(name); return this.#list.some(([k, v]) => k === name && (value === undefined || v === text(value))); }
		set(name, value) {
			pair(arguments);
			name = text(name);
			const first = this.#list.find(([k]) => k === name);
			if (first) {
				first[1] = text(value);
				this.#list = this.#list.filter((p) => p === first || p[0] !== name);
			} else this.#list.push([name, text(value)]);
			this.#changed();
		}
		sort() {
			this.#list.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
			this.#changed();
		}
		forEach(callback, self = undefined) {
			if (typeof callback !== 'function') throw new TypeError('The "callback" argument must be a function');
			for (const [k, v] of this) callback.call(self, v, k, this);
		}
		*entries() { for (let i = 0; i < this.#list.length; i++) yield [...this.#list[i]]; }
		*keys() { for (let i = 0; i < this.#list.length; i++) yield this.#list[i][0]; }
		*values() { for (let i = 0; i < this.#list.length; i++) yield this.#list[i][1]; }
		toString() { return this.#list.map(([k, v]) => `${escape(k)}=${escape(v)}`).join('&'); }
	}
	Object.defineProperty(URLSearchParams.prototype, iterator, { value: URLSearchParams.prototype.entries, writable: true, configurable: true });
	Object.defineProperty(URLSearchParams.prototype.forEach, 'length', { value: 1, configurable: true });
	shown(part, URLSearchParams, (params, inspect) => {
		const pairs = [...params].map(([k, v]) => `${inspect(k)} => ${inspect(v)}`), line = pairs.join(', ');
		return pairs.length === 0 ? '{}' : line.length > 70 ? `{\n  ${pairs.join(',\n  ')} }` : `{ ${line} }`;
	});
	global('URLSearchParams', platform(URLSearchParams));
	return { URLSearchParams, link };
})
