// JSON.rawJSON, JSON.isRawJSON, and a JSON.stringify that writes such texts as
// they are: a string of its own stands for each until the rest is written.
(function ({ extend, replace }) {
	const { parse, stringify } = JSON, { apply } = Reflect, { freeze, create, defineProperty } = Object;
	const known = new WeakSet(), has = WeakSet.prototype.has, add = WeakSet.prototype.add, { replaceAll } = String.prototype, { isArray } = Array;
	const isRaw = (v) => typeof v === 'object' && v !== null && apply(has, known, [v]);
	extend(JSON, {
		rawJSON(value) {
			const text = `${value}`;
			if (text === '' || /^[\t\n\r ]|[\t\n\r ]$/.test(text)) throw new SyntaxError('Invalid value for JSON.rawJSON');
			const parsed = parse(text);
			if (typeof parsed === 'object' && parsed !== null) throw new SyntaxError('Invalid value for JSON.rawJSON');
			const raw = create(null);
			defineProperty(raw, 'rawJSON', { value: text, enumerable: true });
			apply(add, known, [raw]);
			return freeze(raw);
		},
		isRawJSON(value) { return isRaw(value); },
	});
	replace(JSON, {
		stringify(value, replacer = undefined, space = undefined) {
			const texts = [], mark = `\ue000${Math.random()}:`;
			const f = typeof replacer === 'function' ? replacer : undefined;
			const names = isArray(replacer) ? new Set(replacer.map((name) => typeof name === 'object' || typeof name === 'number' ? `${name}` : name)) : undefined;
			let root = true;
			const json = apply(stringify, JSON, [value, function (key, v) {
				if (names && !root && !isArray(this) && !names.has(key)) return undefined;
				root = false;
				if (f) v = apply(f, this, [key, v]);
				if (!isRaw(v)) return v;
				texts[texts.length] = v.rawJSON;
				return `${mark}${texts.length - 1}:`;
			}, space]);
			if (texts.length === 0) return json;
			let out = json;
			for (let i = 0; i < texts.length; i++) out = apply(replaceAll, out, [`"${mark}${i}:"`, () => texts[i]]);
			return out;
		},
	});
	defineProperty(JSON.stringify, 'length', { value: 3, configurable: true });
})
