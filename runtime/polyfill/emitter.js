// require('events'). The class is a function, as Node's is: older code calls it.
(function () {
	const all = new WeakMap(), { apply } = Reflect;
	const of = (emitter) => {
		let lists = all.get(emitter);
		if (!lists) all.set(emitter, lists = new Map());
		return lists;
	};
	const check = (f) => {
		if (typeof f !== 'function') throw Object.assign(new TypeError(`The "listener" argument must be of type function. Received ${f === null || f === undefined ? f : typeof f}`), { code: 'ERR_INVALID_ARG_TYPE' });
	};
	const add = (emitter, name, f, once, first) => {
		check(f);
		const lists = of(emitter);
		if (lists.has('newListener')) emitter.emit('newListener', name, f);
		const list = lists.get(name) ?? [], l = { f, once };
		lists.set(name, first ? [l, ...list] : [...list, l]);
		return emitter;
	};
	// Lists are never changed, so that one that is being worked through stays.
	const drop = (emitter, name, l) => {
		const lists = of(emitter), list = lists.get(name).filter((other) => other !== l);
		if (list.length) lists.set(name, list);
		else lists.delete(name);
		if (lists.has('removeListener')) emitter.emit('removeListener', name, l.f);
	};
	function EventEmitter() { all.set(this, new Map()); }
	const methods = {
		on(name, f) { return add(this, name, f, false, false); },
		once(name, f) { return add(this, name, f, true, false); },
		prependListener(name, f) { return add(this, name, f, false, true); },
		prependOnceListener(name, f) { return add(this, name, f, true, true); },
		off(name, f) {
			check(f);
			const l = of(this).get(name)?.findLast((other) => other.f === f || other.wrapped === f);
			if (l) drop(this, name, l);
			return this;
		},
		removeAllListeners(name = undefined) {
			const lists = of(this);
			if (lists.has('removeListener') && name !== 'removeListener') {
				for (const [key, list] of [...lists]) if (key !== 'removeListener' && (name === undefined || key === name)) list.forEach((l) => drop(this, key, l));
			}
			if (name === undefined) lists.clear();
			else lists.delete(name);
			return this;
		},
		emit(name, ...args) {
			const lists = of(this), list = lists.get(name);
			if (name === 'error') {
				lists.get(EventEmitter.errorMonitor)?.forEach((l) => { apply(l.f, this, args); });
				if (!list) {
					if (args[0] instanceof Error) throw args[0];
					throw Object.assign(new Error(`Unhandled error. (${typeof args[0] === 'string' ? `'${args[0]}'` : String(args[0])})`), { code: 'ERR_UNHANDLED_ERROR', context: args[0] });
				}
			}
			if (!list) return false;
			for (const l of list) {
				if (l.once) {
					if (l.done) continue;
					l.done = true;
					drop(this, name, l);
				}
				apply(l.f, this, args);
			}
			return true;
		},
		listenerCount(name, f = undefined) { return (of(this).get(name) ?? []).filter((l) => f === undefined || l.f === f).length; },
		listeners(name) { return (of(this).get(name) ?? []).map((l) => l.f); },
		rawListeners(name) {
			return (of(this).get(name) ?? []).map((l) => l.once ? l.wrapped ??= Object.assign((...args) => { this.off(name, l.f); apply(l.f, this, args); }, { listener: l.f }) : l.f);
		},
		eventNames() { return [...of(this).keys()]; },
		setMaxListeners(n) { limits.set(this, n); return this; },
		getMaxListeners() { return limits.get(this) ?? EventEmitter.defaultMaxListeners; },
	};
	const limits = new WeakMap();
	for (const [name, value] of Object.entries({ ...methods, addListener: methods.on, removeListener: methods.off })) {
		Object.defineProperty(EventEmitter.prototype, name, { value, writable: true, enumerable: true, configurable: true });
	}
	const once = (emitter, name, { signal } = {}) => new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(aborted(signal));
		const fail = (error) => { emitter.off(name, done); reject(error); };
		const done = (...args) => { emitter.off('error', fail); resolve(args); };
		if (typeof emitter.addEventListener === 'function') return emitter.addEventListener(name, (event) => resolve([event]), { once: true });
		emitter.once(name, done);
		if (name !== 'error') emitter.once('error', fail);
		signal?.addEventListener('abort', () => { emitter.off(name, done); emitter.off('error', fail); reject(aborted(signal)); }, { once: true });
	});
	const aborted = (signal) => Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' });
	// The events that come, one after the other, for as long as somebody asks.
	const on = (emitter, name, { signal } = {}) => {
		const waiting = [], events = [];
		let failed, ended = false;
		const event = (...args) => { if (waiting.length) waiting.shift().resolve({ value: args, done: false }); else events.push(args); };
		const fail = (error) => { if (waiting.length) waiting.shift().reject(error); else failed = { error }; stop(); };
		const stop = () => {
			emitter.off(name, event);
			emitter.off('error', fail);
			ended = true;
			while (waiting.length) waiting.shift().resolve({ value: undefined, done: true });
		};
		emitter.on(name, event);
		if (name !== 'error') emitter.on('error', fail);
		signal?.addEventListener('abort', () => fail(aborted(signal)), { once: true });
		return {
			async next() {
				if (events.length) return { value: events.shift(), done: false };
				if (failed) {
					const { error } = failed;
					failed = undefined;
					throw error;
				}
				return ended ? { value: undefined, done: true } : new Promise((resolve, reject) => { waiting.push({ resolve, reject }); });
			},
			async return() { stop(); return { value: undefined, done: true }; },
			async throw(error) { stop(); throw error; },
			[Symbol.asyncIterator]() { return this; },
		};
	};
	return Object.assign(EventEmitter, {
		EventEmitter, once, on, defaultMaxListeners: 10,
		errorMonitor: Symbol('events.errorMonitor'), captureRejectionSymbol: Symbol.for('nodejs.rejection'),
		listenerCount: (emitter, name) => emitter.listenerCount(name), getEventListeners: (emitter, name) => emitter.listeners(name),
		setMaxListeners() {},
	});
})
