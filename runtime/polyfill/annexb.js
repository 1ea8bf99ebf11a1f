// What browsers have had for ever and nobody should use: getters by methods, the
// HTML methods of strings, two-digit years.
(function ({ extend }) {
	const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object, { apply } = Reflect;
	const { getFullYear, setFullYear, getTime, setTime, toUTCString } = Date.prototype, replaceAll = String.prototype.replaceAll;
	const accessor = (which) => function (name, f) {
		if (typeof f !== 'function') throw new TypeError(`${String(f)} is not a function`);
		defineProperty(Object(this), name, { [which]: f, enumerable: true, configurable: true });
	};
	const lookup = (which) => function (name) {
		for (let o = Object(this); o !== null; o = getPrototypeOf(o)) {
			const d = getOwnPropertyDescriptor(o, name);
			if (d) return d[which];
		}
	};
	extend(Object.prototype, { __defineGetter__: accessor('get'), __defineSetter__: accessor('set'), __lookupGetter__: lookup('get'), __lookupSetter__: lookup('set') });

	const html = {};
	for (const [name, element, attribute] of [['anchor', 'a', 'name'], ['big', 'big'], ['blink', 'blink'], ['bold', 'b'], ['fixed', 'tt'], ['fontcolor', 'font', 'color'], ['fontsize', 'font', 'size'],
		['italics', 'i'], ['link', 'a', 'href'], ['small', 'small'], ['strike', 'strike'], ['sub', 'sub'], ['sup', 'sup']]) {
		html[name] = {
			[name](value) {
				if (this === null || this === undefined) throw new TypeError(`String.prototype.${name} called on null or undefined`);
				const text = `${this}`;
				return attribute ? `<${element} ${attribute}="${apply(replaceAll, `${value}`, ['"', '&quot;'])}">${text}</${element}>` : `<${element}>${text}</${element}>`;
			},
		}[name];
	}
	extend(String.prototype, html);
	extend(Date.prototype, {
		getYear() { return apply(getFullYear, this, []) - 1900; },
		setYear(year) {
			const n = Number(year), whole = Math.trunc(n);
			if (n !== n) return apply(setTime, this, [NaN]);
			if (apply(getTime, this, []) !== apply(getTime, this, [])) apply(setTime, this, [0]);
			return apply(setFullYear, this, [whole >= 0 && whole <= 99 ? whole + 1900 : n]);
		},
		toGMTString: toUTCString,
	});
})
