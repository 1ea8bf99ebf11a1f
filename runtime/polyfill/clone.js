// structuredClone. What an object is, kind says, whatever its prototype claims.
(function ({ global, kind, detach, DOMException }) {
	const { apply, ownKeys, getOwnPropertyDescriptor } = Reflect, { defineProperty } = Object;
	const M = Map, S = Set, D = Date, R = RegExp, Buf = ArrayBuffer, View = DataView, A = Array, O = Object;
	const each = Map.prototype.forEach, eachSet = Set.prototype.forEach, mapSet = Map.prototype.set, mapGet = Map.prototype.get, mapHas = Map.prototype.has;
	const add = Set.prototype.add, time = Date.prototype.getTime, sliceBuffer = Buf.prototype.slice, { isView } = Buf;
	const source = getOwnPropertyDescriptor(RegExp.prototype, 'source').get, flags = getOwnPropertyDescriptor(RegExp.prototype, 'flags').get;
	const errors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
	const arrays = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array];
	const typed = Object.getPrototypeOf(Uint8Array), typedTag = getOwnPropertyDescriptor(typed.prototype, Symbol.toStringTag).get;
	const { valueOf: numberValue } = Number.prototype, { valueOf: stringValue } = String.prototype, { valueOf: booleanValue } = Boolean.prototype, { valueOf: bigValue } = BigInt.prototype;
	const refuse = (what) => { throw new DOMException(`${what} could not be cloned.`, 'DataCloneError'); };
	const put = (o, k, value) => defineProperty(o, k, { value, writable: true, enumerable: true, configurable: true });
	const has = (o, k) => getOwnPropertyDescriptor(o, k) !== undefined;

	const clone = (value, seen) => {
		if (typeof value === 'symbol') refuse(String(value));
		if (typeof value === 'function') refuse(`${value}`);
		if (typeof value !== 'object' || value === null) return value;
		if (apply(mapHas, seen, [value])) return apply(mapGet, seen, [value]);
		const made = (copy) => { apply(mapSet, seen, [value, copy]); return copy; };
		const members = (copy) => {
			for (const k of ownKeys(value)) {
				if (typeof k === 'string' && getOwnPropertyDescriptor(value, k)?.enumerable) put(copy, k, clone(value[k], seen));
			}
			return copy;
		};
		switch (kind(value)) {
		case 'Array': { const copy = made(new A()); copy.length = value.length; return members(copy); }
		case 'Object': case 'arguments': return members(made({}));
		case 'Date': return made(new D(apply(time, value, [])));
		case 'RegExp': return made(new R(apply(source, value, []), apply(flags, value, [])));
		case 'String': return made(O(apply(stringValue, value, [])));
		case 'Number': return made(O(apply(numberValue, value, [])));
		case 'Boolean': return made(O(apply(booleanValue, value, [])));
		case 'BigInt': return made(O(apply(bigValue, value, [])));
		case 'Map': {
			const copy = made(new M()), pairs = [];
			apply(each, value, [(v, k) => { put(pairs, pairs.length, [k, v]); }]);
			for (let i = 0; i < pairs.length; i++) apply(mapSet, copy, [clone(pairs[i][0], seen), clone(pairs[i][1], seen)]);
			return copy;
		}
		case 'Set': {
			const copy = made(new S()), items = [];
			apply(eachSet, value, [(v) => { put(items, items.length, v); }]);
			for (let i = 0; i < items.length; i++) apply(add, copy, [clone(items[i], seen)]);
			return copy;
		}
		case 'ArrayBuffer': return made(apply(sliceBuffer, value, [0]));
		case 'DataView': return made(new View(clone(value.buffer, seen), value.byteOffset, value.byteLength));
		case 'typed array': {
			const name = apply(typedTag, value, []);
			for (let i = 0; i < arrays.length; i++) {
				if (arrays[i].name === name) return made(new arrays[i](clone(value.buffer, seen), value.byteOffset, value.length));
			}
			return refuse(name);
		}
		case 'Error': {
			const name = `${value.name}`, C = has(errors, name) ? errors[name] : Error;
			const copy = made(new C(has(value, 'message') ? `${value.message}` : undefined));
			if (typeof value.stack === 'string') defineProperty(copy, 'stack', { value: value.stack, writable: true, configurable: true });
			if (has(value, 'cause')) defineProperty(copy, 'cause', { value: clone(value.cause, seen), writable: true, configurable: true });
			return copy;
		}
		case 'Proxy': return refuse('#<Object>');
		}
		return refuse(`#<${kind(value)}>`);
	};
	const methods = {
		structuredClone(value, options = undefined) {
			if (arguments.length === 0) throw new TypeError("The \"value\" argument must be specified");
			const seen = new M(), list = options?.transfer ?? [];
			for (const buffer of list) {
				if (kind(buffer) !== 'ArrayBuffer') refuse('Value not transferable: it');
			}
			const copy = clone(value, seen);
			for (const buffer of list) detach(buffer);
			return copy;
		},
	};
	defineProperty(methods.structuredClone, 'length', { value: 1, configurable: true });
	global('structuredClone', methods.structuredClone);
})
