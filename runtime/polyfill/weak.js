// WeakRef and FinalizationRegistry: the engine tells nobody what it collects, so
// a WeakRef keeps its target for as long as it lives, which the standard allows.
(function ({ tag, global }) {
	const check = (target) => {
		if (typeof target !== 'object' && typeof target !== 'function' && typeof target !== 'symbol' || target === null) throw new TypeError('the target must be an object');
		return target;
	};
	class WeakRef {
		#target;
		constructor(target) { this.#target = check(target); }
		deref() { return this.#target; }
	}
	class FinalizationRegistry {
		constructor(cleanup) {
			if (typeof cleanup !== 'function') throw new TypeError('the cleanup callback must be a function');
		}
		register(target) { check(target); }
		unregister(token) { check(token); return false; }
	}
	Object.defineProperty(FinalizationRegistry.prototype.register, 'length', { value: 2, configurable: true });
	global('WeakRef', (tag(WeakRef, 'WeakRef'), WeakRef));
	global('FinalizationRegistry', (tag(FinalizationRegistry, 'FinalizationRegistry'), FinalizationRegistry));
})
