// Promise.any: that of the engine fails without a message.
(function ({ replace }) {
	const { apply } = Reflect, { defineProperty } = Object, A = AggregateError;
	replace(Promise, {
		any(promises) {
			const C = this;
			return new C((resolve, reject) => {
				const toPromise = C.resolve, errors = [];
				if (typeof toPromise !== 'function') throw new TypeError('Promise resolve or reject function is not callable');
				let index = 0, left = 1;
				const failed = () => { if (--left === 0) reject(new A(errors, 'All promises were rejected')); };
				for (const item of promises) {
					const at = index++;
					let settled = false;
					defineProperty(errors, at, { value: undefined, writable: true, enumerable: true, configurable: true });
					left++;
					apply(toPromise, C, [item]).then(resolve, (e) => {
						if (settled) return;
						settled = true;
						errors[at] = e;
						failed();
					});
				}
				failed();
			});
		},
	});
})
