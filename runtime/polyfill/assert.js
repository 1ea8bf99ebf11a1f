// require('assert').
(function ({ inspect, deepEqual }) {
	class AssertionError extends Error {
		constructor({ message, actual, expected, operator, generated = message === undefined }) {
			super(message ?? `${inspect(actual)} ${operator} ${inspect(expected)}`);
			this.name = 'AssertionError';
			this.code = 'ERR_ASSERTION';
			this.generatedMessage = generated;
			this.actual = actual;
			this.expected = expected;
			this.operator = operator;
		}
	}
	const check = (ok, message, usual, actual, expected, operator) => {
		if (ok) return;
		if (message instanceof Error) throw message;
		throw new AssertionError({ message: message ?? usual(), actual, expected, operator, generated: message === undefined });
	};
	const flat = (v) => typeof v !== 'object' && typeof v !== 'function' || v === null;
	// Two values of one line stand on one line, as Node shows them.
	const both = (name, words, a, b) => {
		const [x, y] = [inspect(a), inspect(b)];
		if ((name === 'equal' || name === 'notEqual') && flat(a) && flat(b)) return `${x} ${name === 'equal' ? '==' : '!='} ${y}`;
		if (name === 'strictEqual' && flat(a) && flat(b) && x.length + y.length < 60) return `${words}\n\n${x} !== ${y}\n`;
		if (name.startsWith('not')) return `${words}${x.length > 60 ? '\n\n' : ' '}${x}${x.length > 60 ? '\n' : ''}`;
		return `${words}\n\n${x}\n\nand\n\n${y}`;
	};
	const binary = (name, test, words) => ({ [name](a, b, message = undefined) { check(test(a, b), message, () => both(name, words, a, b), a, b, name); } })[name];
	const matches = (error, expected) => {
		if (expected === undefined) return true;
		if (expected instanceof RegExp) return expected.test(String(error));
		if (typeof expected === 'function') return expected.prototype !== undefined && error instanceof expected || !Error.isPrototypeOf(expected) && expected.call({}, error) === true;
		return Object.keys(expected).every((k) => expected[k] instanceof RegExp && typeof error[k] === 'string' ? expected[k].test(error[k]) : deepEqual(error[k], expected[k], true));
	};
	const thrown = (error, expected, message) => {
		if (typeof expected === 'string') [expected, message] = [undefined, expected];
		if (matches(error, expected)) return;
		if (typeof expected === 'object' && !(expected instanceof RegExp)) check(false, message, () => `The error does not match\n\n${inspect(error)}\n\nand\n\n${inspect(expected)}`, error, expected, 'throws');
		if (expected instanceof RegExp) check(false, message, () => `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(String(error))}\n`, error, expected, 'throws');
		if (typeof expected === 'function' && (expected === Error || Error.isPrototypeOf(expected))) {
			check(false, message, () => `The error is expected to be an instance of "${expected.name}". Received "${error?.constructor?.name ?? inspect(error)}"${error instanceof Error ? `\n\nError message:\n\n${error.message}` : ''}`, error, expected, 'throws');
		}
		throw error;
	};
	const assert = function ok(value, message = undefined) {
		const given = arguments.length > 0;
		check(value, message, () => given ? `The expression evaluated to a falsy value: ${inspect(value)}` : 'No value argument passed to `assert.ok()`', value, true, '==');
	};
	const unwanted = (e, what, operator, rest) => {
		const message = rest.find((r) => typeof r === 'string');
		throw new AssertionError({ message: `Got unwanted ${what}${message ? `: ${message}` : '.'}\nActual message: "${e?.message}"`, actual: e, expected: rest[0], operator });
	};
	const partly = (a, b) => {
		if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
		if (b instanceof Set) return a instanceof Set && [...b].every((x) => [...a].some((y) => partly(y, x)));
		if (b instanceof Map) return a instanceof Map && [...b].every(([k, v]) => a.has(k) && partly(a.get(k), v));
		if (Array.isArray(b)) { let at = 0; return Array.isArray(a) && b.every((x) => { while (at < a.length) if (partly(a[at++], x)) return true; return false; }); }
		if (Object.getPrototypeOf(b) !== Object.prototype && Object.getPrototypeOf(b) !== null) return deepEqual(a, b, true);
		return Reflect.ownKeys(b).every((k) => Object.hasOwn(a, k) && partly(a[k], b[k]));
	};
	const deep = (a, b) => deepEqual(a, b, false), strictly = (a, b) => deepEqual(a, b, true);
	Object.assign(assert, {
		ok: assert, AssertionError,
		equal: binary('equal', (a, b) => a == b || a !== a && b !== b, 'Expected values to be loosely equal:'),
		notEqual: binary('notEqual', (a, b) => a != b, 'Expected values not to be loosely equal:'),
		strictEqual: binary('strictEqual', Object.is, 'Expected values to be strictly equal:'),
		notStrictEqual: binary('notStrictEqual', (a, b) => !Object.is(a, b), 'Expected "actual" to be strictly unequal to:'),
		deepEqual: binary('deepEqual', deep, 'Expected values to be loosely deep-equal:'),
		notDeepEqual: binary('notDeepEqual', (a, b) => !deep(a, b), 'Expected "actual" not to be loosely deep-equal to:'),
		deepStrictEqual: binary('deepStrictEqual', strictly, 'Expected values to be strictly deep-equal:'),
		notDeepStrictEqual: binary('notDeepStrictEqual', (a, b) => !strictly(a, b), 'Expected "actual" not to be strictly deep-equal to:'),
		match(text, re, message = undefined) { check(re.test(text), message, () => `The input did not match the regular expression ${inspect(re)}. Input:\n\n${inspect(text)}\n`, text, re, 'match'); },
		doesNotMatch(text, re, message = undefined) { check(!re.test(text), message, () => `The input was expected to not match the regular expression ${inspect(re)}. Input:\n\n${inspect(text)}\n`, text, re, 'doesNotMatch'); },
		fail(message = 'Failed') { check(false, message, () => 'Failed', undefined, undefined, 'fail'); },
		ifError(value) { if (value !== null && value !== undefined) throw new AssertionError({ message: `ifError got unwanted exception: ${value instanceof Error ? value.message || value.name : inspect(value)}`, actual: value, expected: null, operator: 'ifError', generated: false }); },
		throws(f, expected = undefined, message = undefined) {
			let error, any = false;
			try { f(); } catch (e) { error = e; any = true; }
			check(any, typeof expected === 'string' ? expected : message, () => 'Missing expected exception.', undefined, expected, 'throws');
			thrown(error, expected, message);
		},
		doesNotThrow(f, ...rest) {
			try { f(); } catch (e) { unwanted(e, 'exception', 'doesNotThrow', rest); }
		},
		async rejects(p, expected = undefined, message = undefined) {
			let error, any = false;
			try { await (typeof p === 'function' ? p() : p); } catch (e) { error = e; any = true; }
			check(any, typeof expected === 'string' ? expected : message, () => 'Missing expected rejection.', undefined, expected, 'rejects');
			thrown(error, expected, message);
		},
		async doesNotReject(p, ...rest) {
			try { await (typeof p === 'function' ? p() : p); } catch (e) { unwanted(e, 'rejection', 'doesNotReject', rest); }
		},
		partialDeepStrictEqual(a, b, message = undefined) { check(partly(a, b), message, () => `Expected values to be partially and strictly deep-equal:\n\n${inspect(a)}\n\nand\n\n${inspect(b)}`, a, b, 'partialDeepStrictEqual'); },
	});
	assert.strict = Object.assign(function strict(...args) { assert(...args); }, assert, { equal: assert.strictEqual, notEqual: assert.notStrictEqual, deepEqual: assert.deepStrictEqual, notDeepEqual: assert.notDeepStrictEqual });
	assert.strict.strict = assert.strict;
	return assert;
})
