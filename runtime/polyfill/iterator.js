// Iterator and its helpers.
(function ({ extend, tag, global }) {
	const { iterator } = Symbol, { getPrototypeOf, setPrototypeOf, create, defineProperty } = Object, { floor } = Math;
	const { isPrototypeOf } = Object.prototype, { apply } = Reflect;
	const proto = getPrototypeOf(getPrototypeOf([][iterator]()));
	function Iterator() {
		if (new.target === undefined || new.target === Iterator) throw new TypeError('Abstract class Iterator not directly constructable');
	}
	defineProperty(Iterator, 'prototype', { value: proto, writable: false });
	defineProperty(proto, 'constructor', { value: Iterator, writable: true, configurable: true });
	tag(Iterator, 'Iterator');

	const object = (o) => {
		if (typeof o !== 'object' && typeof o !== 'function' || o === null) throw new TypeError(`${String(o)} is not an object`);
		return o;
	};
	const direct = (o) => ({ it: object(o), next: o.next });
	const step = (r) => {
		const result = apply(r.next, r.it, []);
		if (typeof result !== 'object' && typeof result !== 'function' || result === null) throw new TypeError(`Iterator result ${String(result)} is not an object`);
		return result;
	};
	const close = (it) => {
		const method = it.return;
		if (method !== undefined && method !== null) object(apply(method, it, []));
	};
	// Closes because of an error, which wins over any other.
	const abandon = (it, error) => {
		try { it.return?.(); } catch {}
		throw error;
	};
	const callable = (f, it) => {
		if (typeof f !== 'function') abandon(it, new TypeError(`${String(f)} is not a function`));
		return f;
	};
	const count = (n, it) => {
		let limit;
		try { limit = Number(n); } catch (e) { abandon(it, e); }
		if (limit !== limit || limit <= -1) abandon(it, new RangeError(`${String(n)} must be positive`));
		return limit === Infinity ? limit : floor(limit) || 0;
	};
	const flattenable = (o, strings) => {
		if (typeof o !== 'string' || !strings) object(o);
		const method = o[iterator];
		return direct(method === undefined || method === null ? o : apply(method, o, []));
	};

	// A helper is a generator behind objects of one prototype.
	const helper = create(proto), bodies = new WeakMap();
	const genProto = getPrototypeOf(function* () {}.prototype), { next: genNext, return: genReturn } = genProto;
	const { get: bodyOf, set: setBody } = WeakMap.prototype;
	const make = (r, generator) => {
		const h = create(helper);
		apply(setBody, bodies, [h, { it: r.it, gen: generator, started: false }]);
		return h;
	};
	const body = (h) => {
		const b = apply(bodyOf, bodies, [h]);
		if (!b) throw new TypeError('not an Iterator Helper');
		return b;
	};
	extend(helper, {
		next() {
			const b = body(this);
			b.started = true;
			return apply(genNext, b.gen, []);
		},
		return() {
			const b = body(this);
			if (!b.started) {
				b.started = true;
				apply(genReturn, b.gen, []);
				close(b.it);
				return { value: undefined, done: true };
			}
			return apply(genReturn, b.gen, []);
		},
	});
	defineProperty(helper, Symbol.toStringTag, { value: 'Iterator Helper', configurable: true });
	// Runs a loop over r; what leaves it early closes the iterator underneath.
	function* over(r, each) {
		let done = false, failed = false;
		try {
			for (let i = 0; ; i++) {
				let result;
				try {
					result = step(r);
					if (result.done) { done = true; return; }
				} catch (e) { done = true; throw e; }
				if (yield* each(result.value, i)) return;
			}
		} catch (e) {
			failed = true;
			if (!done) { done = true; abandon(r.it, e); }
			throw e;
		} finally {
			if (!done && !failed) close(r.it);
		}
	}
	const each = (self, name, f, visit) => {
		const it = object(self);
		callable(f, it);
		const r = direct(it);
		for (let i = 0; ; i++) {
			const result = step(r);
			if (result.done) return;
			let stop;
			try { stop = visit(result.value, i); } catch (e) { abandon(it, e); }
			if (stop) return close(it);
		}
	};
	extend(proto, {
		map(mapper) {
			callable(mapper, object(this));
			const r = direct(this);
			return make(r, over(r, function* (v, i) { yield mapper(v, i); }));
		},
		filter(predicate) {
			callable(predicate, object(this));
			const r = direct(this);
			return make(r, over(r, function* (v, i) { if (predicate(v, i)) yield v; }));
		},
		take(limit) {
			const n = count(limit, object(this)), r = direct(this);
			if (n === 0) return make(r, (function* () { close(r.it); })());
			let left = n;
			return make(r, over(r, function* (v) { yield v; return --left <= 0; }));
		},
		drop(limit) {
			let left = count(limit, object(this));
			const r = direct(this);
			return make(r, over(r, function* (v) { if (left > 0) left--; else yield v; }));
		},
		flatMap(mapper) {
			callable(mapper, object(this));
			const r = direct(this);
			return make(r, over(r, function* (v, i) {
				const inner = flattenable(mapper(v, i), false);
				yield* over(inner, function* (w) { yield w; });
			}));
		},
		reduce(reducer, ...initial) {
			const it = object(this);
			callable(reducer, it);
			let value = initial[0], any = initial.length > 0;
			each(it, 'reduce', reducer, (v, i) => {
				value = any ? reducer(value, v, initial.length ? i : i) : v;
				any = true;
			});
			if (!any) throw new TypeError('Reduce of a done iterator with no initial value');
			return value;
		},
		toArray() {
			const list = [], r = direct(object(this));
			for (let i = 0; ; i++) {
				const result = step(r);
				if (result.done) return list;
				defineProperty(list, i, { value: result.value, writable: true, enumerable: true, configurable: true });
			}
		},
		forEach(f) { each(this, 'forEach', f, (v, i) => { f(v, i); }); },
		some(f) {
			let found = false;
			each(this, 'some', f, (v, i) => found = Boolean(f(v, i)));
			return found;
		},
		every(f) {
			let all = true;
			each(this, 'every', f, (v, i) => !(all = Boolean(f(v, i))));
			return all;
		},
		find(f) {
			let found;
			each(this, 'find', f, (v, i) => { if (f(v, i)) { found = v; return true; } });
			return found;
		},
	});
	defineProperty(proto.reduce, 'length', { value: 1, configurable: true });

	const wrapper = create(proto), wrapped = new WeakMap();
	extend(wrapper, {
		next() { const r = apply(bodyOf, wrapped, [this]); return apply(r.next, r.it, []); },
		return() {
			const { it } = apply(bodyOf, wrapped, [this]), method = it.return;
			return method === undefined ? { value: undefined, done: true } : apply(method, it, []);
		},
	});
	const chain = (items) => (function* () {
		for (const item of items) yield* over(flattenable(item, false), function* (v) { yield v; });
	})();
	extend(Iterator, {
		from(value) {
			const r = flattenable(value, true);
			if (apply(isPrototypeOf, proto, [r.it])) return r.it;
			const w = create(wrapper);
			apply(setBody, wrapped, [w, r]);
			return w;
		},
		concat(...items) {
			for (const item of items) if (typeof object(item)[iterator] !== 'function') throw new TypeError(`${String(item)} is not iterable`);
			return make({ it: {} }, chain(items));
		},
	});
	setPrototypeOf(Iterator, Function.prototype);
	global('Iterator', Iterator);
})
