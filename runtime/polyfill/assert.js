// require('assert').
(function ({ inspect, deepEqual }) {
	class AssertionError extends Error {
		constructor({ message, actual, expected, operator }) {
			super(message);
			this.name = 'AssertionError';
			this.code = 'ERR_ASSERTION';
			this.generatedMessage = false;
			this.actual = actual;
			this.expected = expected;
			this.operator = operator;
		}
	}
	const check = (ok, message, usual, actual, expected, operator) => {
		if (ok) return;
		if (message instanceof Error) throw message;
		throw new AssertionError({ message: message ?? usual(), actual, expected, operator });
	};
	const binary = (name, test, words) => ({ [name](a, b, message = undefined) { check(test(a, b), message, () => `${words}\n\n${inspect(a)}\n\nand\n\n${inspect(b)}`, a, b, name); } })[name];
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
		throw error;
	};
	const assert = function ok(value, message = undefined) {
		check(value, message, () => arguments.length ? `The expression evaluated to a falsy value: ${inspect(value)}` : 'No value argument passed to `assert.ok()`', value, true, '==');
	};
	const deep = (a, b) => deepEqual(a, b, false), strictly = (a, b) => deepEqual(a, b, true);
	Object.assign(assert, {
		ok: assert, AssertionError,
		equal: binary('equal', (a, b) => a == b || a !== a && b !== b, 'Expected values to be loosely equal:'),
		notEqual: binary('notEqual', (a, b) => a != b, 'Expected values not to be loosely equal:'),
		strictEqual: binary('strictEqual', Object.is, 'Expected values to be strictly equal:'),
		notStrictEqual: binary('notStrictEqual', (a, b) => !Object.is(a, b), 'Expected values not to be strictly equal:'),
		deepEqual: binary('deepEqual', deep, 'Expected values to be loosely deep-equal:'),
		notDeepEqual: binary('notDeepEqual', (a, b) => !deep(a, b), 'Expected values not to be loosely deep-equal:'),
		deepStrictEqual: binary('deepStrictEqual', strictly, 'Expected values to be strictly deep-equal:'),
		notDeepStrictEqual: binary('notDeepStrictEqual', (a, b) => !strictly(a, b), 'Expected values not to be strictly deep-equal:'),
		match(text, re, message = undefined) { check(re.test(text), message, () => `The input did not match the regular expression ${inspect(re)}. Input:\n\n${inspect(text)}\n`, text, re, 'match'); },
		doesNotMatch(text, re, message = undefined) { check(!re.test(text), message, () => `The input was expected to not match the regular expression ${inspect(re)}. Input:\n\n${inspect(text)}\n`, text, re, 'doesNotMatch'); },
		fail(message = 'Failed') { check(false, message, () => 'Failed', undefined, undefined, 'fail'); },
		ifError(value) { if (value !== null && value !== undefined) throw value instanceof Error ? value : new AssertionError({ message: `ifError got unwanted exception: ${inspect(value)}`, actual: value, expected: null, operator: 'ifError' }); },
		throws(f, expected = undefined, message = undefined) {
			let error, any = false;
			try { f(); } catch (e) { error = e; any = true; }
			check(any, typeof expected === 'string' ? expected : message, () => 'Missing expected exception.', undefined, expected, 'throws');
			thrown(error, expected, message);
		},
		doesNotThrow(f) { f(); },
		async rejects(p, expected = undefined, message = undefined) {
			let error, any = false;
			try { await (typeof p === 'function' ? p() : p); } catch (e) { error = e; any = true; }
			check(any, typeof expected === 'string' ? expected : message, () => 'Missing expected rejection.', undefined, expected, 'rejects');
			thrown(error, expected, message);
		},
		async doesNotReject(p) { await (typeof p === 'function' ? p() : p); },
	});
	assert.strict = Object.assign(function strict(...args) { assert(...args); }, assert, { equal: assert.strictEqual, notEqual: assert.notStrictEqual, deepEqual: assert.deepStrictEqual, notDeepEqual: assert.notDeepStrictEqual });
	assert.strict.strict = assert.strict;
	return assert;
})
