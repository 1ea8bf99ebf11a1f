// The engine gives the apply and construct traps of a Proxy its own stack as the
// list of arguments, which it then overwrites: a trap that keeps the list would
// see it change. So these traps get a copy. Nor does it know instanceof for a
// Proxy of a function.
(function ({ global }) {
	const { apply, get, getPrototypeOf } = Reflect, { slice } = Array.prototype, Native = Proxy;
	const { hasInstance } = Symbol, native = Function.prototype[hasInstance];
	const ordinary = function (v) {
		if (typeof v !== 'object' && typeof v !== 'function' || v === null) return false;
		const { prototype } = this;
		if (typeof prototype !== 'object' && typeof prototype !== 'function' || prototype === null) {
			throw new TypeError(`Function has non-object prototype '${String(prototype)}' in instanceof check`);
		}
		for (let o = getPrototypeOf(v); o !== null; o = getPrototypeOf(o)) if (o === prototype) return true;
		return false;
	};
	const copied = {
		apply: (trap, handler) => (target, self, list) => apply(trap, handler, [target, self, apply(slice, list, [])]),
		construct: (trap, handler) => (target, list, newTarget) => apply(trap, handler, [target, apply(slice, list, []), newTarget]),
	};
	const careful = {
		__proto__: null,
		get(handler, name) {
			const trap = handler[name];
			if (name === 'get') {
				if (trap !== undefined && trap !== null && typeof trap !== 'function') return trap;
				return (target, key, receiver) => {
					const v = trap ? apply(trap, handler, [target, key, receiver]) : get(target, key, receiver);
					return key === hasInstance && v === native ? ordinary : v;
				};
			}
			return typeof trap === 'function' && (name === 'apply' || name === 'construct') ? copied[name](trap, handler) : trap;
		},
	};
	// Only a function has these traps, and any object may be given them later.
	const carefully = (target, handler) => typeof target === 'function' && typeof handler === 'object' && handler !== null ? new Native(handler, careful) : handler;
	const revocable = { revocable(target, handler) { return Native.revocable(target, carefully(target, handler)); } }.revocable;
	global('Proxy', new Native(Native, {
		construct: (_, list) => new Native(list[0], carefully(list[0], list[1])),
		get: (_, name) => name === 'revocable' ? revocable : Native[name],
	}));
})
