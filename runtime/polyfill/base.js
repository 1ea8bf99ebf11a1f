// What the other files share. Runs before the script.
(function () {
	const { defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
	const describe = (o, k, enumerable) => {
		const d = getOwnPropertyDescriptor(o, k);
		d.enumerable = enumerable;
		return d;
	};
	// Adds the members of an object literal to a built-in object, which then has
	// them the way built-in members are: not enumerable.
	const extend = (target, members) => {
		for (const k of ownKeys(members)) {
			if (!getOwnPropertyDescriptor(target, k)) defineProperty(target, k, describe(members, k, false));
		}
		return target;
	};
	// The same, whatever is there.
	const replace = (target, members) => {
		for (const k of ownKeys(members)) defineProperty(target, k, describe(members, k, false));
		return target;
	};
	// Makes the members of a class of the web platform enumerable, as they are.
	const platform = (C) => {
		for (const k of ownKeys(C.prototype)) {
			if (k !== 'constructor' && typeof k === 'string') defineProperty(C.prototype, k, describe(C.prototype, k, true));
		}
		tag(C, C.name);
		return C;
	};
	const tag = (C, name) => defineProperty(C.prototype, Symbol.toStringTag, { value: name, configurable: true });
	return { extend, replace, platform, tag };
})
