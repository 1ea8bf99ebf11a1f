// What only looks. Each function takes its arguments apart and gives one that does
// the work, so that its three faces differ in nothing but how they answer.

// What is at a path: an entry, or the code that says why there is none.
const look = (path, follow = false) => {
	if (path === '') return { code: 'ENOENT' };
	try {
		return callSync('stat', { path, follow });
	} catch (e) {
		return { code: e.code };
	}
};

const PIECE = 8 << 20, MOST = 64 << 20;

const readFile = (path, options) => {
	const { encoding, flag, signal } = optionsOf(options, { flag: 'r' });
	path = fileOf(path);
	const wants = flagOf(flag, 'read');
	if (wants === 'write' || wants === 'create') throw wrongValue('flags', flag, 'is not offered for reading');
	return withSignal(signal, () => content(path, encoding));
};

const content = (path, encoding) => {
	const text = encoding && /^utf-?8$/i.test(encoding), parts = [];
	for (let offset = 0; ;) {
		let part;
		try {
			part = call('read', { path, offset, limit: PIECE, encoding: text ? 'utf8' : 'base64' }, undefined, 'open', path);
		} catch (e) {
			throw e.code === 'EISDIR' ? failed('EISDIR', 'read') : e;
		}
		if (part.size > MOST || offset > MOST) throw tooLarge(part.size > offset ? part.size : offset);
		if (text && part.text === undefined) break; // not UTF-8: by its bytes
		if (text) {
			if (offset === 0 && !part.truncated) return part.text;
			parts.push(part.text);
			offset += part.truncated ? Buffer.byteLength(part.text) : 0;
		} else {
			parts.push(Buffer.from(part.bytes, 'base64'));
			offset += parts[parts.length - 1].length;
		}
		if (!part.truncated) {
			if (text) return parts.join('');
			const whole = parts.length === 1 ? parts[0] : Buffer.concat(parts);
			return encoding && encoding !== 'buffer' ? whole.toString(encoding) : whole;
		}
	}
	return content(path, 'buffer').toString('utf8');
};

// All entries of a directory, with paths below it.
const entriesOf = (path, recursive) => {
	const listing = call('list', { path, recursive, limit: 1000000 }, undefined, 'scandir', path);
	if (listing.truncated) throw coded(new RangeError(`'${path}' holds more than 1000000 entries; list its directories one by one`), 'ERR_OUT_OF_RANGE');
	const top = listing.path === '.' ? 0 : listing.path === '/' ? 1 : listing.path.length + 1;
	const shown = (p) => `${path.replace(/(.)\/+$/, '$1')}/${p.slice(top)}`;
	if (listing.unreadable) throw failed('EACCES', 'scandir', shown(listing.unreadable[0]));
	return listing.entries.map((e) => ({ name: e.name, kind: e.kind, below: e.path.slice(top) }));
};

const readdir = (path, options) => {
	const { encoding, withFileTypes, recursive = false } = optionsOf(options, {});
	path = pathOf(path);
	if (recursive !== undefined && recursive !== null) booleanOf(recursive, 'options.recursive');
	return () => {
		const entries = entriesOf(path, Boolean(recursive)), list = [];
		for (const e of entries) {
			if (!withFileTypes) {
				list.push(inEncoding(e.below, encoding));
				continue;
			}
			const inner = e.below.slice(0, -e.name.length - 1);
			list.push(new Dirent(inEncoding(e.name, encoding), inner ? require('path').join(path, inner) : path, formats[e.kind][1]));
		}
		return list;
	};
};

const statWith = (follow, syscall) => (path, options = {}, sync = false) => {
	path = pathOf(path);
	if (options?.bigint) throw wrongValue('options.bigint', options.bigint, 'is not offered; mtimeMs is exact to a millisecond');
	return () => {
		const at = look(path, follow);
		if (at.kind) return new Stats(at);
		if (sync && options?.throwIfNoEntry === false && at.code === 'ENOENT') return undefined;
		return new Stats(call('stat', { path, follow }, undefined, syscall, path));
	};
};
const stat = statWith(true, 'stat');
const lstat = statWith(false, 'lstat');
const statSync = (path, options) => stat(path, options, true);
const lstatSync = (path, options) => lstat(path, options, true);

const access = (path, mode) => {
	path = pathOf(path);
	mode = bitsOf(mode, 0);
	return () => {
		const at = call('stat', { path, follow: true }, undefined, 'access', path);
		for (const [bit, right] of [[4, 'r'], [2, 'w'], [1, 'x']]) {
			if (mode & bit && !at.access.includes(right)) throw failed('EACCES', 'access', path);
		}
	};
};

const exists = (path) => {
	try {
		path = pathOf(path);
	} catch {
		return () => false;
	}
	return () => look(path, true).kind !== undefined;
};

const readlink = (path, options) => {
	const { encoding } = optionsOf(options, {});
	path = pathOf(path, 'oldPath');
	return () => {
		const at = call('stat', { path }, undefined, 'readlink', path);
		if (at.link === undefined) throw failed('EINVAL', 'readlink', path);
		return inEncoding(at.link, encoding);
	};
};

// Node has two: one asks the kernel, the other walks along the path.
const realpathNative = (path, options) => {
	const { encoding } = optionsOf(options, {});
	path = pathOf(path);
	return () => inEncoding(call('stat', { path, follow: true }, undefined, 'realpath', path).real, encoding);
};

const realpath = (path, options) => {
	const { encoding } = optionsOf(options, {});
	path = pathOf(typeof path === 'string' || isURL(path) || isBytes(path) ? path : `${path}`);
	return () => {
		const at = path === '' ? look('.', true) : look(path, true);
		if (at.kind) return inEncoding(at.real, encoding);
		if (!errnos[at.code]) call('stat', { path, follow: true });
		const absolute = require('path').resolve(workingDirectory(), path), parts = absolute.split('/');
		for (let i = 2; i <= parts.length; i++) {
			const part = parts.slice(0, i).join('/'), there = look(part);
			if (!there.kind || !look(part, true).kind) return call('stat', { path: part, follow: true }, undefined, there.kind ? 'stat' : 'lstat', part).real;
		}
		return call('stat', { path, follow: true }, undefined, 'lstat', absolute).real;
	};
};
