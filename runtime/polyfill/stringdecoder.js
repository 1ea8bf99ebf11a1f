// require('string_decoder').
(function ({ Buffer }) {
	class StringDecoder {
		#rest = Buffer.alloc(0);
		constructor(encoding = 'utf8') { this.encoding = /^utf-?8$/i.test(encoding) ? 'utf8' : encoding.toLowerCase(); }
		write(bytes) {
			if (typeof bytes === 'string') return bytes;
			const all = Buffer.concat([this.#rest, bytes]);
			const end = all.length - this.#open(all);
			this.#rest = all.subarray(end);
			return all.toString(this.encoding, 0, end);
		}
		end(bytes = undefined) {
			const text = (bytes === undefined ? '' : this.write(bytes)) + (this.#rest.length ? this.#rest.toString(this.encoding) : '');
			this.#rest = Buffer.alloc(0);
			return text;
		}
		// How many bytes at the end are the beginning of something.
		#open(b) {
			if (this.encoding === 'base64' || this.encoding === 'base64url') return b.length % 3;
			if (/^(?:utf-?16le|ucs-?2)$/.test(this.encoding)) return b.length % 2 || (b.length > 1 && (b[b.length - 1] & 0xfc) === 0xd8 ? 2 : 0);
			if (this.encoding !== 'utf8') return 0;
			for (let n = 1; n <= Math.min(3, b.length); n++) {
				const c = b[b.length - n];
				if (c >> 6 === 2) continue;
				return (c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1) > n ? n : 0;
			}
			return 0;
		}
	}
	return { StringDecoder };
})
