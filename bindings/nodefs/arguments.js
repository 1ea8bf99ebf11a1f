// What Node takes as arguments, judged in its order and with its words.

const flagNames = {
	__proto__: null,
	r: 'read', rs: 'read', sr: 'read', 'r+': 'update', 'rs+': 'update', 'sr+': 'update',
	w: 'write', wx: 'create', xw: 'create', 'w+': 'write', 'wx+': 'create', 'xw+': 'create',
	a: 'append', as: 'append', sa: 'append', ax: 'create', xa: 'create', 'a+': 'append', 'as+': 'append', 'sa+': 'append', 'ax+': 'create', 'xa+': 'create',
};

// What a flag asks for: read, update, write, create (which must not exist) or append.
const flagOf = (flag, otherwise) => {
	if (flag === undefined || flag === null) return otherwise;
	if (typeof flag === 'number') {
		whole(flag, 'flags', -2147483648, 2147483647);
		const { O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;
		const writes = flag & (O_WRONLY | O_RDWR);
		if (!writes) return 'read';
		if (flag & O_CREAT && flag & O_EXCL) return 'create';
		if (flag & O_CREAT && flag & O_APPEND) return 'append';
		return flag & O_CREAT && flag & O_TRUNC ? 'write' : 'update';
	}
	const meaning = flagNames[flag];
	if (meaning === undefined) throw wrongValue('flags', flag);
	return meaning;
};

const isURL = (v) => Boolean(v?.href && v.protocol && v.auth === undefined && v.path === undefined);
const isBytes = (v) => isView(v) && require('util').types.isUint8Array(v);

const pathOf = (value, name = 'path') => {
	if (isURL(value)) value = require('url').fileURLToPath(value);
	if (typeof value !== 'string') {
		if (!isBytes(value)) throw wrongType(name, 'of type string or an instance of Buffer or URL', value);
		if (value.includes(0)) throw wrongValue(name, value, 'must be a string, Uint8Array, or URL without null bytes');
		return nameOf(value);
	}
	if (value.includes('\0')) throw wrongValue(name, value, 'must be a string, Uint8Array, or URL without null bytes');
	return value;
};

// A path where Node also takes a descriptor.
const fileOf = (value) => {
	if (typeof value === 'number' && isInteger(value) && value >= 0) throw notOffered('reading and writing by descriptor', 'there are none; pass a path');
	return pathOf(value);
};

// Bytes of a name as the tools spell it: what is no UTF-8 is one lone surrogate
// U+DC80–U+DCFF for each byte.
const nameOf = (bytes) => {
	let name = '';
	for (let i = 0; i < bytes.length;) {
		const b = bytes[i], more = b < 0x80 ? 0 : b >= 0xc2 && b < 0xe0 ? 1 : b >= 0xe0 && b < 0xf0 ? 2 : b >= 0xf0 && b < 0xf5 ? 3 : -1;
		let point = more <= 0 ? b : b & (0x3f >> more), n = 1;
		for (; n <= more && (bytes[i + n] & 0xc0) === 0x80; n++) point = point << 6 | bytes[i + n] & 0x3f;
		const whole = more === 0 || n === more + 1 && point >= [0, 0x80, 0x800, 0x10000][more] && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000);
		if (more >= 0 && whole) {
			name += String.fromCodePoint(point);
			i += n;
		} else {
			name += String.fromCharCode(0xdc00 + b);
			i++;
		}
	}
	return name;
};

// A name or path in the encoding that was asked for. Buffer writes the bytes that
// our spelling stands for.
const inEncoding = (name, encoding) => {
	if (encoding === 'buffer') return Buffer.from(name);
	return encoding === undefined || encoding === null || /^utf-?8$/i.test(encoding) ? name : Buffer.from(name).toString(encoding);
};

