// reach walks over all that can be reached from some values, by members, symbols,
// accessors and prototypes, and lists what is not of this realm or has a name
// that only the host's own things have. What it uses it takes before a case begins.
const reach = (() => {
	const { ownKeys, getOwnPropertyDescriptor: describe, getPrototypeOf: above } = Reflect;
	const top = Object.prototype, callable = Function.prototype, known = Set, text = String, test = RegExp.prototype.test;
	const has = known.prototype.has, add = known.prototype.add, call = Reflect.apply, push = Array.prototype.push;
	const hosts = /[/\\]|\(\*|\.func\d|^reflect\.|^(process|mainModule|_linkedBinding|child_process|execSync|spawnSync|GOROOT|GoError|goja|reflect)$/;
	return (...roots) => {
		const seen = new known(), found = [], open = [];
		const visit = (value, where) => {
			if (value === null || typeof value !== 'object' && typeof value !== 'function' || call(has, seen, [value])) return;
			call(add, seen, [value]);
			call(push, open, [[value, where]]);
		};
		for (let i = 0; i < roots.length; i++) visit(roots[i], `#${i}`);
		for (let i = 0; i < open.length && i < 20000; i++) {
			const [value, where] = open[i];
			let chain = value, last = value, isCallable = false;
			for (; chain !== null; last = chain, chain = above(chain)) if (chain === callable) isCallable = true;
			if (typeof value === 'function' && !isCallable) call(push, found, [`${where}: a function of another realm`]);
			if (last !== top && value !== top && above(value) !== null && last !== value && typeof last !== 'object') call(push, found, [`${where}: a chain that ends elsewhere`]);
			visit(above(value), `${where}.__proto__`);
			const keys = ownKeys(value);
			for (let k = 0; k < keys.length; k++) {
				const name = text(keys[k]), at = `${where}.${name}`;
				const d = describe(value, keys[k]);
				if (d === undefined) continue;
				if (typeof keys[k] === 'string' && call(test, hosts, [name]) && typeof value !== 'string') call(push, found, [at]);
				// So are the fields of a Go struct and the elements of a slice, and nothing else.
				if (d.enumerable && d.writable && !d.configurable) call(push, found, [`${at}: a field`]);
				visit(d.value, at);
				visit(d.get, `${at}(get)`);
				visit(d.set, `${at}(set)`);
				if (name === 'name' && typeof value === 'function' && typeof d.value === 'string' && call(test, hosts, [d.value])) call(push, found, [`${at} = ${d.value}`]);
			}
		}
		return found;
	};
})();
