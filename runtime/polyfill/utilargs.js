// util.parseArgs. Without args of its own it reads those of the script.
(function ({ scriptArgs }) {
	const own = (o, key) => (Object.hasOwn(o, key) ? o[key] : undefined);
	const ownOf = (options, name, key) => (Object.hasOwn(options, name) ? own(options[name], key) : undefined);
	const coded = (code, message) => Object.assign(new TypeError(message), { code });

	function received(v) {
		if (v == null) return ` Received ${v}`;
		if (typeof v === 'function') return ` Received function ${v.name}`;
		if (typeof v === 'object') return v.constructor?.name ? ` Received an instance of ${v.constructor.name}` : ` Received ${JSON.stringify(v)}`;
		const text = typeof v === 'string' ? `'${v.length > 28 ? `${v.slice(0, 25)}...` : v}'` : typeof v === 'bigint' ? `${v}n` : String(v);
		return ` Received type ${typeof v} (${text})`;
	}
	function mustBe(ok, value, name, what) {
		if (!ok) throw coded('ERR_INVALID_ARG_TYPE', `The "${name}" ${name.includes('.') ? 'property' : 'argument'} must be ${what}.${received(value)}`);
	}
	const check = {
		string: (v, name) => mustBe(typeof v === 'string', v, name, 'of type string'),
		boolean: (v, name) => mustBe(typeof v === 'boolean', v, name, 'of type boolean'),
		object: (v, name) => mustBe(typeof v === 'object' && v !== null && !Array.isArray(v), v, name, 'of type object'),
		array: (v, name) => mustBe(Array.isArray(v), v, name, 'an instance of Array'),
	};

	function checkOption(name, option) {
		check.object(option, name);
		const type = own(option, 'type');
		mustBe(type === 'string' || type === 'boolean', type, `${name}.type`, "('string|boolean')");
		if (Object.hasOwn(option, 'short')) {
			check.string(option.short, `${name}.short`);
			if (option.short.length !== 1) throw coded('ERR_INVALID_ARG_VALUE', `The property '${name}.short' must be a single character. Received '${option.short}'`);
		}
		if (Object.hasOwn(option, 'multiple')) check.boolean(option.multiple, `${name}.multiple`);
		const otherwise = own(option, 'default');
		if (otherwise === undefined) return;
		if (!own(option, 'multiple')) return check[type](otherwise, `${name}.default`);
		check.array(otherwise, `${name}.default`);
		otherwise.forEach((v, i) => check[type](v, `${name}.default[${i}]`));
	}

	// What stands on the command line, one token for each thing that is said.
	function tokensOf(args, options) {
		const longFor = (short) => Object.entries(options).find(([, o]) => own(o, 'short') === short)?.[0] ?? short;
		const takesValue = (name) => ownOf(options, name, 'type') === 'string';
		const tokens = [];
		const rest = [...args];
		let index = -1;
		let group = 0; // how many of the next are short options out of one argument
		while (rest.length > 0) {
			const arg = rest.shift();
			if (group > 0) group--;
			else index++;
			if (arg === '--') {
				tokens.push({ kind: 'option-terminator', index });
				for (const value of rest) tokens.push({ kind: 'positional', index: ++index, value });
				break;
			}
			const dashed = arg.length > 1 && arg[0] === '-';
			if (dashed && arg.length === 2 && arg[1] !== '-') {
				const name = longFor(arg[1]);
				const value = takesValue(name) && rest[0] != null ? rest.shift() : undefined;
				tokens.push({ kind: 'option', name, rawName: arg, index, value, inlineValue: value === undefined ? undefined : false });
				if (value !== undefined) index++;
			} else if (dashed && arg[1] !== '-' && !takesValue(longFor(arg[1]))) {
				const apart = [];
				for (let i = 1; i < arg.length; i++) {
					if (!takesValue(longFor(arg[i])) || i === arg.length - 1) {
						apart.push(`-${arg[i]}`);
						continue;
					}
					apart.push(`-${arg.slice(i)}`);
					break;
				}
				rest.unshift(...apart);
				group = apart.length;
			} else if (dashed && arg[1] !== '-') {
				tokens.push({ kind: 'option', name: longFor(arg[1]), rawName: `-${arg[1]}`, index, value: arg.slice(2), inlineValue: true });
			} else if (dashed && arg.length > 2) {
				const equals = arg.indexOf('=', 3);
				const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
				let value = equals < 0 ? undefined : arg.slice(equals + 1);
				const inline = value !== undefined;
				if (!inline && takesValue(name) && rest[0] != null) value = rest.shift();
				tokens.push({ kind: 'option', name, rawName: `--${name}`, index, value, inlineValue: value === undefined ? undefined : inline });
				if (!inline && value !== undefined) index++;
			} else {
				tokens.push({ kind: 'positional', index, value: arg });
			}
		}
		return tokens;
	}

	function checkUsage({ options, allowPositionals, allowNegative }, token) {
		let { name } = token;
		if (allowNegative && !Object.hasOwn(options, name) && name.startsWith('no-') && ownOf(options, name.slice(3), 'type') === 'boolean') name = name.slice(3);
		if (!Object.hasOwn(options, name)) {
			const advice = allowPositionals ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- ${JSON.stringify(token.rawName)}` : '';
			throw coded('ERR_PARSE_ARGS_UNKNOWN_OPTION', `Unknown option '${token.rawName}'${advice}`);
		}
		const short = ownOf(options, name, 'short');
		const shown = `${short ? `-${short}, ` : ''}--${name}`;
		const type = ownOf(options, name, 'type');
		const wrong = (message) => coded('ERR_PARSE_ARGS_INVALID_OPTION_VALUE', message);
		if (type === 'string' && typeof token.value !== 'string') throw wrong(`Option '${shown} <value>' argument missing`);
		if (type === 'boolean' && token.value != null) throw wrong(`Option '${shown}' does not take an argument`);
		if (token.inlineValue || token.value == null || token.value.length < 2 || token.value[0] !== '-') return;
		const example = token.rawName.startsWith('--') ? `'${token.rawName}=-XYZ'` : `'--${token.name}=-XYZ' or '${token.rawName}-XYZ'`;
		throw wrong(`Option '${token.rawName}' argument is ambiguous.\nDid you forget to specify the option argument for '${token.rawName}'?\nTo specify an option argument starting with a dash use ${example}.`);
	}

	function store({ name, value }, options, values, allowNegative) {
		if (name === '__proto__') return;
		if (allowNegative && name.startsWith('no-') && value === undefined) [name, value] = [name.slice(3), false];
		value ??= true;
		if (!ownOf(options, name, 'multiple')) values[name] = value;
		else if (values[name]) values[name].push(value);
		else values[name] = [value];
	}

	return function parseArgs(config = {}) {
		const args = own(config, 'args') ?? scriptArgs;
		const strict = own(config, 'strict') ?? true;
		const allowPositionals = own(config, 'allowPositionals') ?? !strict;
		const wanted = own(config, 'tokens') ?? false;
		const allowNegative = own(config, 'allowNegative') ?? false;
		const options = own(config, 'options') ?? { __proto__: null };
		check.array(args, 'args');
		for (const [name, value] of Object.entries({ strict, allowPositionals, tokens: wanted, allowNegative })) check.boolean(value, name);
		check.object(options, 'options');
		for (const [name, option] of Object.entries(options)) checkOption(`options.${name}`, option);
		const tokens = tokensOf(args, options);
		const result = { values: { __proto__: null }, positionals: [] };
		if (wanted) result.tokens = tokens;
		for (const token of tokens) {
			if (token.kind === 'option') {
				if (strict) checkUsage({ options, allowPositionals, allowNegative }, token);
				store(token, options, result.values, allowNegative);
			} else if (token.kind === 'positional') {
				if (!allowPositionals) throw coded('ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL', `Unexpected argument '${token.value}'. This command does not take positional arguments`);
				result.positionals.push(token.value);
			}
		}
		for (const [name, option] of Object.entries(options)) {
			const otherwise = own(option, 'default');
			if (otherwise !== undefined && result.values[name] === undefined && name !== '__proto__') result.values[name] = otherwise;
		}
		return result;
	};
})