const optionsOf = (options, defaults) => {
	if (options === undefined || options === null || typeof options === 'function') return defaults;
	if (typeof options === 'string') options = { ...defaults, encoding: options };
	else if (typeof options !== 'object') throw wrongType('options', 'one of type string or object', options);
	else options = { ...defaults, ...options };
	const { encoding, signal } = options;
	if (encoding && encoding !== 'buffer' && !(typeof encoding === 'string' && Buffer.isEncoding(encoding))) {
		throw wrongValue('encoding', encoding, 'is invalid encoding');
	}
	if (signal !== undefined && (typeof signal !== 'object' || signal === null || !('aborted' in signal))) {
		throw wrongType('options.signal', 'an instance of AbortSignal', signal);
	}
	return options;
};

const aborted = (signal) => {
	if (!signal?.aborted) return;
	const e = new Error('The operation was aborted');
	defineProperty(e, 'name', { value: 'AbortError', writable: true, configurable: true });
	if (signal.reason !== undefined) defineProperty(e, 'cause', { value: signal.reason, writable: true, configurable: true });
	throw coded(e, 'ABORT_ERR');
};

const objectOf = (value, name) => {
	if (value === null || typeof value !== 'object' || isArray(value)) throw wrongType(name, 'of type object', value);
};
const booleanOf = (value, name) => {
	if (typeof value !== 'boolean') throw wrongType(name, 'of type boolean', value);
	return value;
};
const functionOf = (value, name) => {
	if (typeof value !== 'function') throw wrongType(name, 'of type function', value);
	return value;
};
const whole = (value, name, low, high) => {
	if (typeof value !== 'number') throw wrongType(name, 'of type number', value);
	if (!isInteger(value)) throw outOfRange(name, 'an integer', value);
	if (value < low || value > high) throw outOfRange(name, `>= ${low} && <= ${high}`, value);
	return value;
};

// The mode of access and copyFile.
const bitsOf = (mode, otherwise) => {
	if (mode === undefined || mode === null) return otherwise;
	if (typeof mode !== 'number') throw coded(new TypeError('mode must be int32 or null/undefined'), 'ERR_INVALID_ARG_TYPE');
	if (mode < 0 || mode > 7) throw coded(new RangeError('mode is out of range: >= 0 && <= 7'), 'ERR_OUT_OF_RANGE');
	return mode | 0;
};

// The mode of something new. The tools make files and directories with what the
// process's mask leaves of 666 and 777; another mode is not to be had, and a
// file that was to be secret must not become readable without a word.
const modeOf = (mode, name, otherwise) => {
	if (mode === undefined || mode === null) return otherwise;
	if (typeof mode === 'string') {
		if (!/^[0-7]+$/.test(mode)) throw wrongValue(name, mode, 'must be a 32-bit unsigned integer or an octal string');
		mode = parseInt(mode, 8);
	}
	return whole(mode, name, 0, 4294967295);
};
const usualMode = (mode, full) => (mode & ~0o022) === (full & ~0o022);
const unusualMode = (mode) => wrongValue('mode', mode, 'is not offered: new files and directories get the usual mode, and no other can be given');

const parentOf = (path) => {
	path = path.replace(/(.)\/+$/, '$1');
	const at = path.lastIndexOf('/');
	return at < 0 ? '.' : at === 0 ? '/' : path.slice(0, at);
};
const cleaned = (path) => require('path').normalize(path).replace(/(.)\/+$/, '$1');
const workingDirectory = () => look('.', true).real ?? '/';
// Two paths in one spelling: a relative and an absolute one both become absolute.
const alike = (a, b) => (a[0] === '/') === (b[0] === '/') ? [cleaned(a), cleaned(b)] : [a, b].map((p) => require('path').resolve(workingDirectory(), p));
const same = (a, b) => {
	[a, b] = alike(a, b);
	return a === b;
};
const below = (path, top) => {
	[path, top] = alike(path, top);
	return top === '.' ? path !== '.' && !/^(?:\/|\.\.(?:\/|$))/.test(path) : path.startsWith(top === '/' ? '/' : `${top}/`);
};
