// What makes files and directories.

// A text as Node writes it: half a character becomes U+FFFD.
const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?:^|[^\ud800-\udbff])[\udc00-\udfff]/;
const wellFormed = (text) => lone.test(text) ? text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (c) => c.length === 2 ? c : '\ufffd') : text;

const dataOf = (data, encoding) => {
	if (isView(data)) return { bytes: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64') };
	if (typeof data !== 'string') throw wrongType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data);
	if (!encoding || encoding === 'buffer' || /^utf-?8$/i.test(encoding)) return { text: wellFormed(data) };
	return { bytes: Buffer.from(data, encoding).toString('base64') };
};

// Pieces that come one by one are written as one: nothing half-written is ever
// at the path.
const gathered = async (pieces, encoding, signal) => {
	const parts = [], steps = (pieces[Symbol.asyncIterator] ?? pieces[Symbol.iterator]).call(pieces);
	for (;;) {
		const { done, value } = await steps.next(), piece = await value;
		if (done) return Buffer.concat(parts);
		aborted(signal);
		if (typeof piece !== 'string' && !isView(piece)) throw wrongType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', piece);
		parts.push(typeof piece === 'string' ? Buffer.from(wellFormed(piece), encoding || 'utf8') : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
	}
};

const writing = (otherwise) => (path, data, options, sync = false) => {
	const { encoding, mode, flag, signal } = optionsOf(options, { encoding: 'utf8' });
	const wants = flagOf(flag, otherwise), asked = modeOf(mode, 'mode', 0o666);
	const pieces = !sync && typeof data === 'object' && data !== null && !isView(data) && (data[Symbol.asyncIterator] ?? data[Symbol.iterator]);
	const payload = pieces ? undefined : dataOf(data, encoding);
	path = fileOf(path);
	if (wants === 'read' || wants === 'update') throw wrongValue('flags', flag, 'is not offered for writing; tools.edit changes a part of a file');
	if (pieces) return async () => written(path, dataOf(await gathered(data, encoding, signal)), wants, asked);
	return withSignal(signal, () => written(path, payload, wants, asked));
};

const written = (path, payload, wants, mode) => {
	const args = { path, ...payload };
	let there = wants !== 'create';
	if (wants === 'write') {
		args.overwrite = args.unread = true; // what Node's writeFile means
		there = usualMode(mode, 0o666) || look(path).kind !== undefined;
	} else if (wants === 'append') {
		args.append = true;
		there = usualMode(mode, 0o666) || look(path).kind !== undefined;
	}
	if (!there && !usualMode(mode, 0o666)) throw unusualMode(mode);
	try {
		call('write', args, { TARGET_EXISTS: 'EEXIST' }, 'open', path);
	} catch (e) {
		throw e.code === 'INVALID_FILE_TYPE' || e.code === 'ENOTDIR' ? unwritten(e, path, wants) : e;
	}
};

// Node tells directories and links apart where the engine refuses both.
const unwritten = (e, path, wants) => {
	const at = look(path), kind = at.kind ?? (path.endsWith('/') && look(parentOf(path), true).kind === 'directory' ? 'directory' : undefined);
	const code = !kind ? undefined : wants === 'create' && at.kind ? 'EEXIST' : kind === 'directory' ? 'EISDIR' : undefined;
	return code ? translated(e.cause ?? e, { [(e.cause ?? e).code]: code }, 'open', path) : e;
};

const writeFile = writing('write');
const appendFile = writing('append');
const writeFileSync = (path, data, options) => writeFile(path, data, options, true);
const appendFileSync = (path, data, options) => appendFile(path, data, options, true);

const mkdir = (path, options) => {
	path = pathOf(path);
	let recursive = false, mode = 0o777;
	if (typeof options === 'number' || typeof options === 'string') mode = modeOf(options, 'mode', mode);
	else if (options) {
		if (options.recursive !== undefined) recursive = booleanOf(options.recursive, 'options.recursive');
		mode = modeOf(options.mode, 'mode', mode);
	}
	return () => {
		const codes = { TARGET_EXISTS: 'EEXIST', INVALID_FILE_TYPE: 'EEXIST' };
		if (!usualMode(mode, 0o777) && !look(path).kind) throw unusualMode(mode);
		if (!recursive) {
			call('mkdir', { path, overwrite: false, create_dirs: false }, codes, 'mkdir', path);
			return undefined;
		}
		if (look(path, true).kind === 'directory') return undefined;
		let first = path;
		while (first.lastIndexOf('/') > 0 && !look(parentOf(first), true).kind) first = first.slice(0, first.lastIndexOf('/'));
		call('mkdir', { path }, codes, 'mkdir', path);
		return first;
	};
};

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', { random, floor } = Math;
const mkdtemp = (prefix, options) => {
	const { encoding } = optionsOf(options, {});
	prefix = pathOf(prefix, 'prefix');
	return () => {
		for (let attempt = 1; ; attempt++) {
			let path = prefix;
			for (let i = 0; i < 6; i++) path += letters[floor(random() * letters.length)];
			try {
				call('mkdir', { path, overwrite: false, create_dirs: false }, undefined, 'mkdtemp', `${prefix}XXXXXX`);
				return inEncoding(path, encoding);
			} catch (e) {
				if (attempt === 100 || e.code !== 'TARGET_EXISTS' && e.code !== 'INVALID_FILE_TYPE') throw e;
			}
		}
	};
};
