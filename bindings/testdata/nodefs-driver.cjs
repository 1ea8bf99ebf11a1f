// Runs the cases on standard input in Node, one after the other, and prints what
// came of them and of the tree, which it puts back in order after each.
const fs = require('fs'), path = require('path');
const AsyncFunction = (async () => {}).constructor;
process.on('uncaughtException', () => {});

const bytes = (text) => Buffer.from(text, 'latin1');
const join = (dir, name) => Buffer.concat([Buffer.from(`${dir}/`), bytes(name)]);
const fill = (dir, tree, template, wanted) => {
	for (const { name, kind, mode, text } of tree) {
		const at = join(dir, name);
		if (!wanted(name.split('/')[0])) continue;
		if (kind === 'directory') fs.mkdirSync(at);
		if (kind === 'file') fs.writeFileSync(at, bytes(text));
		if (kind === 'symlink') fs.symlinkSync(bytes(text), at);
		if (kind === 'fifo') fs.linkSync(join(template, name), at);
		if (kind === 'file' || kind === 'directory') fs.chmodSync(at, mode);
	}
};

const shown = (b) => b.toString('latin1').replace(/[^!-$&-~]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
const listing = (dir) => {
	const lines = [];
	const walk = (at, name) => {
		const s = fs.lstatSync(at);
		let line = `${shown(name)} ${(s.mode & 0o170000) >> 12} ${(s.mode & 0o777).toString(8)}`;
		if (s.isFile()) line += ` ${shown(fs.readFileSync(at))}`;
		if (s.isSymbolicLink()) line += ` ${shown(Buffer.from(fs.readlinkSync(at, 'buffer').toString('latin1').replaceAll(dir, '$D'), 'latin1'))}`;
		lines.push(line);
		if (s.isDirectory()) for (const e of fs.readdirSync(at, 'buffer')) walk(join(at, e.toString('latin1')), name.length ? join(name, e.toString('latin1')) : e);
	};
	const join = (a, b) => Buffer.concat([a, Buffer.from('/'), bytes(b)]);
	walk(Buffer.from(dir), Buffer.alloc(0));
	return lines.sort().join('\n');
};

const repair = (dir, tree, template, before, after) => {
	const a = new Set(before.split('\n')), b = new Set(after.split('\n')), changed = new Set();
	for (const line of [...a, ...b]) if (!a.has(line) || !b.has(line)) changed.add(line.split(' ')[0].split('/')[0]);
	for (const name of fs.readdirSync(dir, 'buffer')) {
		if (changed.has(shown(name))) fs.rmSync(join(dir, name.toString('latin1')), { recursive: true });
	}
	fill(dir, tree, template, (top) => changed.has(shown(bytes(top))));
};

(async () => {
	const { dir, tree, template, cases } = JSON.parse(fs.readFileSync(0, 'utf8'));
	fs.mkdirSync(dir);
	process.chdir(dir);
	fill(dir, tree, template, () => true);
	const untouched = listing(dir), outcomes = [];
	for (const code of cases) {
		const outcome = await new AsyncFunction('require', 'dir', code)(require, dir);
		const left = listing(dir);
		outcomes.push({ outcome, tree: left });
		if (left !== untouched) repair(dir, tree, template, untouched, left);
	}
	process.stdout.write(JSON.stringify(outcomes));
})();
