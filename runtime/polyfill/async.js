// Promise.withResolvers, Promise.try, Array.fromAsync.
(function ({ extend }) {
	const { iterator, asyncIterator } = Symbol, { defineProperty } = Object, { floor } = Math;
	extend(Promise, {
		withResolvers() {
			let resolve, reject;
			const promise = new this((a, b) => { resolve = a; reject = b; });
			return { promise, resolve, reject };
		},
		try(callback, ...args) {
			return new this((resolve, reject) => {
				try { resolve(callback(...args)); } catch (e) { reject(e); }
			});
		},
	});
	const append = (list, i, value) => {
		if (!defineProperty(list, i, { value, writable: true, enumerable: true, configurable: true })) throw new TypeError('cannot add a member');
	};
	const fromAsync = {
		async fromAsync(items, mapper = undefined, self = undefined) {
			if (mapper !== undefined && typeof mapper !== 'function') throw new TypeError('Array.fromAsync: the second argument must be a function');
			const C = typeof this === 'function' ? this : Array, mapped = async (v, i) => mapper === undefined ? v : await mapper.call(self, v, i);
			const asyncs = items[asyncIterator], method = asyncs ?? items[iterator];
			if (method === undefined || method === null) {
				const length = floor(Number(items.length)) || 0, list = new C(length);
				for (let i = 0; i < length; i++) append(list, i, await mapped(await items[i], i));
				list.length = length;
				return list;
			}
			const list = new C(), it = method.call(items), { next } = it;
			for (let i = 0; ; i++) {
				let step = next.call(it);
				if (asyncs) step = await step;
				if (typeof step !== 'object' || step === null) throw new TypeError(`Iterator result ${step} is not an object`);
				if (step.done) {
					list.length = i;
					return list;
				}
				try {
					append(list, i, await mapped(asyncs ? step.value : await step.value, i));
				} catch (e) {
					try { await it.return?.(); } catch {}
					throw e;
				}
			}
		},
	};
	defineProperty(fromAsync.fromAsync, 'length', { value: 1, configurable: true });
	extend(Array, fromAsync);
})
