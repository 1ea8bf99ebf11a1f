// require('querystring').
(function () {
	const escape = (s) => encodeURIComponent(String(s).toWellFormed());
	const unescape = (s) => { try { return decodeURIComponent(s); } catch { return s; } };
	const text = (v) => typeof v === 'string' ? v : typeof v === 'number' && Number.isFinite(v) || typeof v === 'boolean' || typeof v === 'bigint' ? String(v) : '';
	const querystring = {
		escape, unescape,
		stringify(o, sep = '&', eq = '=', options = undefined) {
			const encode = options?.encodeURIComponent ?? querystring.escape;
			if (typeof o !== 'object' || o === null) return '';
			return Object.keys(o).map((k) => (Array.isArray(o[k]) ? o[k] : [o[k]]).map((v) => encode(k) + eq + encode(text(v))).join(sep)).filter((s) => s !== '').join(sep);
		},
		parse(query, sep = '&', eq = '=', options = undefined) {
			const decode = options?.decodeURIComponent ?? querystring.unescape, out = Object.create(null), most = options?.maxKeys ?? 1000;
			if (typeof query !== 'string' || query === '') return out;
			let parts = query.split(sep || '&');
			if (most > 0) parts = parts.slice(0, most);
			for (const part of parts) {
				if (part === '') continue;
				const at = part.indexOf(eq || '='), plus = (s) => decode(s.replaceAll('+', ' '));
				const k = plus(at < 0 ? part : part.slice(0, at)), v = at < 0 ? '' : plus(part.slice(at + (eq || '=').length));
				if (!(k in out)) out[k] = v;
				else if (Array.isArray(out[k])) out[k].push(v);
				else out[k] = [out[k], v];
			}
			return out;
		},
	};
	return Object.assign(querystring, { encode: querystring.stringify, decode: querystring.parse });
})
