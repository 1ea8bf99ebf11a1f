// Intl.DateTimeFormat for en-US, and for what scripts use other locales for: dates
// as numbers in the order of ISO 8601 (en-CA, sv-SE) or with the day first (en-GB).
// Time zones are the host's: zone(ms, name) gives
// the offset in minutes and the abbreviation, or undefined for an unknown name.
(function ({ tag, zone, localZone, options: { pick, digit, locale } }) {
	const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
	const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
	const { floor, abs, trunc } = Math, D = Date;
	const width = ['numeric', '2-digit'], name = ['narrow', 'short', 'long'];
	const dateFields = ['weekday', 'year', 'month', 'day'], timeFields = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits'];
	const styles = {
		date: { full: { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' }, long: { month: 'long', day: 'numeric', year: 'numeric' }, medium: { month: 'short', day: 'numeric', year: 'numeric' }, short: { month: 'numeric', day: 'numeric', year: '2-digit' } },
		time: { full: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'long' }, long: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' }, medium: { hour: 'numeric', minute: '2-digit', second: '2-digit' }, short: { hour: 'numeric', minute: '2-digit' } },
	};
	const longZones = { UTC: 'Coordinated Universal Time', GMT: 'Greenwich Mean Time', EST: 'Eastern Standard Time', EDT: 'Eastern Daylight Time', CST: 'Central Standard Time', CDT: 'Central Daylight Time', MST: 'Mountain Standard Time', MDT: 'Mountain Daylight Time', PST: 'Pacific Standard Time', PDT: 'Pacific Daylight Time' };
	const otherZones = [
		[/^Europe\/|^Africa\//, { CET: 'Central European Standard Time', CEST: 'Central European Summer Time', EET: 'Eastern European Standard Time', EEST: 'Eastern European Summer Time', WET: 'Western European Standard Time', WEST: 'Western European Summer Time', GMT: 'Greenwich Mean Time', BST: 'British Summer Time', MSK: 'Moscow Standard Time', SAST: 'South Africa Standard Time' }],
		[/^Asia\//, { IST: 'India Standard Time', JST: 'Japan Standard Time', KST: 'Korean Standard Time', CST: 'China Standard Time', HKT: 'Hong Kong Standard Time' }],
		[/^Australia\//, { AEST: 'Australian Eastern Standard Time', AEDT: 'Australian Eastern Daylight Time', ACST: 'Australian Central Standard Time', ACDT: 'Australian Central Daylight Time', AWST: 'Australian Western Standard Time' }],
		[/^Pacific\//, { NZST: 'New Zealand Standard Time', NZDT: 'New Zealand Daylight Time' }],
	];
	const variants = {
		'en-CA': { order: ['year', 'month', 'day'], separator: '-', day: ['a.m.', 'p.m.'] },
		'sv-SE': { order: ['year', 'month', 'day'], separator: '-', hours: 'h23', between: ' ' },
		'en-GB': { order: ['day', 'month', 'year'], separator: '/', hours: 'h23', dayFirst: true },
	};
	variants.sv = variants['sv-SE'];
	const american = /^(?:America|US|Canada|Pacific\/Honolulu)/;

	// What is needed says which fields a format has when none is asked for.
	const read = (o, required, defaults, variant) => {
		const r = { locale: variant ?? 'en-US', calendar: 'gregory', numberingSystem: 'latn' };
		r.timeZone = o.timeZone === undefined ? localZone() : canonical(String(o.timeZone));
		const f = {
			weekday: pick(o, 'weekday', name), era: pick(o, 'era', name), year: pick(o, 'year', width), month: pick(o, 'month', [...width, ...name]), day: pick(o, 'day', width),
			dayPeriod: pick(o, 'dayPeriod', name), hour: pick(o, 'hour', width), minute: pick(o, 'minute', width), second: pick(o, 'second', width),
			fractionalSecondDigits: digit(o, 'fractionalSecondDigits', 1, 3, undefined), timeZoneName: pick(o, 'timeZoneName', ['short', 'long', 'shortOffset', 'longOffset', 'shortGeneric', 'longGeneric']),
		};
		const dateStyle = pick(o, 'dateStyle', ['full', 'long', 'medium', 'short']), timeStyle = pick(o, 'timeStyle', ['full', 'long', 'medium', 'short']);
		if (dateStyle || timeStyle) {
			for (const k of Object.keys(f)) if (f[k] !== undefined) throw new TypeError(`Can't set option ${k} when ${dateStyle ? 'dateStyle' : 'timeStyle'} is used`);
			if (required === 'date' && timeStyle || required === 'time' && dateStyle) throw new TypeError(`Invalid option : ${timeStyle ? 'timeStyle' : 'dateStyle'}`);
			Object.assign(f, styles.date[dateStyle], styles.time[timeStyle]);
			if (dateStyle) r.dateStyle = dateStyle;
			if (timeStyle) r.timeStyle = timeStyle;
		} else {
			const has = (fields) => fields.some((k) => f[k] !== undefined);
			if (!(required !== 'time' && has(dateFields) || required !== 'date' && has(timeFields))) {
				if (defaults !== 'time') f.year = f.month = f.day = 'numeric';
				if (defaults !== 'date') f.hour = f.minute = f.second = 'numeric';
			}
		}
		const v = variants[variant];
		if (v && f.year && f.month && f.day && !f.weekday && width.includes(f.month)) {
			if (r.dateStyle) f.year = 'numeric';
			f.month = f.day = '2-digit';
		}
		if (f.hour) {
			const cycle = pick(o, 'hourCycle', ['h11', 'h12', 'h23', 'h24']);
			r.hourCycle = o.hour12 !== undefined ? o.hour12 ? 'h12' : 'h23' : cycle ?? v?.hours ?? 'h12';
			if (o.hour12 !== undefined && !o.hour12 && !v) r.hourCycle = 'h24';
			r.hour12 = r.hourCycle === 'h12' || r.hourCycle === 'h11';
			if (f.minute) f.minute = '2-digit';
			if (!r.hour12 && f.hour) f.hour = '2-digit';
		}
		if (f.minute && f.second) f.minute = f.second = '2-digit';
		for (const k of Object.keys(f)) if (f[k] === undefined) delete f[k];
		return { r, f };
	};
	const canonical = (text) => {
		const found = zone(0, text);
		if (!found) throw new RangeError(`Invalid time zone specified: ${text}`);
		return found[2];
	};

	const two = (n) => String(n).padStart(2, '0');
	const offset = (minutes, long) => {
		if (minutes === 0) return 'GMT';
		const sign = minutes < 0 ? '-' : '+', h = trunc(abs(minutes) / 60), m = abs(minutes) % 60;
		return long ? `GMT${sign}${two(h)}:${two(m)}` : `GMT${sign}${h}${m ? ':' + two(m) : ''}`;
	};
	const zoneName = (style, minutes, abbreviation, timeZone) => {
		const known = timeZone === 'UTC' || american.test(timeZone) && /^[A-Z]{3}$/.test(abbreviation);
		if (style === 'shortOffset') return offset(minutes, false);
		if (style === 'longOffset') return offset(minutes, true);
		if (style === 'short' || style === 'shortGeneric') return known ? abbreviation : offset(minutes, false);
		if (known) return longZones[abbreviation] ?? abbreviation;
		return otherZones.find(([region]) => region.test(timeZone))?.[1][abbreviation] ?? offset(minutes, true);
	};

	const parts = (time, { r, f }) => {
		const t = time === undefined ? D.now() : Number(time);
		if (!(abs(t) <= 8.64e15)) throw new RangeError('Invalid time value');
		const [minutes, abbreviation] = zone(t, r.timeZone), d = new D(floor(t) + minutes * 60000);
		const year = d.getUTCFullYear(), month = d.getUTCMonth(), hour = d.getUTCHours();
		const shownYear = year <= 0 ? 1 - year : year;
		const value = {
			weekday: f.weekday && named(days[d.getUTCDay()], f.weekday), year: f.year && (f.year === '2-digit' ? two(abs(shownYear) % 100) : String(shownYear)),
			month: f.month && (f.month === 'numeric' ? String(month + 1) : f.month === '2-digit' ? two(month + 1) : named(months[month], f.month)),
			day: f.day && (f.day === '2-digit' ? two(d.getUTCDate()) : String(d.getUTCDate())), minute: f.minute && (f.minute === '2-digit' ? two(d.getUTCMinutes()) : String(d.getUTCMinutes())),
			second: f.second && (f.second === '2-digit' ? two(d.getUTCSeconds()) : String(d.getUTCSeconds())),
		};
		const v = variants[r.locale], date = dateParts(value, f, v), clock = timeParts(value, f, r, hour, d.getUTCMilliseconds());
		if (f.era) date.push(['literal', ' '], ['era', { short: year > 0 ? 'AD' : 'BC', long: year > 0 ? 'Anno Domini' : 'Before Christ', narrow: year > 0 ? 'A' : 'B' }[f.era]]);
		if (f.timeZoneName) {
			if (clock.length || date.length) (clock.length ? clock : date).push(['literal', clock.length ? ' ' : ', ']);
			(clock.length ? clock : date).push(['timeZoneName', zoneName(f.timeZoneName, minutes, abbreviation, r.timeZone)]);
		}
		if (!date.length || !clock.length) return [...date, ...clock];
		const between = v?.between ? v.between : f.month === 'long' ? ' at ' : date.length === 1 && f.weekday ? ' ' : ', ';
		return [...date, ['literal', between], ...clock];
	};
	const named = (word, style) => style === 'long' ? word : style === 'short' ? word.slice(0, 3) : word[0];
	const dateParts = (v, f, variant) => {
		const out = [], add = (type, before) => {
			if (v[type] === undefined) return;
			if (out.length) out.push(['literal', before]);
			out.push([type, v[type]]);
		};
		if (variant && f.year && f.month && f.day && !f.weekday && !name.includes(f.month)) {
			for (const field of variant.order) add(field, variant.separator);
		} else if (variant?.dayFirst && f.day) {
			add('weekday', '');
			add('day', ', ');
			add('month', f.month && name.includes(f.month) ? ' ' : '/');
			add('year', name.includes(f.month) ? ' ' : '/');
		} else if (name.includes(f.month)) {
			add('weekday', '');
			add('month', ', ');
			add('day', ' ');
			add('year', f.day ? ', ' : ' ');
		} else if (f.weekday && f.day && !f.month && !f.year) {
			add('day', '');
			add('weekday', ' ');
		} else {
			add('weekday', '');
			add('month', ', ');
			add('day', f.month ? '/' : ' ');
			add('year', f.month || f.day ? '/' : ' ');
		}
		return out;
	};
	const timeParts = (v, f, r, hour, ms) => {
		const out = [];
		if (f.hour) {
			const h = { h12: hour % 12 || 12, h11: hour % 12, h23: hour, h24: hour || 24 }[r.hourCycle];
			out.push(['hour', f.hour === '2-digit' ? two(h) : String(h)]);
		}
		for (const k of ['minute', 'second']) {
			if (v[k] === undefined) continue;
			if (out.length) out.push(['literal', ':']);
			out.push([k, v[k]]);
		}
		if (f.fractionalSecondDigits) {
			if (out.length) out.push(['literal', '.']);
			out.push(['fractionalSecond', String(ms).padStart(3, '0').slice(0, f.fractionalSecondDigits)]);
		}
		if (f.hour && r.hour12) out.push(['literal', ' '], ['dayPeriod', (variants[r.locale]?.day ?? ['AM', 'PM'])[hour < 12 ? 0 : 1]]);
		return out;
	};
	// A range says once what both ends share: the date of two times, the month or
	// the year of two dates.
	const range = (x, y, f) => {
		const of = (list, type) => list.find((p) => p[0] === type)?.[1], same = (...types) => types.every((type) => of(x, type) === of(y, type));
		const split = (list) => list.findIndex((p) => timeFields.includes(p[0]));
		if (text(x) === text(y)) return text(x);
		const dash = '\u2009–\u2009', at = split(x), clock = at >= 0;
		if (clock && same(...dateFields) && !f.timeZoneName) {
			const from = same('dayPeriod') ? x.filter((p, i) => p[0] !== 'dayPeriod' && x[i + 1]?.[0] !== 'dayPeriod') : x;
			return `${text(from)}${dash}${text(y.slice(split(y)))}`;
		}
		if (!clock && name.includes(f.month) && f.day && !f.weekday && !f.era && x[0][0] === 'month' && same('year')) {
			const end = f.year ? `, ${of(y, 'year')}` : '';
			return `${of(x, 'month')} ${of(x, 'day')}${dash}${same('month') ? '' : `${of(y, 'month')} `}${of(y, 'day')}${end}`;
		}
		return `${text(x)}${dash}${text(y)}`;
	};
	const text = (list) => list.map((p) => p[1]).join('');

	class DateTimeFormat {
		#o; #format;
		constructor(locales = undefined, options = undefined, required = 'any', defaults = 'date') {
			const [asked] = locale(locales);
			this.#o = read(Object(options ?? {}), required, defaults, Object.hasOwn(variants, asked ?? '') ? asked : undefined);
		}
		get format() { return this.#format ??= (time) => text(parts(time, this.#o)); }
		formatToParts(time) { return parts(time, this.#o).map(([type, value]) => ({ type, value })); }
		formatRange(a, b) {
			return range(parts(a, this.#o), parts(b, this.#o), this.#o.f);
		}
		resolvedOptions() {
			const { r, f } = this.#o;
			return r.dateStyle || r.timeStyle ? { ...r } : { ...r, ...f };
		}
	}
	Object.defineProperty(DateTimeFormat, 'length', { value: 0, configurable: true });
	tag(DateTimeFormat, 'Intl.DateTimeFormat');
	return { DateTimeFormat };
})
