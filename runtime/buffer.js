// The Buffer that scripts know from Node, as far as they use it to convert
// between text, base64, hex and bytes. Compiled when it is first asked for.
(function (Uint8Array, ArrayBuffer, TypeError, RangeError, decode, encode, known, MAX) {
	'use strict';
	const min = (a, b) => a < b ? a : b;
	const bytesOf = (value, encoding) => typeof value === 'string' ? new Uint8Array(decode(value, encoding)) : value;
	const sized = (n) => {
		if (typeof n !== 'number' || !(n >= 0 && n <= MAX)) throw new RangeError(`Buffer size must be a number from 0 to ${MAX}`);
		return new Buffer(n);
	};
	class Buffer extends Uint8Array {
		static from(value, encodingOrOffset, length) {
			if (typeof value === 'string') return new Buffer(decode(value, encodingOrOffset));
			if (value instanceof ArrayBuffer) return new Buffer(value, encodingOrOffset, length);
			if (typeof value !== 'object' || value === null || typeof value.length !== 'number') {
				throw new TypeError('Buffer.from: pass a string, an array of bytes, a Buffer or an ArrayBuffer');
			}
			const buffer = sized(value.length);
			for (let i = 0; i < buffer.length; i++) buffer[i] = value[i];
			return buffer;
		}
		static alloc(size, fill, encoding) {
			const buffer = sized(size);
			return fill === undefined ? buffer : buffer.fill(fill, encoding);
		}
		static allocUnsafe(size) { return sized(size); }
		static byteLength(value, encoding) { return typeof value === 'string' ? decode(value, encoding).byteLength : value.byteLength; }
		static isBuffer(value) { return value instanceof Buffer; }
		static isEncoding(name) { return known(name); }
		static compare(a, b) {
			for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
			return a.length === b.length ? 0 : a.length < b.length ? -1 : 1;
		}
		static concat(list, total) {
			let sum = 0;
			for (let i = 0; i < list.length; i++) sum += list[i].length;
			const buffer = sized(total === undefined ? sum : total);
			for (let i = 0, at = 0; i < list.length && at < buffer.length; at += list[i++].length) {
				buffer.set(list[i].subarray(0, buffer.length - at), at);
			}
			return buffer;
		}
		toString(encoding, start = 0, end = this.length) { return encode(this, encoding, start, end); }
		toJSON() {
			const data = [];
			for (let i = 0; i < this.length; i++) data[i] = this[i];
			return { type: 'Buffer', data };
		}
		equals(other) { return Buffer.compare(this, other) === 0; }
		compare(other) { return Buffer.compare(this, other); }
		slice(start, end) { return this.subarray(start, end); }
		write(text, offset = 0, length = this.length - offset, encoding = 'utf8') {
			const bytes = bytesOf(text, encoding).subarray(0, min(length, this.length - offset));
			this.set(bytes, offset);
			return bytes.length;
		}
		copy(target, at = 0, start = 0, end = this.length) {
			const part = this.subarray(start, min(end, start + target.length - at));
			target.set(part, at);
			return part.length;
		}
		fill(value, ...rest) {
			if (typeof value !== 'string') return super.fill(value, ...rest);
			const encoding = typeof rest[rest.length - 1] === 'string' ? rest.pop() : undefined;
			const bytes = bytesOf(value, encoding), [start = 0, end = this.length] = rest;
			for (let i = start; i < end; i++) this[i] = bytes.length ? bytes[(i - start) % bytes.length] : 0;
			return this;
		}
		indexOf(value, from = 0, encoding) {
			if (typeof value === 'number') return super.indexOf(value, from);
			const bytes = bytesOf(value, encoding);
			outer: for (let i = from < 0 ? (this.length + from > 0 ? this.length + from : 0) : from; i + bytes.length <= this.length; i++) {
				for (let j = 0; j < bytes.length; j++) if (this[i + j] !== bytes[j]) continue outer;
				return i;
			}
			return -1;
		}
		includes(value, from, encoding) { return this.indexOf(value, from, encoding) >= 0; }
	}
	return Buffer;
})
