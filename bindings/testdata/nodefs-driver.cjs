// Runs the cases on standard input in Node, one after the other, and prints what
// came of them and of their trees. A tree that a case left as it was serves the
// next one, too.
const fs = require('fs'), path = require('path');
const AsyncFunction = (async () => {}).constructor;
process.on('uncaughtException', () => {});

const bytes = (text) => Buffer.from(text, 'latin1');
const join = (dir, name) => Buffer.concat([Buffer.from(`${dir}/`), bytes(name)]);
const make = (dir, tree, template) => {
	fs.mkdirSync(dir);
	for (const { name, kind, mode, text } of tree) {
		const at = join(dir, name);
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

(async () => {
	const { base, tree, template, cases } = JSON.parse(fs.readFileSync(0, 'utf8'));
	const outcomes = [];
	let dir, untouched;
	for (const [i, code] of cases.entries()) {
		if (!dir) {
			dir = path.join(base, `${i}`);
			make(dir, tree, template);
			untouched ??= listing(dir);
		}
		process.chdir(dir);
		const outcome = await new AsyncFunction('require', 'dir', code)(require, dir);
		const left = listing(dir);
		outcomes.push({ outcome, tree: left });
		if (left !== untouched) dir = undefined;
	}
	process.stdout.write(JSON.stringify(outcomes));
})();
