// SuppressedError, DisposableStack, AsyncDisposableStack.
(function ({ global, tag }) {
	const { dispose, asyncDispose } = Symbol, { defineProperty } = Object, { apply } = Reflect, E = Error;
	const { push: append, pop: last } = Array.prototype;
	class SuppressedError extends E {
		constructor(error, suppressed, message = undefined) {
			super(message);
			if (message === undefined) delete this.message;
			defineProperty(this, 'error', { value: error, writable: true, configurable: true });
			defineProperty(this, 'suppressed', { value: suppressed, writable: true, configurable: true });
		}
	}
	for (const [name, value] of [['name', 'SuppressedError'], ['message', '']]) defineProperty(SuppressedError.prototype, name, { value, writable: true, configurable: true });
	defineProperty(SuppressedError, 'length', { value: 3, configurable: true });
	global('SuppressedError', SuppressedError);

	const method = (value, ...symbols) => {
		if (typeof value !== 'object' && typeof value !== 'function') throw new TypeError(`${String(value)} is not an object`);
		for (const symbol of symbols) {
			const f = value[symbol];
			if (f === undefined || f === null) continue;
			if (typeof f !== 'function') throw new TypeError(`${String(f)} is not a function`);
			return f;
		}
		throw new TypeError('the value is not disposable');
	};
	const callback = (f) => { if (typeof f !== 'function') throw new TypeError(`${String(f)} is not a function`); };
	const both = (failed, e, earlier) => failed ? new SuppressedError(e, earlier, 'An error was suppressed during disposal') : e;
	class Stack {
		#steps = [];
		#disposed = false;
		get disposed() { return this.#disposed; }
		adopt(value, onDispose) {
			callback(onDispose);
			this._add(() => onDispose(value));
			return value;
		}
		defer(onDispose) {
			callback(onDispose);
			this._add(() => onDispose());
		}
		move() {
			this._check();
			const moved = new this._class();
			moved.#steps = this._take();
			return moved;
		}
		_add(step) { this._check(); apply(append, this.#steps, [step]); }
		_check() { if (this.#disposed) throw new ReferenceError(`${this._name} already disposed`); }
		_take() {
			const steps = this.#steps;
			this.#steps = [];
			this.#disposed = true;
			return steps;
		}
	}
	// Two classes with the members of Stack, which is none that a script sees.
	const made = (C, dispose, symbol) => {
		for (const name of ['disposed', 'adopt', 'defer', 'move', '_add', '_check', '_take']) defineProperty(C.prototype, name, { ...Object.getOwnPropertyDescriptor(Stack.prototype, name), enumerable: false });
		defineProperty(C.prototype, '_class', { value: C });
		defineProperty(C.prototype, '_name', { value: C.name });
		defineProperty(C.prototype, symbol, { value: C.prototype[dispose], writable: true, configurable: true });
		tag(C, C.name);
		global(C.name, C);
	};
	const DisposableStack = class DisposableStack {
		constructor() { return Reflect.construct(Stack, [], new.target); }
		use(value) {
			this._check();
			if (value === null || value === undefined) return value;
			const f = method(value, dispose);
			this._add(() => { apply(f, value, []); });
			return value;
		}
		dispose() {
			if (this.disposed) return;
			const steps = this._take();
			let failed = false, error;
			for (let step; (step = apply(last, steps, []));) {
				try { step(); } catch (e) { error = both(failed, e, error); failed = true; }
			}
			if (failed) throw error;
		}
	};
	const AsyncDisposableStack = class AsyncDisposableStack {
		constructor() { return Reflect.construct(Stack, [], new.target); }
		use(value) {
			this._check();
			if (value === null || value === undefined) this._add(() => undefined);
			else {
				const f = method(value, asyncDispose, dispose);
				this._add(() => apply(f, value, []));
			}
			return value;
		}
		async disposeAsync() {
			if (this.disposed) return;
			const steps = this._take();
			let failed = false, error;
			for (let step; (step = apply(last, steps, []));) {
				try { await step(); } catch (e) { error = both(failed, e, error); failed = true; }
			}
			if (failed) throw error;
		}
	};
	made(DisposableStack, 'dispose', dispose);
	made(AsyncDisposableStack, 'disposeAsync', asyncDispose);
})
