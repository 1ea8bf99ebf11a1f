// The parts of require('util') that are not native, and the small modules.
(function ({ kind, deepEqual, setTimer }) {
	const { setTimeout, setImmediate } = globalThis;
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
	const styles = { reset: [0, 0], bold: [1, 22], dim: [2, 22], italic: [3, 23], underline: [4, 24], inverse: [7, 27], hidden: [8, 28], strikethrough: [9, 29] };
	['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'].forEach((name, i) => {
		styles[name] = [30 + i, 39];
		styles[`bg${name[0].toUpperCase()}${name.slice(1)}`] = [40 + i, 49];
		styles[`${name}Bright`] = [90 + i, 39];
	});
	styles.gray = styles.grey = [90, 39];
	const util = {
		promisify(f) {
			if (typeof f !== 'function') throw new TypeError('The "original" argument must be of type function');
			if (f[custom]) return f[custom];
			if (f === setTimeout) return sleep;
			if (f === setImmediate) return (value) => sleep(0, value);
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
		debuglog() { return Object.assign(() => {}, { enabled: false }); },
		styleText(format, text) {
			let [before, after] = ['', ''];
			for (const name of Array.isArray(format) ? format : [format]) {
				const style = styles[name];
				if (!style) throw Object.assign(new TypeError(`The argument 'format' must be one of: ${Object.keys(styles).map((s) => `'${s}'`).join(', ')}. Received '${name}'`), { code: 'ERR_INVALID_ARG_VALUE' });
				before += `\x1b[${style[0]}m`;
				after = `\x1b[${style[1]}m${after}`;
			}
			return `${before}${text}${after}`;
		},
		aborted(signal) { return new Promise((resolve) => { if (signal.aborted) resolve(); else signal.addEventListener('abort', () => resolve(), { once: true }); }); },
		isDeepStrictEqual(a, b) { return deepEqual(a, b, true); },
		stripVTControlCharacters(text) { return text.replace(/[\x1b\x9b][[\]()#;?]*(?:(?:(?:;[-\w/#&.:=?%@~]+)*|\w+(?:;[-\w/#&.:=?%@~]*)*)?\x07|(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~])/g, ''); },
		toUSVString(text) { return `${text}`.toWellFormed(); },
		isArray: Array.isArray, types,
	};
	util.promisify.custom = custom;

	const sleep = (ms = 1, value = undefined, options = undefined) => new Promise((resolve, reject) => {
		const { signal } = options ?? {};
		const stop = () => reject(Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' }));
		if (signal?.aborted) return stop();
		setTimer(() => resolve(value), ms);
		signal?.addEventListener('abort', stop, { once: true });
	});
	const interval = (ms = 1, value = undefined, options = undefined) => {
		let ended = false;
		return {
			async next() { return ended ? { value: undefined, done: true } : { value: await sleep(ms, value, options), done: false }; },
			async return(v) { ended = true; return { value: v, done: true }; },
			[Symbol.asyncIterator]() { return this; },
		};
	};
	const timers = {
		setTimeout: sleep, setImmediate: (value) => sleep(0, value), setInterval: interval,
		scheduler: { wait: (ms) => sleep(ms), yield: () => sleep(0) },
	};
	return { util, timers };
})
