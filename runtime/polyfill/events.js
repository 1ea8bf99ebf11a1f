// EventTarget, Event, CustomEvent, AbortController, AbortSignal.
(function (part) {
	const { platform, global, shown, DOMException, now, setTimer } = part;
	const { defineProperty } = Object;
	const state = new WeakMap(), of = (event) => {
		const s = state.get(event);
		if (!s) throw new TypeError('Illegal invocation');
		return s;
	};
	class Event {
		constructor(type, options = undefined) {
			if (arguments.length === 0) throw new TypeError('The "type" argument must be specified');
			state.set(this, { type: `${type}`, bubbles: Boolean(options?.bubbles), cancelable: Boolean(options?.cancelable), composed: Boolean(options?.composed), target: null, phase: 0, prevented: false, stopped: false, time: now() });
		}
		get type() { return of(this).type; }
		get target() { return of(this).target; }
		get currentTarget() { return of(this).phase ? of(this).target : null; }
		get srcElement() { return of(this).target; }
		get bubbles() { return of(this).bubbles; }
		get cancelable() { return of(this).cancelable; }
		get composed() { return of(this).composed; }
		get defaultPrevented() { return of(this).prevented; }
		get returnValue() { return !of(this).prevented; }
		get eventPhase() { return of(this).phase; }
		get timeStamp() { return of(this).time; }
		get isTrusted() { return false; }
		composedPath() { return of(this).phase ? [of(this).target] : []; }
		preventDefault() { const s = of(this); if (s.cancelable && !s.passive) s.prevented = true; }
		stopPropagation() { of(this); }
		stopImmediatePropagation() { of(this).stopped = true; }
	}
	for (const [name, value] of [['NONE', 0], ['CAPTURING_PHASE', 1], ['AT_TARGET', 2], ['BUBBLING_PHASE', 3]]) defineProperty(Event, name, { value, enumerable: true });
	class CustomEvent extends Event {
		#detail;
		constructor(type, options = undefined) {
			super(type, options);
			this.#detail = options?.detail ?? null;
		}
		get detail() { return this.#detail; }
	}

	const listeners = new WeakMap(), listOf = (target, type) => {
		const lists = listeners.get(target);
		if (!lists) throw new TypeError('Illegal invocation');
		if (!lists.has(type)) lists.set(type, []);
		return lists.get(type);
	};
	const capture = (options) => typeof options === 'boolean' ? options : Boolean(options?.capture);
	class EventTarget {
		constructor() { listeners.set(this, new Map()); }
		addEventListener(type, callback, options = undefined) {
			if (callback === null || callback === undefined) return;
			if (typeof callback !== 'function' && typeof callback !== 'object') throw new TypeError('The "listener" argument must be a function or an object');
			const list = listOf(this, `${type}`), entry = { callback, capture: capture(options), once: Boolean(options?.once), passive: Boolean(options?.passive) };
			const signal = options?.signal;
			if (signal?.aborted || list.some((l) => l.callback === callback && l.capture === entry.capture)) return;
			list.push(entry);
			signal?.addEventListener('abort', () => this.removeEventListener(type, callback, options), { once: true });
		}
		removeEventListener(type, callback, options = undefined) {
			const list = listOf(this, `${type}`), at = list.findIndex((l) => l.callback === callback && l.capture === capture(options));
			if (at >= 0) list.splice(at, 1)[0].removed = true;
		}
		dispatchEvent(event) {
			const s = state.get(event);
			if (!s) throw new TypeError('The "event" argument must be an instance of Event');
			if (s.phase) throw new DOMException('The event is already being dispatched', 'InvalidStateError');
			s.target = this;
			s.phase = 2;
			const handler = this[`on${s.type}`];
			for (const l of [...typeof handler === 'function' && handlers.has(this) ? [{ callback: handler }] : [], ...listOf(this, s.type)]) {
				if (l.removed || s.stopped) continue;
				if (l.once) this.removeEventListener(s.type, l.callback, l.capture);
				s.passive = l.passive;
				// An error of a listener is the run's, not the dispatcher's.
				try {
					if (typeof l.callback === 'function') l.callback.call(this, event);
					else l.callback.handleEvent(event);
				} catch (e) { setTimer(() => { throw e; }, 0); }
			}
			s.phase = 0;
			s.stopped = false;
			return !s.prevented;
		}
	}
	defineProperty(EventTarget.prototype.addEventListener, 'length', { value: 2, configurable: true });
	const handlers = new WeakSet(); // targets that have on… properties

	const signals = new WeakMap(), key = {};
	const abort = (signal, reason) => {
		const s = signals.get(signal);
		if (s.aborted) return;
		s.aborted = true;
		s.reason = reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason;
		signal.dispatchEvent(new Event('abort'));
		for (const d of s.dependent) abort(d, s.reason);
	};
	class AbortSignal extends EventTarget {
		constructor(secret) {
			if (secret !== key) throw new TypeError('Illegal constructor');
			super();
			handlers.add(this);
			signals.set(this, { aborted: false, reason: undefined, onabort: null, dependent: [] });
		}
		get aborted() { return signals.get(this).aborted; }
		get reason() { return signals.get(this).reason; }
		get onabort() { return signals.get(this).onabort; }
		set onabort(f) { signals.get(this).onabort = typeof f === 'function' ? f : null; }
		throwIfAborted() { if (this.aborted) throw this.reason; }
		static abort(reason = undefined) {
			const signal = new AbortSignal(key);
			abort(signal, reason);
			return signal;
		}
		static timeout(milliseconds) {
			if (!(milliseconds >= 0)) throw new RangeError('The "delay" argument is out of range');
			const signal = new AbortSignal(key);
			setTimer(() => abort(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError')), milliseconds);
			return signal;
		}
		static any(list) {
			const signal = new AbortSignal(key);
			for (const source of list) {
				if (source.aborted) { abort(signal, source.reason); break; }
				signals.get(source).dependent.push(signal);
			}
			return signal;
		}
	}
	class AbortController {
		#signal = new AbortSignal(key);
		get signal() { return this.#signal; }
		abort(reason = undefined) { abort(this.#signal, reason); }
	}
	shown(part, AbortSignal, ({ aborted }) => ({ aborted }));
	shown(part, AbortController, ({ signal }) => ({ signal }));
	for (const C of [Event, CustomEvent, EventTarget, AbortSignal, AbortController]) global(C.name, platform(C));
})
