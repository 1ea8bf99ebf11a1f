// DOMException.
(function ({ platform, global }) {
	const codes = { IndexSizeError: 1, HierarchyRequestError: 3, InvalidCharacterError: 5, NotFoundError: 8, NotSupportedError: 9, InvalidStateError: 11, SyntaxError: 12, TypeMismatchError: 17, AbortError: 20, URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23, DataCloneError: 25 };
	class DOMException extends Error {
		#name;
		constructor(message = '', options = 'Error') {
			super(message);
			const hasOptions = typeof options === 'object' && options !== null;
			this.#name = `${hasOptions ? options.name ?? 'Error' : options}`;
			if (hasOptions && 'cause' in options) Object.defineProperty(this, 'cause', { value: options.cause, writable: true, configurable: true });
			const at = this.stack.indexOf('\n');
			Object.defineProperty(this, 'stack', { value: `${this.#name}: ${message}` + (at < 0 ? '' : this.stack.slice(at)), writable: true, configurable: true });
		}
		get name() { return this.#name; }
		get code() { return codes[this.#name] ?? 0; }
	}
	global('DOMException', platform(DOMException));
	return DOMException;
})
