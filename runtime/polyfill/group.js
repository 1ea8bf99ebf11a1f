// Object.groupBy, Map.groupBy, Math.sumPrecise, Error.isError and captureStackTrace.
(function ({ extend, kind }) {
	const { create, defineProperty, getOwnPropertyDescriptor } = Object;
	const { get: mapGet, set: mapSet } = Map.prototype, { apply } = Reflect, push = Array.prototype.push;
	const M = Map, E = Error;
	const eachGroup = (items, callback, add) => {
		if (items === null || items === undefined) throw new TypeError(`${items} is not iterable`);
		if (typeof callback !== 'function') throw new TypeError(`${typeof callback} is not a function`);
		let i = 0;
		for (const item of items) add(callback(item, i++), item);
	};
	extend(Object, {
		groupBy(items, callback) {
			const groups = create(null);
			eachGroup(items, callback, (key, item) => {
				if (typeof key !== 'symbol') key = `${key}`;
				if (groups[key]) apply(push, groups[key], [item]);
				else groups[key] = [item];
			});
			return groups;
		},
	});
	extend(Map, {
		groupBy(items, callback) {
			const groups = new M();
			eachGroup(items, callback, (key, item) => {
				const group = apply(mapGet, groups, [key]);
				if (group) apply(push, group, [item]);
				else apply(mapSet, groups, [key, [item]]);
			});
			return groups;
		},
	});

	// Sums exactly: as a whole multiple of the least positive number.
	const view = new DataView(new ArrayBuffer(8)), Big = BigInt, Num = Number;
	const getBits = DataView.prototype.getBigUint64, setFloat = DataView.prototype.setFloat64;
	const parts = (x) => {
		apply(setFloat, view, [0, x]);
		const bits = apply(getBits, view, [0]), exponent = bits >> 52n & 0x7ffn, fraction = bits & 0xfffffffffffffn;
		const value = exponent ? (fraction | 0x10000000000000n) << exponent - 1n : fraction;
		return x < 0 ? -value : value;
	};
	const rounded = (sum) => {
		if (sum === 0n) return 0;
		const negative = sum < 0n;
		if (negative) sum = -sum;
		const extra = sum.toString(2).length - 53;
		let shift = 0n;
		if (extra > 0) {
			shift = Big(extra);
			const rest = sum & (1n << shift) - 1n, half = 1n << shift - 1n;
			sum >>= shift;
			if (rest > half || rest === half && sum & 1n) sum++;
		}
		// sum × 2^(shift-1074), in two steps that do not round.
		const result = Num(shift) > 1074 ? Num(sum) * 2 ** (Num(shift) - 1074) : Num(sum) * 2 ** -537 * 2 ** (Num(shift) - 537);
		return negative ? -result : result;
	};
	extend(Math, {
		sumPrecise(items) {
			let sum = 0n, special = 0, any = false, zero = -0;
			for (const x of items) {
				if (typeof x !== 'number') throw new TypeError('Math.sumPrecise: every value must be a number');
				if (x !== x || x === Infinity || x === -Infinity) special += x;
				else if (x !== 0) { any = true; sum += parts(x); }
				else if (1 / x > 0) zero = 0;
			}
			if (special !== 0) return special;
			return any ? rounded(sum) : zero;
		},
	});

	extend(Error, {
		isError(value) { return kind(value) === 'Error'; },
		captureStackTrace(target, above) {
			if (typeof target !== 'object' && typeof target !== 'function' || target === null) throw new TypeError(`Invalid argument`);
			const lines = new E().stack.split('\n').slice(1);
			let first = 1;
			if (typeof above === 'function' && above.name) {
				const at = lines.findIndex((line) => line.includes(`at ${above.name} (`));
				first = at < 0 ? first : at + 1;
			}
			const name = target.name === undefined ? 'Error' : `${target.name}`;
			const head = target.message ? `${name}: ${target.message}` : name;
			defineProperty(target, 'stack', { value: [head, ...lines.slice(first)].join('\n'), writable: true, configurable: true });
		},
	});
	if (!getOwnPropertyDescriptor(E, 'stackTraceLimit')) E.stackTraceLimit = 10;
})
