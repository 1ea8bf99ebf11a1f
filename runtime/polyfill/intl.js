// Intl itself, and the methods of other built-ins that use it. The one locale is
// en-US; any other that is asked for becomes it, as the standard lets it.
(function (host) {
	const { replace, global, number: makeNumber, date: makeDate, text: makeText } = host;
	const { defineProperty } = Object;
	const options = {
		pick(o, name, allowed, usual = undefined) {
			const value = o[name];
			if (value === undefined) return usual;
			if (!allowed.includes(`${value}`)) throw new RangeError(`Value ${value} out of range for Intl options property ${name}`);
			return `${value}`;
		},
		digit(o, name, from, to, usual) {
			if (o[name] === undefined) return usual;
			const n = Number(o[name]);
			if (!(n >= from && n <= to)) throw new RangeError(`${name} value is out of range.`);
			return Math.floor(n);
		},
		locale(locales) {
			if (locales === undefined) return [];
			if (locales === null) throw new TypeError('Cannot convert undefined or null to object');
			return (typeof locales === 'string' ? [locales] : Array.from(locales, (l) => l instanceof Locale ? l.toString() : l)).map((l) => {
				if (typeof l !== 'string') throw new TypeError('Incorrect locale information provided');
				if (!/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(l)) throw new RangeError(`Incorrect locale information provided`);
				return l.split('-').map((part, i) => i === 0 ? part.toLowerCase() : part.length === 2 ? part.toUpperCase() : part.length === 4 ? part[0].toUpperCase() + part.slice(1).toLowerCase() : part.toLowerCase()).join('-');
			});
		},
	};
	class Locale {
		#tag;
		constructor(tag) { this.#tag = options.locale(tag)[0]; }
		get language() { return this.#tag.split('-')[0]; }
		get region() { return this.#tag.split('-').slice(1).find((p) => /^[A-Z]{2}$/.test(p)); }
		get script() { return this.#tag.split('-').slice(1).find((p) => /^[A-Z][a-z]{3}$/.test(p)); }
		get baseName() { return this.#tag.split('-u-')[0]; }
		toString() { return this.#tag; }
	}
	host.tag(Locale, 'Intl.Locale');
	const { NumberFormat, PluralRules } = makeNumber({ ...host, options });
	const { DateTimeFormat } = makeDate({ ...host, options });
	const rest = makeText({ ...host, options, NumberFormat, PluralRules });
	const { Collator } = rest;

	// The constructors of the oldest three work without new as well.
	const callable = (C) => {
		const F = { [C.name]: function (locales = undefined, options = undefined) { return Reflect.construct(C, [locales, options], new.target ?? F); } }[C.name];
		defineProperty(F, 'prototype', { value: C.prototype, writable: false });
		defineProperty(F, 'length', { value: 0, configurable: true });
		defineProperty(C.prototype, 'constructor', { value: F, writable: true, configurable: true });
		return F;
	};
	const Intl = {}, classes = { ...rest, PluralRules, Locale, NumberFormat: callable(NumberFormat), DateTimeFormat: callable(DateTimeFormat), Collator: callable(Collator) };
	for (const [name, C] of Object.entries(classes)) {
		defineProperty(Intl, name, { value: C, writable: true, configurable: true });
		if (name !== 'Locale') {
			defineProperty(C, 'supportedLocalesOf', { value: { supportedLocalesOf(locales) { return options.locale(locales).filter((l) => /^en\b/.test(l)); } }.supportedLocalesOf, writable: true, configurable: true });
		}
	}
	replace(Intl, {
		getCanonicalLocales(locales) { return options.locale(locales); },
		supportedValuesOf(key) {
			if (key === 'timeZone') return ['UTC'];
			if (key === 'numberingSystem') return ['latn'];
			if (key === 'calendar') return ['gregory'];
			throw new RangeError(`Invalid key : ${key}`);
		},
	});
	defineProperty(Intl, Symbol.toStringTag, { value: 'Intl', configurable: true });
	global('Intl', Intl);

	const plainNumber = new NumberFormat().format, plainCompare = new Collator().compare;
	const time = Date.prototype.getTime, numberValue = Number.prototype.valueOf, bigValue = BigInt.prototype.valueOf;
	const dated = (date, locales, o, required, defaults) => {
		const t = time.call(date);
		return t !== t ? 'Invalid Date' : new DateTimeFormat(locales, o, required, defaults).format(t);
	};
	const formatted = (x, locales, o) => locales === undefined && o === undefined ? plainNumber(x) : new NumberFormat(locales, o).format(x);
	replace(Number.prototype, { toLocaleString(locales = undefined, o = undefined) { return formatted(numberValue.call(this), locales, o); } });
	replace(BigInt.prototype, { toLocaleString(locales = undefined, o = undefined) { return formatted(bigValue.call(this), locales, o); } });
	replace(Date.prototype, {
		toLocaleString(locales = undefined, o = undefined) { return dated(this, locales, o, 'any', 'all'); },
		toLocaleDateString(locales = undefined, o = undefined) { return dated(this, locales, o, 'date', 'date'); },
		toLocaleTimeString(locales = undefined, o = undefined) { return dated(this, locales, o, 'time', 'time'); },
	});
	const items = Array.prototype.join;
	replace(Array.prototype, {
		toLocaleString(locales = undefined, o = undefined) {
			const list = [];
			for (let i = 0; i < this.length; i++) list.push(this[i] === undefined || this[i] === null ? '' : this[i].toLocaleString(locales, o));
			return items.call(list, ',');
		},
	});
	replace(String.prototype, {
		localeCompare(that, locales = undefined, o = undefined) {
			if (this === undefined || this === null) throw new TypeError('String.prototype.localeCompare called on null or undefined');
			return locales === undefined && o === undefined ? plainCompare(this, that) : new Collator(locales, o).compare(this, that);
		},
	});
})
