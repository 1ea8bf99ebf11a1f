// Makes UTC the local time zone of Date, for runs that are the same everywhere.
(function ({ replace, global }) {
	const Native = Date, proto = Date.prototype, { construct, apply, getOwnPropertyDescriptor } = Reflect;
	for (const name of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
		for (const verb of ['get', 'set']) {
			const utc = proto[`${verb}UTC${name}`], local = proto[`${verb}${name}`];
			if (!local) continue;
			const { [`${verb}${name}`]: f } = { [`${verb}${name}`](...args) { return apply(utc, this, args); } };
			Object.defineProperty(f, 'length', { value: local.length, configurable: true });
			replace(proto, { [`${verb}${name}`]: f });
		}
	}
	const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
	const { getTime, getUTCDay, getUTCMonth, getUTCDate, getUTCFullYear, getUTCHours, getUTCMinutes, getUTCSeconds } = proto;
	const two = (n) => String(n).padStart(2, '0'), of = (d, f) => apply(f, d, []);
	const text = (d, parts) => {
		const t = of(d, getTime);
		return t !== t ? 'Invalid Date' : parts(d);
	};
	const year = (d) => { const y = of(d, getUTCFullYear); return y < 0 ? `-${String(-y).padStart(6, '0')}` : String(y).padStart(4, '0'); };
	const date = (d) => `${days[of(d, getUTCDay)]} ${months[of(d, getUTCMonth)]} ${two(of(d, getUTCDate))} ${year(d)}`;
	const time = (d) => `${two(of(d, getUTCHours))}:${two(of(d, getUTCMinutes))}:${two(of(d, getUTCSeconds))} GMT+0000 (Coordinated Universal Time)`;
	replace(proto, {
		getTimezoneOffset() { const t = of(this, getTime); return t !== t ? NaN : 0; },
		toString() { return text(this, (d) => `${date(d)} ${time(d)}`); },
		toDateString() { return text(this, date); },
		toTimeString() { return text(this, time); },
	});
	const { parse, UTC } = Native;
	const parseUTC = (s) => {
		if (/^\s*[+-]?\d{4,6}-\d\d(?:-\d\d)?\s*$/.test(s) || /(?:Z|[+-]\d\d:?\d\d|GMT|UTC|[ECMP][SD]T)(?:\s*\(.*\))?\s*$/i.test(s)) return parse(s);
		return /T\d\d:/.test(s) ? parse(`${s.trim()}Z`) : parse(`${s} GMT`);
	};
	function DateShim(...args) {
		if (new.target === undefined) return String(new Native());
		if (args.length > 1) return construct(Native, [apply(UTC, undefined, args)], new.target);
		if (args.length === 1) {
			let [v] = args;
			if (typeof v === 'object' && v !== null) v = v instanceof Native ? of(v, getTime) : v[Symbol.toPrimitive]?.('default') ?? v.valueOf();
			return construct(Native, [typeof v === 'string' ? parseUTC(v) : v], new.target);
		}
		return construct(Native, [], new.target);
	}
	Object.defineProperty(DateShim, 'name', { value: 'Date', configurable: true });
	Object.defineProperty(DateShim, 'length', { value: 7, configurable: true });
	Object.defineProperty(DateShim, 'prototype', { value: proto, writable: false });
	replace(DateShim, { now: getOwnPropertyDescriptor(Native, 'now').value, UTC, parse(s) { return parseUTC(`${s}`); } });
	replace(proto, { constructor: DateShim });
	global('Date', DateShim);
})
