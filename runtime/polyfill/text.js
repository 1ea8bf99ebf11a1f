// TextEncoder, TextDecoder, atob, btoa, String's well-formedness.
(function ({ extend, platform, global, decode, encode, DOMException }) {
	const U8 = Uint8Array, Buf = ArrayBuffer, { isView } = ArrayBuffer, { apply } = Reflect, { defineProperty } = Object;
	const { charCodeAt, slice, replace } = String.prototype;
	const high = (c) => c >= 0xd800 && c <= 0xdbff, low = (c) => c >= 0xdc00 && c <= 0xdfff;
	const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?:^|[^\ud800-\udbff])[\udc00-\udfff]/, { test } = RegExp.prototype;
	const wellFormed = (s, fix) => {
		if (!apply(test, lone, [s])) return fix ? s : true; // the way of nearly all texts, natively
		let out = '', from = 0;
		for (let i = 0; i < s.length; i++) {
			const c = apply(charCodeAt, s, [i]);
			if (high(c) && low(apply(charCodeAt, s, [i + 1]))) i++;
			else if (high(c) || low(c)) {
				if (!fix) return false;
				out += apply(slice, s, [from, i]) + '\ufffd';
				from = i + 1;
			}
		}
		return fix ? out + apply(slice, s, [from]) : true;
	};
	const text = (self) => {
		if (self === undefined || self === null) throw new TypeError('called on null or undefined');
		return `${self}`;
	};
	extend(String.prototype, {
		isWellFormed() { return wellFormed(text(this), false); },
		toWellFormed() { return wellFormed(text(this), true); },
	});

	class TextEncoder {
		get encoding() { return 'utf-8'; }
		encode(input = '') { return new U8(decode(wellFormed(`${input}`, true), 'utf8')); }
		encodeInto(input, target) {
			let read = 0, written = 0;
			for (const c of wellFormed(`${input}`, true)) {
				const bytes = new U8(decode(c, 'utf8'));
				if (written + bytes.length > target.length) break;
				target.set(bytes, written);
				written += bytes.length;
				read += c.length;
			}
			return { read, written };
		}
	}
	const names = { 'utf-8': 'utf-8', utf8: 'utf-8', 'unicode-1-1-utf-8': 'utf-8', 'utf-16le': 'utf-16le', 'utf-16': 'utf-16le', latin1: 'windows-1252', 'iso-8859-1': 'windows-1252', ascii: 'windows-1252', 'us-ascii': 'windows-1252', 'windows-1252': 'windows-1252' };
	const bytesOf = (input) => {
		if (input === undefined) return new U8(0);
		if (isView(input)) return new U8(input.buffer, input.byteOffset, input.byteLength);
		if (input instanceof Buf) return new U8(input);
		throw new TypeError('The "input" argument must be an ArrayBuffer or a view of one');
	};
	class TextDecoder {
		#name; #fatal; #bom; #rest = new U8(0); #begun = false;
		constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
			const key = `${label}`.trim().toLowerCase();
			this.#name = Object.hasOwn(names, key) ? names[key] : undefined;
			if (!this.#name) throw new RangeError(`The "${label}" encoding is not supported`);
			this.#fatal = Boolean(fatal);
			this.#bom = Boolean(ignoreBOM);
		}
		get encoding() { return this.#name; }
		get fatal() { return this.#fatal; }
		get ignoreBOM() { return this.#bom; }
		decode(input = undefined, { stream = false } = {}) {
			let bytes = bytesOf(input);
			if (this.#rest.length) {
				const all = new U8(this.#rest.length + bytes.length);
				all.set(this.#rest);
				all.set(bytes, this.#rest.length);
				bytes = all;
			}
			const keep = stream ? this.#unfinished(bytes) : 0;
			this.#rest = bytes.slice(bytes.length - keep);
			bytes = bytes.subarray(0, bytes.length - keep);
			let out = encode(bytes, this.#name === 'utf-8' ? this.#fatal ? 'utf8-fatal' : 'utf8' : this.#name);
			if (out === undefined) throw new TypeError('The encoded data was not valid for encoding utf-8');
			if (!this.#bom && !this.#begun && this.#name !== 'windows-1252' && out[0] === '\ufeff') out = out.slice(1);
			this.#begun = stream && (this.#begun || out.length > 0);
			return out;
		}
		// How many bytes at the end are the beginning of a character.
		#unfinished(bytes) {
			if (this.#name === 'utf-16le') return bytes.length % 2;
			if (this.#name !== 'utf-8') return 0;
			for (let n = 1; n <= 3 && n <= bytes.length; n++) {
				const b = bytes[bytes.length - n];
				if (b >= 0xc0) return n < (b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2) ? n : 0;
				if (b < 0x80) return 0;
			}
			return 0;
		}
	}
	defineProperty(TextDecoder.prototype.decode, 'length', { value: 0, configurable: true });
	global('TextEncoder', platform(TextEncoder));
	global('TextDecoder', platform(TextDecoder));

	const invalid = (message) => new DOMException(message, 'InvalidCharacterError');
	const b64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3})?$/, spaces = /[\t\n\f\r ]+/g, padding = /={1,2}$/;
	const methods = {
		btoa(data) {
			const s = `${data}`;
			for (let i = 0; i < s.length; i++) if (apply(charCodeAt, s, [i]) > 255) throw invalid('Invalid character');
			return encode(new U8(decode(s, 'latin1')), 'base64');
		},
		atob(data) {
			let s = apply(replace, `${data}`, [spaces, '']);
			if (s.length % 4 === 0) s = apply(replace, s, [padding, '']);
			if (!b64.test(s)) throw invalid('The string to be decoded is not correctly encoded.');
			return encode(new U8(decode(s, 'base64')), 'latin1');
		},
	};
	global('atob', methods.atob);
	global('btoa', methods.btoa);
})
