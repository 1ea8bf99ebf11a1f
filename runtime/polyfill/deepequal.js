// Deep equality, as util.isDeepStrictEqual and assert.deepEqual have it.
(function ({ kind }) {
	const { ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
	const members = (o) => ownKeys(o).filter((k) => getOwnPropertyDescriptor(o, k)?.enumerable);
	const equal = (a, b, strict, seen) => {
		if (strict ? Object.is(a, b) : a == b || a !== a && b !== b) return true;
		if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
		const what = kind(a);
		if (what !== kind(b) || strict && getPrototypeOf(a) !== getPrototypeOf(b)) return false;
		if (seen.some(([x, y]) => x === a && y === b)) return true;
		seen = [...seen, [a, b]];
		const same = (x, y) => equal(x, y, strict, seen);
		switch (what) {
		case 'Date': if (a.getTime() !== b.getTime()) return false; break;
		case 'RegExp': if (String(a) !== String(b)) return false; break;
		case 'Error': if (a.name !== b.name || a.message !== b.message) return false; break;
		case 'String': case 'Number': case 'Boolean': case 'BigInt': if (!Object.is(a.valueOf(), b.valueOf())) return false; break;
		case 'Array': if (a.length !== b.length) return false; break;
		case 'Map':
			if (a.size !== b.size) return false;
			for (const [k, v] of a) if (!(b.has(k) ? same(v, b.get(k)) : [...b].some(([l, w]) => same(k, l) && same(v, w)))) return false;
			break;
		case 'Set':
			if (a.size !== b.size) return false;
			for (const v of a) if (!b.has(v) && ![...b].some((w) => same(v, w))) return false;
			break;
		case 'ArrayBuffer': return same(new Uint8Array(a), new Uint8Array(b));
		case 'WeakMap': case 'WeakSet': case 'Promise': return false;
		}
		const keys = members(a);
		return keys.length === members(b).length && keys.every((k) => Object.hasOwn(b, k) && same(a[k], b[k]));
	};
	return (a, b, strict) => equal(a, b, strict, []);
})
