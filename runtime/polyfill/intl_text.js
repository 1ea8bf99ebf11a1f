// Intl.Collator, ListFormat, RelativeTimeFormat and Segmenter for en-US. How
// strings compare and where they break is the host's to say.
(function ({ tag, collate, segments, options: { pick, locale }, NumberFormat, PluralRules }) {
	const { iterator } = Symbol, { abs } = Math;
	class Collator {
		#r; #compare;
		constructor(locales = undefined, options = undefined) {
			const tags = locale(locales), o = Object(options ?? {});
			const numeric = o.numeric ?? /-u(?:-\w+)*-kn(?!-false)/.test(tags[0] ?? '');
			this.#r = {
				locale: 'en-US', usage: pick(o, 'usage', ['sort', 'search'], 'sort'), sensitivity: pick(o, 'sensitivity', ['base', 'accent', 'case', 'variant'], 'variant'),
				ignorePunctuation: Boolean(o.ignorePunctuation), collation: 'default', numeric: Boolean(numeric), caseFirst: pick(o, 'caseFirst', ['upper', 'lower', 'false'], 'false'),
			};
		}
		get compare() {
			const { sensitivity, numeric, caseFirst, ignorePunctuation } = this.#r;
			return this.#compare ??= (x, y) => collate(`${x}`, `${y}`, sensitivity, numeric, caseFirst, ignorePunctuation);
		}
		resolvedOptions() { return { ...this.#r }; }
	}
	tag(Collator, 'Intl.Collator');

	class ListFormat {
		#r;
		constructor(locales = undefined, options = undefined) {
			locale(locales);
			const o = Object(options ?? {});
			this.#r = { locale: 'en-US', type: pick(o, 'type', ['conjunction', 'disjunction', 'unit'], 'conjunction'), style: pick(o, 'style', ['long', 'short', 'narrow'], 'long') };
		}
		#parts(list) {
			const items = [];
			for (const item of list) {
				if (typeof item !== 'string') throw new TypeError('Iterable yielded a non-String value');
				items.push(item);
			}
			const { type, style } = this.#r, comma = type === 'unit' && style === 'narrow' ? ' ' : ', ';
			const word = type === 'disjunction' ? 'or ' : type === 'unit' ? '' : style === 'long' ? 'and ' : style === 'short' ? '& ' : '';
			return items.flatMap((value, i) => {
				const element = { type: 'element', value };
				if (i === 0) return [element];
				const last = i === items.length - 1, pair = items.length === 2;
				const between = !last ? comma : pair && word ? ` ${word}` : comma + word;
				return [{ type: 'literal', value: between }, element];
			});
		}
		format(list) { return this.#parts(list).map((p) => p.value).join(''); }
		formatToParts(list) { return this.#parts(list); }
		resolvedOptions() { return { ...this.#r }; }
	}
	tag(ListFormat, 'Intl.ListFormat');

	const words = { '-1': { day: 'yesterday', year: 'last year', quarter: 'last quarter', month: 'last month', week: 'last week' }, 0: { day: 'today', year: 'this year', quarter: 'this quarter', month: 'this month', week: 'this week', hour: 'this hour', minute: 'this minute', second: 'now' }, 1: { day: 'tomorrow', year: 'next year', quarter: 'next quarter', month: 'next month', week: 'next week' } };
	const short = { second: 'sec.', minute: 'min.', hour: 'hr.', week: 'wk.', month: 'mo.', year: 'yr.', quarter: 'qtr.', day: 'day' };
	const narrow = { second: 's', minute: 'min', hour: 'h', day: 'd', week: 'w', month: 'mo', quarter: 'q', year: 'y' };
	class RelativeTimeFormat {
		#r; #number = new NumberFormat(); #plural = new PluralRules();
		constructor(locales = undefined, options = undefined) {
			locale(locales);
			const o = Object(options ?? {});
			this.#r = { locale: 'en-US', style: pick(o, 'style', ['long', 'short', 'narrow'], 'long'), numeric: pick(o, 'numeric', ['always', 'auto'], 'always'), numberingSystem: 'latn' };
		}
		format(value, unit) {
			const n = Number(value), u = `${unit}`.replace(/s$/, '');
			if (!Object.hasOwn(narrow, u)) throw new RangeError(`Invalid unit argument for format() '${unit}'`);
			if (!(abs(n) < Infinity)) throw new RangeError('Invalid time value');
			if (this.#r.numeric === 'auto' && words[n]?.[u]) return words[n][u].replace(this.#r.style === 'long' ? '' : u, this.#r.style === 'long' ? '' : short[u]);
			const amount = this.#number.format(abs(n)), many = this.#plural.select(abs(n)) !== 'one';
			let label = ` ${u}${many ? 's' : ''}`;
			if (this.#r.style === 'short') label = ` ${short[u]}`.replace(/day$|qtr\.$/, (s) => many ? s.replace(/\.?$/, (dot) => `s${dot}`) : s);
			if (this.#r.style === 'narrow') label = narrow[u];
			return n < 0 || Object.is(n, -0) ? `${amount}${label} ago` : `in ${amount}${label}`;
		}
		formatToParts(value, unit) {
			const text = this.format(value, unit), amount = this.#number.format(abs(Number(value))), at = text.search(/\d/);
			if (at < 0) return [{ type: 'literal', value: text }];
			const parts = this.#number.formatToParts(abs(Number(value))).map((part) => ({ ...part, unit: `${unit}`.replace(/s$/, '') }));
			const literal = (value) => value ? [{ type: 'literal', value }] : [];
			return [...literal(text.slice(0, at)), ...parts, ...literal(text.slice(at + amount.length))];
		}
		resolvedOptions() { return { ...this.#r }; }
	}
	tag(RelativeTimeFormat, 'Intl.RelativeTimeFormat');

	class Segments {
		#list; #input;
		constructor(input, granularity) {
			this.#input = input;
			this.#list = segments(input, granularity).map(([segment, index, isWordLike]) => granularity === 'word' ? { segment, index, input, isWordLike } : { segment, index, input });
		}
		containing(at = 0) { return this.#list.find((s) => at >= s.index && at < s.index + s.segment.length); }
		[iterator]() { return this.#list.map((s) => ({ ...s }))[iterator](); }
	}
	class Segmenter {
		#r;
		constructor(locales = undefined, options = undefined) {
			locale(locales);
			this.#r = { locale: 'en-US', granularity: pick(Object(options ?? {}), 'granularity', ['grapheme', 'word', 'sentence'], 'grapheme') };
		}
		segment(input) { return new Segments(`${input}`, this.#r.granularity); }
		resolvedOptions() { return { ...this.#r }; }
	}
	tag(Segmenter, 'Intl.Segmenter');
	return { Collator, ListFormat, RelativeTimeFormat, Segmenter };
})
