// Resizable ArrayBuffers. One is a buffer of the greatest length that shows a part
// of itself. A view without a length of its own would have to follow each resize;
// that is impossible here, so that resizing is refused once there is such a view:
// it would show wrong bytes.
(function ({ replace, global, detach, isDetached }) {
	const { apply, construct, getOwnPropertyDescriptor } = Reflect, { defineProperty } = Object;
	const Buf = ArrayBuffer, proto = Buf.prototype, { slice: cut } = proto, fixed = getOwnPropertyDescriptor(proto, 'byteLength').get;
	const Bytes = Uint8Array, setBytes = Bytes.prototype.set;
	const states = new WeakMap(), of = (b) => states.get(b);
	const index = (n) => {
		const v = Math.trunc(Number(n)) || 0;
		if (v < 0 || v > Number.MAX_SAFE_INTEGER) throw new RangeError('Invalid array buffer length');
		return v;
	};
	function ArrayBufferShim(length, options = undefined) {
		if (new.target === undefined) throw new TypeError("Constructor ArrayBuffer requires 'new'");
		const limit = typeof options === 'object' && options !== null ? options.maxByteLength : undefined;
		if (limit === undefined) return construct(Buf, [length], new.target);
		const n = index(length), most = index(limit);
		if (n > most) throw new RangeError('Invalid array buffer max length');
		const b = construct(Buf, [most], new.target);
		states.set(b, { length: n, max: most, followed: false });
		return b;
	}
	defineProperty(ArrayBufferShim, 'name', { value: 'ArrayBuffer', configurable: true });
	defineProperty(ArrayBufferShim, 'length', { value: 1, configurable: true });
	defineProperty(ArrayBufferShim, 'prototype', { value: proto, writable: false });
	replace(ArrayBufferShim, { isView: Buf.isView });
	defineProperty(ArrayBufferShim, Symbol.species, getOwnPropertyDescriptor(Buf, Symbol.species));
	const plain = (b) => apply(cut, b, [0, of(b).length]);
	// Moves the bytes to a new buffer, which stays resizable if asked for.
	const moved = (b, length, resizable) => {
		const s = of(b), size = apply(byteLength, b, []), n = length === undefined ? size : index(length);
		if (isDetached(b)) throw new TypeError('Cannot perform ArrayBuffer.prototype.transfer on a detached ArrayBuffer');
		const copy = s && resizable ? new ArrayBufferShim(n, { maxByteLength: s.max }) : new Buf(n);
		apply(setBytes, new Bytes(copy, 0, n), [new Bytes(b, 0, n < size ? n : size)]);
		detach(b);
		return copy;
	};
	replace(proto, {
		constructor: ArrayBufferShim,
		get byteLength() { return of(this) && !isDetached(this) ? of(this).length : apply(fixed, this, []); },
		get maxByteLength() { return of(this) && !isDetached(this) ? of(this).max : apply(fixed, this, []); },
		get resizable() { apply(fixed, this, []); return of(this) !== undefined; },
		resize(length) {
			const s = of(this), n = index(length);
			if (!s || isDetached(this)) throw new TypeError('Method ArrayBuffer.prototype.resize called on incompatible receiver');
			if (n > s.max) throw new RangeError("ArrayBuffer.prototype.resize: Invalid length parameter");
			if (s.followed && n !== s.length) throw new TypeError('a resizable ArrayBuffer with a view that follows its length cannot be resized here; give the view a length');
			if (n < s.length) new Bytes(this, n, s.length - n).fill(0);
			s.length = n;
		},
		slice(from, to) {
			const s = of(this);
			if (!s) return apply(cut, this, [from, to]);
			return apply(cut, plain(this), [from, to]);
		},
		get detached() { apply(fixed, this, []); return isDetached(this); },
		transfer(length = undefined) { return moved(this, length, true); },
		transferToFixedLength(length = undefined) { return moved(this, length, false); },
	});
	const byteLength = getOwnPropertyDescriptor(proto, 'byteLength').get;
	const views = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array, DataView];
	const hasInstance = Function.prototype[Symbol.hasInstance];
	for (const C of views) {
		const P = new Proxy(C, {
			construct(target, args, newTarget) {
				const s = typeof args[0] === 'object' && args[0] !== null ? of(args[0]) : undefined;
				if (!s) return construct(target, args, newTarget === P ? target : newTarget);
				const [b, from = 0, length] = args, size = C.BYTES_PER_ELEMENT ?? 1;
				if (length === undefined) s.followed = true;
				const n = length === undefined ? Math.floor((s.length - from) / size) : length;
				if (from + n * size > s.length) throw new RangeError(`Invalid typed array length: ${n}`);
				return construct(target, [b, from, n], newTarget === P ? target : newTarget);
			},
		});
		defineProperty(C, Symbol.hasInstance, { value: (v) => apply(hasInstance, C, [v]) }); // the engine has none for a Proxy
		defineProperty(C.prototype, 'constructor', { value: P, writable: true, configurable: true });
		global(C.name, P);
	}
	global('ArrayBuffer', ArrayBufferShim);
})
