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
	// Lets objects of a class be shown by what describe makes of them: a text, or
	// an object.
	const shown = (part, C, describe) => {
		part.custom();
		defineProperty(C.prototype, Symbol.for('nodejs.util.inspect.custom'), {
			value(depth, options, inspect) {
				if (depth < 0) return `[${C.name}]`;
				const description = this === C.prototype ? {} : describe(this, (v) => inspect(v, options));
				return `${C.name} ${typeof description === 'string' ? description : inspect(description, options)}`;
			}, writable: true, configurable: true,
		});
	};
	return { extend, replace, platform, tag, shown };
})
