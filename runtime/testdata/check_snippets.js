// Run by Node: compares the expected values of the snippets in the files that are
// named with what Node makes of them. Where Node lacks a feature (TypeScript,
// modules, the newest built-ins) the snippet throws and is counted as skipped.
const { readFileSync } = require('node:fs');
const AsyncFunction = Object.getPrototypeOf(async function () {}).constructor;
const files = { 'src/a.ts': "import { x } from './util';\nexport const a = x;\n// TODO: remove!\n\n", 'src/b.ts': 'import { y } from "./util";\n// TODO: split the file..\n', 'src/c.md': '# hello\n', 'package.json': '{"name":"demo","version":"1.0.0","scripts":{"test":"vitest"}}' };
const host = () => {
	const own = { ...files };
	return {
		list: async ({ dir }) => Object.keys(own).filter((f) => f.startsWith(`${dir}/`)),
		read: async ({ path }) => { if (path in own) return own[path]; throw new Error(`ENOENT: ${path}`); },
		write: async ({ path, content }) => { own[path] = content; },
	};
};
// What Node itself has otherwise: the name of its own symbol, its process.
const other = new Set(['sym-desc', 'env-process', 'env-setInterval-clear']);
const keep = setInterval(() => {}, 1000);
(async () => {
	const log = console.log;
	console.log = console.error = console.warn = console.info = console.debug = console.table = console.group = () => {};
	const different = [];
	let same = 0, skipped = 0;
	for (const file of process.argv.slice(2)) {
		for (const { id, code, expected } of JSON.parse(readFileSync(file, 'utf8'))) {
			if (other.has(id)) continue;
			let value;
			try {
				value = await new AsyncFunction('require', 'tools', code)(require, host());
			} catch { skipped++; continue; }
			const text = JSON.stringify(value === undefined ? null : value), sorted = (v) => JSON.stringify(JSON.parse(v), (k, o) => o && typeof o === 'object' && !Array.isArray(o) ? Object.fromEntries(Object.entries(o).sort()) : o);
			if (sorted(text) === sorted(JSON.stringify(expected))) same++;
			else different.push({ id, node: text, expected: JSON.stringify(expected) });
		}
	}
	log(JSON.stringify({ same, skipped, different }));
	clearInterval(keep);
})();
