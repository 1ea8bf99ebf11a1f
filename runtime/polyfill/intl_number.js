// Intl.NumberFormat and PluralRules for en-US.
(function ({ tag, options: { pick, digit, locale } }) {
	const abs = Math.abs, max = Math.max, min = Math.min;

	// A decimal is a number's shortest decimal digits and the place of its point.
	const decimal = (x) => {
		const [mantissa, exponent = '0'] = String(x).replace('-', '').split('e');
		const [whole, fraction = ''] = mantissa.split('.');
		let digits = whole + fraction, point = whole.length + Number(exponent);
		const zeros = /^0*/.exec(digits)[0].length;
		digits = digits.slice(zeros);
		point -= zeros;
		return digits === '' ? { digits: '', point: 0 } : { digits: digits.replace(/0+$/, ''), point };
	};
	// Rounds to `keep` digits; halves go as the mode says.
	const roundTo = ({ digits, point }, keep, negative, mode) => {
		if (keep >= digits.length) return { digits, point };
		const head = keep > 0 ? digits.slice(0, keep) : '', next = keep < 0 ? '0' : digits[keep], rest = keep < 0 || /[1-9]/.test(digits.slice(keep + 1));
		const half = next === '5' && !rest, over = next > '5' || next === '5' && rest;
		const odd = head !== '' && '13579'.includes(head.at(-1));
		const up = {
			expand: true, trunc: false, ceil: !negative, floor: negative, halfExpand: over || half, halfTrunc: over,
			halfEven: over || half && odd, halfCeil: over || half && !negative, halfFloor: over || half && negative,
		}[mode];
		if (!up) return head === '' ? { digits: '', point: 0 } : { digits: head.replace(/0+$/, ''), point };
		const carried = String(BigInt(head || '0') + 1n).padStart(head.length, '0');
		return { digits: carried.replace(/0+$/, ''), point: keep < 0 ? point - keep + 1 : point + carried.length - max(keep, 0) };
	};
	const written = ({ digits, point }, least) => {
		const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
		const fraction = point > 0 ? digits.slice(point) : digits === '' ? '' : '0'.repeat(-point) + digits;
		return [whole, fraction.padEnd(least, '0')];
	};

	const symbols = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', CNY: 'CN¥', KRW: '₩', BRL: 'R$', CAD: 'CA$', AUD: 'A$', MXN: 'MX$', NZD: 'NZ$', HKD: 'HK$', ILS: '₪', VND: '₫', TWD: 'NT$', PHP: '₱' };
	const currencies = { USD: 'US dollars', EUR: 'euros', GBP: 'British pounds', JPY: 'Japanese yen', CHF: 'Swiss francs', CAD: 'Canadian dollars', AUD: 'Australian dollars', CNY: 'Chinese yuan', INR: 'Indian rupees' };
	const noDecimals = { JPY: 0, KRW: 0, VND: 0, CLP: 0, ISK: 0, UGX: 0, BHD: 3, KWD: 3, OMR: 3, JOD: 3, TND: 3 };
	// Units: short, narrow, long (one), long.
	const units = {
		byte: [' byte', 'B', ' byte', ' bytes'], kilobyte: [' kB', 'kB', ' kilobyte', ' kilobytes'], megabyte: [' MB', 'MB', ' megabyte', ' megabytes'], gigabyte: [' GB', 'GB', ' gigabyte', ' gigabytes'], terabyte: [' TB', 'TB', ' terabyte', ' terabytes'], petabyte: [' PB', 'PB', ' petabyte', ' petabytes'], bit: [' bit', 'bit', ' bit', ' bits'],
		second: [' sec', 's', ' second', ' seconds'], minute: [' min', 'm', ' minute', ' minutes'], hour: [' hr', 'h', ' hour', ' hours'], day: [' day', 'd', ' day', ' days'], week: [' wk', 'w', ' week', ' weeks'], month: [' mth', 'm', ' month', ' months'], year: [' yr', 'y', ' year', ' years'], millisecond: [' ms', 'ms', ' millisecond', ' milliseconds'],
		meter: [' m', 'm', ' meter', ' meters'], kilometer: [' km', 'km', ' kilometer', ' kilometers'], centimeter: [' cm', 'cm', ' centimeter', ' centimeters'], millimeter: [' mm', 'mm', ' millimeter', ' millimeters'], mile: [' mi', 'mi', ' mile', ' miles'], foot: [' ft', '′', ' foot', ' feet'], inch: [' in', '″', ' inch', ' inches'],
		gram: [' g', 'g', ' gram', ' grams'], kilogram: [' kg', 'kg', ' kilogram', ' kilograms'], pound: [' lb', '#', ' pound', ' pounds'], ounce: [' oz', 'oz', ' ounce', ' ounces'], liter: [' L', 'L', ' liter', ' liters'], milliliter: [' mL', 'mL', ' milliliter', ' milliliters'], celsius: ['°C', '°C', ' degree Celsius', ' degrees Celsius'], fahrenheit: ['°F', '°', ' degree Fahrenheit', ' degrees Fahrenheit'], percent: ['%', '%', ' percent', ' percent'], degree: [' deg', '°', ' degree', ' degrees'],
	};
	const plurals = { byte: 1, day: 1, week: 1, month: 1, year: 1, bit: 0 }; // short forms with an s
	const compactNames = [['', ''], ['K', ' thousand'], ['M', ' million'], ['B', ' billion'], ['T', ' trillion']];

	const read = (o, style) => {
		const r = { locale: 'en-US', numberingSystem: 'latn', style };
		r.style = pick(o, 'style', ['decimal', 'percent', 'currency', 'unit'], style);
		if (r.style === 'currency') {
			if (o.currency === undefined) throw new TypeError('Currency code is required with currency style.');
			r.currency = String(o.currency).toUpperCase();
			if (!/^[A-Z]{3}$/.test(r.currency)) throw new RangeError(`Invalid currency code : ${o.currency}`);
			r.currencyDisplay = pick(o, 'currencyDisplay', ['code', 'symbol', 'narrowSymbol', 'name'], 'symbol');
			r.currencySign = pick(o, 'currencySign', ['standard', 'accounting'], 'standard');
		}
		if (r.style === 'unit') {
			if (o.unit === undefined) throw new TypeError('Unit is required with unit style.');
			r.unit = String(o.unit);
			if (!r.unit.split('-per-').every((u) => Object.hasOwn(units, u))) throw new RangeError(`Invalid unit argument for Intl.NumberFormat() '${o.unit}'`);
			r.unitDisplay = pick(o, 'unitDisplay', ['short', 'narrow', 'long'], 'short');
		}
		r.notation = pick(o, 'notation', ['standard', 'scientific', 'engineering', 'compact'], 'standard');
		const compact = r.notation === 'compact';
		if (compact) r.compactDisplay = pick(o, 'compactDisplay', ['short', 'long'], 'short');
		const usual = r.style === 'currency' && r.notation === 'standard' ? noDecimals[r.currency] ?? 2 : undefined;
		r.minimumIntegerDigits = digit(o, 'minimumIntegerDigits', 1, 21, 1);
		const significant = o.minimumSignificantDigits !== undefined || o.maximumSignificantDigits !== undefined;
		if (significant) {
			r.minimumSignificantDigits = digit(o, 'minimumSignificantDigits', 1, 21, 1);
			r.maximumSignificantDigits = digit(o, 'maximumSignificantDigits', r.minimumSignificantDigits, 21, 21);
		} else {
			const least = usual ?? 0, most = compact ? 0 : usual ?? (r.style === 'percent' ? 0 : 3);
			const lo = digit(o, 'minimumFractionDigits', 0, 100, undefined), hi = digit(o, 'maximumFractionDigits', 0, 100, undefined);
			if (lo !== undefined && hi !== undefined && lo > hi) throw new RangeError('maximumFractionDigits value is out of range.');
			r.minimumFractionDigits = lo ?? min(least, hi ?? least);
			r.maximumFractionDigits = hi ?? max(most, r.minimumFractionDigits);
			r.rough = compact && lo === undefined && hi === undefined;
		}
		r.useGrouping = o.useGrouping === undefined ? (compact ? 'min2' : 'auto') : o.useGrouping === false || o.useGrouping === 'false' ? false : o.useGrouping === 'min2' ? 'min2' : 'always';
		r.signDisplay = pick(o, 'signDisplay', ['auto', 'never', 'always', 'exceptZero', 'negative'], 'auto');
		r.roundingMode = pick(o, 'roundingMode', ['ceil', 'floor', 'expand', 'trunc', 'halfCeil', 'halfFloor', 'halfExpand', 'halfTrunc', 'halfEven'], 'halfExpand');
		return r;
	};

	const group = (whole, how) => how === false || how === 'min2' && whole.length < 5 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',');
	const roundDigits = (d, r, negative) => {
		if (r.maximumSignificantDigits) {
			const q = roundTo(d, r.maximumSignificantDigits, negative, r.roundingMode);
			return [q, max(r.minimumSignificantDigits - max(q.point, q.digits === '' ? 1 : q.point), 0)];
		}
		if (r.rough) return [roundTo(d, max(2, d.point), negative, r.roundingMode), 0];
		return [roundTo(d, d.point + r.maximumFractionDigits, negative, r.roundingMode), r.minimumFractionDigits];
	};
	// The parts of a formatted number, as [type, value].
	const parts = (value, r) => {
		const big = typeof value === 'bigint', negative = big ? value < 0n : value < 0 || Object.is(value, -0);
		const out = [];
		let zero = false, suffix = '', exponent, text;
		if (!big && value !== value) text = [['nan', 'NaN']];
		else if (!big && abs(value) === Infinity) text = [['infinity', '∞']];
		else {
			let d = decimal(big ? String(value).replace('-', '') : abs(value));
			if (r.style === 'percent' && d.digits) d = { digits: d.digits, point: d.point + 2 };
			let q, least;
			if (r.notation === 'compact') {
				let step = min(max(Math.floor((d.point - 1) / 3), 0), 4);
				[q, least] = roundDigits({ digits: d.digits, point: d.point - step * 3 }, r, negative);
				if (q.point > 3 && step < 4) { step++; [q, least] = roundDigits({ digits: d.digits, point: d.point - step * 3 }, r, negative); }
				suffix = compactNames[step][r.compactDisplay === 'long' ? 1 : 0];
			} else if (r.notation !== 'standard') {
				exponent = d.digits === '' ? 0 : d.point - 1;
				if (r.notation === 'engineering') exponent = Math.floor(exponent / 3) * 3;
				[q, least] = roundDigits({ digits: d.digits, point: d.point - exponent }, r, negative);
				if (q.point > (r.notation === 'engineering' ? 3 : 1)) { // rounded up to one digit more
					exponent += r.notation === 'engineering' ? 3 : 1;
					[q, least] = roundDigits({ digits: d.digits, point: d.point - exponent }, r, negative);
				}
			} else [q, least] = roundDigits(d, r, negative);
			zero = q.digits === '';
			const [whole, fraction] = written(q, least);
			text = group(whole.padStart(r.minimumIntegerDigits, '0'), r.useGrouping).split(/(,)/).map((s) => [s === ',' ? 'group' : 'integer', s]);
			if (fraction) text.push(['decimal', '.'], ['fraction', fraction]);
			if (exponent !== undefined) text.push(['exponentSeparator', 'E'], ...exponent < 0 ? [['exponentMinusSign', '-']] : [], ['exponentInteger', String(abs(exponent))]);
			if (suffix) text.push(...suffix[0] === ' ' ? [['literal', ' '], ['compact', suffix.slice(1)]] : [['compact', suffix]]);
		}
		const minus = negative && { auto: true, always: true, exceptZero: !zero, negative: !zero }[r.signDisplay];
		const plus = !negative && { always: true, exceptZero: !zero && value === value }[r.signDisplay];
		const accounting = minus && r.currencySign === 'accounting';
		if (accounting) out.push(['literal', '(']);
		else if (minus) out.push(['minusSign', '-']);
		else if (plus) out.push(['plusSign', '+']);
		if (r.style === 'currency' && r.currencyDisplay !== 'name') {
			const symbol = r.currencyDisplay === 'code' ? r.currency : symbols[r.currency] ?? r.currency;
			out.push(['currency', r.currencyDisplay === 'narrowSymbol' ? symbol.replace(/^[A-Z]+(?=[^A-Z])/, '') : symbol]);
			if (/[A-Z]$/.test(symbol)) out.push(['literal', '\xa0']);
		}
		out.push(...text);
		const one = text.length === 1 && text[0][1] === '1';
		if (r.style === 'currency' && r.currencyDisplay === 'name') out.push(['literal', ' '], ['currency', currencies[r.currency]?.replace(/s$/, one ? '' : 's') ?? r.currency]);
		if (r.style === 'percent') out.push(['percentSign', '%']);
		if (r.style === 'unit') out.push(...unitParts(r, one));
		if (accounting) out.push(['literal', ')']);
		return out;
	};
	const unitParts = (r, one) => {
		const [unit, per] = r.unit.split('-per-'), forms = units[unit];
		let s = { short: forms[0], narrow: forms[1], long: one ? forms[2] : forms[3] }[r.unitDisplay];
		if (r.unitDisplay === 'short' && !one && plurals[unit]) s += unit === 'byte' ? '' : 's';
		if (per) s += r.unitDisplay === 'long' ? ` per ${per}` : '/' + { second: 's', hour: 'h', minute: 'min' }[per] ?? units[per][1];
		return s[0] === ' ' ? [['literal', ' '], ['unit', s.slice(1)]] : [['unit', s]];
	};
	const numeric = (x) => typeof x === 'bigint' ? x : typeof x === 'string' && /^\s*-?\d{16,}\s*$/.test(x) ? BigInt(x) : Number(x);
	const format = (x, r) => parts(numeric(x), r).map((p) => p[1]).join('');

	class NumberFormat {
		#r; #format;
		constructor(locales = undefined, options = undefined) {
			locale(locales);
			this.#r = read(Object(options ?? {}), 'decimal');
		}
		get format() { return this.#format ??= (x) => format(x, this.#r); }
		formatToParts(x) { return parts(numeric(x), this.#r).map(([type, value]) => ({ type, value })); }
		formatRange(a, b) {
			const x = format(a, this.#r), y = format(b, this.#r);
			return x === y ? `~${x}` : `${x}–${y}`;
		}
		resolvedOptions() { const { rough, ...shown } = this.#r; return shown; }
	}
	tag(NumberFormat, 'Intl.NumberFormat');

	class PluralRules {
		#r; #type;
		constructor(locales = undefined, options = undefined) {
			locale(locales);
			const o = Object(options ?? {});
			this.#type = pick(o, 'type', ['cardinal', 'ordinal'], 'cardinal');
			this.#r = read(o, 'decimal');
		}
		select(x) {
			const n = Number(x), shown = format(abs(n), { ...this.#r, useGrouping: false });
			if (this.#type === 'cardinal') return shown === '1' ? 'one' : 'other';
			const last = n % 10, teens = n % 100;
			return last === 1 && teens !== 11 ? 'one' : last === 2 && teens !== 12 ? 'two' : last === 3 && teens !== 13 ? 'few' : 'other';
		}
		resolvedOptions() {
			return { locale: 'en-US', type: this.#type, minimumIntegerDigits: 1, minimumFractionDigits: 0, maximumFractionDigits: 3, pluralCategories: this.#type === 'cardinal' ? ['one', 'other'] : ['few', 'one', 'two', 'other'] };
		}
	}
	tag(PluralRules, 'Intl.PluralRules');
	return { NumberFormat, PluralRules };
})
