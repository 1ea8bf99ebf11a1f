// The parts of require('util') that are not native, and the small modules.
(function ({ kind, deepEqual, setTimer }) {
	const custom = Symbol.for('nodejs.util.promisify.custom');
	const is = (...kinds) => (v) => typeof v === 'object' && v !== null && kinds.includes(kind(v));
	const types = {
		isDate: is('Date'), isRegExp: is('RegExp'), isMap: is('Map'), isSet: is('Set'), isPromise: is('Promise'), isNativeError: is('Error'), isProxy: is('Proxy'),
		isTypedArray: is('typed array'), isArrayBuffer: is('ArrayBuffer'), isAnyArrayBuffer: is('ArrayBuffer'), isDataView: is('DataView'), isWeakMap: is('WeakMap'), isWeakSet: is('WeakSet'),
		isBoxedPrimitive: is('String', 'Number', 'Boolean', 'BigInt', 'Symbol'), isArgumentsObject: is('arguments'), isGeneratorObject: is('Generator'),
		isUint8Array: (v) => is('typed array')(v) && v instanceof Uint8Array,
		isAsyncFunction: (v) => typeof v === 'function' && Object.prototype.toString.call(v) === '[object AsyncFunction]',
		isGeneratorFunction: (v) => typeof v === 'function' && Object.prototype.toString.call(v) === '[object GeneratorFunction]',
	};
	const util = {
		promisify(f) {
			if (typeof f !== 'function') throw new TypeError('The "original" argument must be of type function');
			if (f[custom]) return f[custom];
			return Object.setPrototypeOf(function (...args) {
				return new Promise((resolve, reject) => { f.call(this, ...args, (error, value) => error ? reject(error) : resolve(value)); });
			}, Object.getPrototypeOf(f));
		},
		callbackify(f) {
			return function (...args) {
				const callback = args.pop();
				f.apply(this, args).then((value) => queueMicrotask(() => callback(null, value)), (error) => queueMicrotask(() => callback(error)));
			};
		},
		inherits(C, Parent) {
			Object.defineProperty(C, 'super_', { value: Parent, writable: true, configurable: true });
			Object.setPrototypeOf(C.prototype, Parent.prototype);
		},
		deprecate(f) { return f; },
		isDeepStrictEqual(a, b) { return deepEqual(a, b, true); },
		stripVTControlCharacters(text) { return text.replace(/[\x1b\x9b][[\]()#;?]*(?:(?:(?:;[-\w/#&.:=?%@~]+)*|\w+(?:;[-\w/#&.:=?%@~]*)*)?\x07|(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~])/g, ''); },
		toUSVString(text) { return `${text}`.toWellFormed(); },
		isArray: Array.isArray, types,
	};
	util.promisify.custom = custom;

	class EventEmitter {
		#lists = new Map();
		static defaultMaxListeners = 10;
		#list(name) {
			if (!this.#lists.has(name)) this.#lists.set(name, []);
			return this.#lists.get(name);
		}
		on(name, f) { this.#list(name).push({ f }); return this; }
		addListener(name, f) { return this.on(name, f); }
		prependListener(name, f) { this.#list(name).unshift({ f }); return this; }
		once(name, f) { this.#list(name).push({ f, once: true }); return this; }
		off(name, f) {
			const list = this.#list(name), at = list.findLastIndex((l) => l.f === f);
			if (at >= 0) list.splice(at, 1);
			return this;
		}
		removeListener(name, f) { return this.off(name, f); }
		removeAllListeners(name = undefined) {
			if (name === undefined) this.#lists.clear();
			else this.#lists.delete(name);
			return this;
		}
		emit(name, ...args) {
			const list = [...this.#list(name)];
			if (name === 'error' && list.length === 0) throw args[0] instanceof Error ? args[0] : new Error(`Unhandled error. (${String(args[0])})`);
			for (const l of list) {
				if (l.once) { const all = this.#list(name), at = all.indexOf(l); if (at >= 0) all.splice(at, 1); }
				l.f.apply(this, args);
			}
			return list.length > 0;
		}
		listenerCount(name) { return this.#list(name).length; }
		listeners(name) { return this.#list(name).map((l) => l.f); }
		eventNames() { return [...this.#lists].filter(([, l]) => l.length).map(([name]) => name); }
		setMaxListeners() { return this; }
		getMaxListeners() { return EventEmitter.defaultMaxListeners; }
	}
	EventEmitter.EventEmitter = EventEmitter;
	EventEmitter.once = (emitter, name) => new Promise((resolve, reject) => {
		const fail = (error) => { emitter.off(name, done); reject(error); }, done = (...args) => { emitter.off('error', fail); resolve(args); };
		emitter.once(name, done);
		if (name !== 'error') emitter.once('error', fail);
	});

	const sleep = (ms = 1, value = undefined, options = undefined) => new Promise((resolve, reject) => {
		const { signal } = options ?? {};
		const stop = () => reject(Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' }));
		if (signal?.aborted) return stop();
		setTimer(() => resolve(value), ms);
		signal?.addEventListener('abort', stop, { once: true });
	});
	const timers = { setTimeout: sleep, setImmediate: (value) => sleep(0, value), scheduler: { wait: (ms) => sleep(ms), yield: () => sleep(0) } };
	return { util, events: EventEmitter, timers };
})
