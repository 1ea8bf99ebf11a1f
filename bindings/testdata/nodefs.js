// Runs one case of nodefs.txt, in Node and in codemode: face, dir and the case are
// put before. What comes of it is made comparable.
const fs = require('node:fs');
const path = require('node:path');
const util = require('node:util');
const { pathToFileURL } = require('node:url');
const { Buffer } = require('node:buffer');

// F calls a function of fs through the face of this run.
const F = (name, ...args) => {
	if (face === 'sync') return fs[`${name}Sync`](...args);
	if (face === 'promise') return fs.promises[name](...args);
	return new Promise((resolve, reject) => fs[name](...args, (error, value) => error ? reject(error) : resolve(value)));
};
const calls = (f) => { const seen = []; const g = (...args) => { seen.push(args); return f(...args); }; g.seen = seen; return g; };

const clean = (text) => text.replaceAll(dir, '$D').replace(/\bpre-[A-Za-z0-9]{6}\b/g, 'pre-XXXXXX');
const show = (v) => {
	if (v instanceof fs.Stats) return { size: v.isDirectory() ? 0 : v.size, mode: v.mode.toString(8), is: kinds(v), mtime: Math.abs(v.mtimeMs - v.mtime) < 1 };
	if (v instanceof fs.Dirent) return [show(v.parentPath), show(v.name), kinds(v)];
	if (v instanceof Error) {
		const { name, code, errno, syscall, path, dest, message, info } = v;
		const of = name === 'AggregateError' ? undefined : name;
		return show({ name: of, code, errno, syscall, path, dest, message, info: info && { ...info } });
	}
	if (ArrayBuffer.isView(v)) return `${v.constructor.name}:${Buffer.from(v).toString('hex')}`;
	if (Array.isArray(v)) return v.map(show).sort((a, b) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
	if (typeof v === 'function') return 'function';
	if (typeof v === 'string') return clean(v);
	if (typeof v !== 'object' || v === null) return v === undefined ? 'undefined' : v;
	return Object.fromEntries(Object.keys(v).sort().filter((k) => v[k] !== undefined).map((k) => [k, show(v[k])]));
};
const kinds = (v) => ['File', 'Directory', 'SymbolicLink', 'FIFO', 'Socket', 'BlockDevice', 'CharacterDevice'].filter((k) => v[`is${k}`]()).join();

try {
	return { value: show(await (async () => { BODY })()) };
} catch (e) {
	return { error: e instanceof Error ? show(e) : String(e) };
}
