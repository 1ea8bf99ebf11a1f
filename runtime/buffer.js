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
	const index = (b, offset, size) => {
		if (typeof offset !== 'number') throw coded(new TypeError(`The "offset" argument must be of type number. Received ${offset === null ? 'null' : typeof offset}`), 'ERR_INVALID_ARG_TYPE');
		if (!(offset >= 0 && offset + size <= b.length) || offset % 1 !== 0) {
			throw coded(new RangeError(size > b.length ? 'Attempt to access memory outside buffer bounds'
				: `The value of "offset" is out of range. It must be ${offset % 1 ? 'an integer' : `>= 0 and <= ${b.length - size}`}. Received ${offset}`), size > b.length ? 'ERR_BUFFER_OUT_OF_BOUNDS' : 'ERR_OUT_OF_RANGE');
		}
		return offset;
	};
	const coded = (e, code) => { e.code = code; return e; };
	const swap = (b, size) => {
		if (b.length % size) throw coded(new RangeError(`Buffer size must be a multiple of ${size * 8}-bits`), 'ERR_INVALID_BUFFER_SIZE');
		for (let i = 0; i < b.length; i += size) b.subarray(i, i + size).reverse();
		return b;
	};
	class Buffer extends Uint8Array {
		constructor(value, encodingOrOffset, length) {
			if (typeof value === 'string') super(decode(value, encodingOrOffset));
			else super(value, encodingOrOffset, length);
		}
		static from(value, encodingOrOffset, length) {
			if (typeof value === 'string') return new Buffer(decode(value, encodingOrOffset));
			if (value instanceof ArrayBuffer) return new Buffer(value, encodingOrOffset, length);
			if (typeof value === 'object' && value !== null && typeof value.length !== 'number') {
				if (value.type === 'Buffer' && typeof value.data === 'object') return Buffer.from(value.data);
				const plain = typeof value.valueOf === 'function' ? value.valueOf() : value;
				if (plain !== value && plain !== null && plain !== undefined) return Buffer.from(plain, encodingOrOffset, length);
			}
			if (typeof value === 'object' && value !== null && typeof value.valueOf?.() === 'string') return Buffer.from(value.valueOf(), encodingOrOffset);
			if (typeof value !== 'object' || value === null || typeof value.length !== 'number') {
				const received = value === null || value === undefined ? `${value}` : typeof value === 'object' || typeof value === 'function' ? `an instance of ${value.constructor?.name}` : `type ${typeof value} (${String(value)})`;
				throw coded(new TypeError(`The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object. Received ${received}`), 'ERR_INVALID_ARG_TYPE');
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
		static allocUnsafeSlow(size) { return sized(size); }
		static of(...bytes) { return Buffer.from(bytes); }
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
			if (typeof offset === 'string') [offset, length, encoding] = [0, this.length, offset];
			else if (typeof length === 'string') [length, encoding] = [this.length - offset, length];
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
		lastIndexOf(value, from = this.length, encoding) {
			if (typeof value === 'number') return super.lastIndexOf(value, from);
			const bytes = bytesOf(value, encoding);
			outer: for (let i = min(from < 0 ? this.length + from : from, this.length - bytes.length); i >= 0; i--) {
				for (let j = 0; j < bytes.length; j++) if (this[i + j] !== bytes[j]) continue outer;
				return i;
			}
			return -1;
		}
		toLocaleString(encoding, start, end) { return this.toString(encoding, start, end); }
		swap16() { return swap(this, 2); }
		swap32() { return swap(this, 4); }
		swap64() { return swap(this, 8); }
		readUIntBE(offset, size) {
			let n = 0;
			index(this, offset, size);
			for (let i = 0; i < size; i++) n = n * 256 + this[offset + i];
			return n;
		}
		readUIntLE(offset, size) {
			let n = 0;
			index(this, offset, size);
			for (let i = size - 1; i >= 0; i--) n = n * 256 + this[offset + i];
			return n;
		}
		readIntBE(offset, size) { return signed(this.readUIntBE(offset, size), size); }
		readIntLE(offset, size) { return signed(this.readUIntLE(offset, size), size); }
		writeUIntBE(value, offset, size) {
			index(this, offset, size);
			for (let i = size - 1; i >= 0; i--, value = floor(value / 256)) this[offset + i] = value % 256;
			return offset + size;
		}
		writeUIntLE(value, offset, size) {
			index(this, offset, size);
			for (let i = 0; i < size; i++, value = floor(value / 256)) this[offset + i] = value % 256;
			return offset + size;
		}
		writeIntBE(value, offset, size) { return this.writeUIntBE(value < 0 ? value + 256 ** size : value, offset, size); }
		writeIntLE(value, offset, size) { return this.writeUIntLE(value < 0 ? value + 256 ** size : value, offset, size); }
	}
	const signed = (n, size) => n >= 256 ** size / 2 ? n - 256 ** size : n;
	const { floor } = Math, { defineProperty } = Object;
	const add = (name, value) => {
		defineProperty(value, 'name', { value: name });
		defineProperty(Buffer.prototype, name, { value, writable: true, configurable: true });
	};
	// What a DataView reads and writes, in both orders of bytes.
	for (const [type, size, big] of [['UInt8', 1], ['Int8', 1], ['UInt16', 2], ['Int16', 2], ['UInt32', 4], ['Int32', 4], ['BigUInt64', 8, true], ['BigInt64', 8, true], ['Float', 4, 'Float32'], ['Double', 8, 'Float64']]) {
		const method = typeof big === 'string' ? big : type.replace('UInt', 'Uint'), get = DataView.prototype[`get${method}`], set = DataView.prototype[`set${method}`];
		const limits = big ? undefined : type[0] === 'U' ? [0, 256 ** size - 1] : [-(256 ** size) / 2, 256 ** size / 2 - 1];
		const view = (b) => new DataView(b.buffer, b.byteOffset, b.byteLength);
		for (const order of size === 1 ? [''] : ['LE', 'BE']) {
			const read = (offset, b) => get.call(view(b), index(b, offset, size), order === 'LE');
			const write = (value, offset, b) => {
				if (limits && !(value >= limits[0] && value <= limits[1])) throw coded(new RangeError(`The value of "value" is out of range. It must be >= ${limits[0]} and <= ${limits[1]}. Received ${value}`), 'ERR_OUT_OF_RANGE');
				set.call(view(b), index(b, offset, size), value, order === 'LE');
				return offset + size;
			};
			for (const name of type.includes('UInt') ? [type, type.replace('UInt', 'Uint')] : [type]) {
				add(`read${name}${order}`, function (offset = 0) { return read(offset, this); });
				add(`write${name}${order}`, function (value, offset = 0) { return write(value, offset, this); });
			}
		}
	}
	for (const name of ['readUIntBE', 'readUIntLE', 'writeUIntBE', 'writeUIntLE']) defineProperty(Buffer.prototype, name.replace('UInt', 'Uint'), { value: Buffer.prototype[name], writable: true, configurable: true });
	Buffer.poolSize = 8192;
	return Buffer;
})
