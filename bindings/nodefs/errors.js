// The errors of Node's fs, with the messages that programs and people know.

const { callSync, call: callLater, require } = host;
const { defineProperty, freeze, assign } = Object;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const { isInteger } = Number;
const { Buffer } = require('buffer');
const later = queueMicrotask;

// How Linux numbers errors and libuv words them.
const errnos = {
	__proto__: null,
	EPERM: [1, 'operation not permitted'], ENOENT: [2, 'no such file or directory'], EIO: [5, 'i/o error'], ENXIO: [6, 'no such device or address'],
	ENOMEM: [12, 'not enough memory'], EACCES: [13, 'permission denied'], EBUSY: [16, 'resource busy or locked'], EEXIST: [17, 'file already exists'],
	EXDEV: [18, 'cross-device link not permitted'], ENODEV: [19, 'no such device'], ENOTDIR: [20, 'not a directory'], EISDIR: [21, 'illegal operation on a directory'],
	EINVAL: [22, 'invalid argument'], ENFILE: [23, 'file table overflow'], EMFILE: [24, 'too many open files'], ETXTBSY: [26, 'text file is busy'],
	EFBIG: [27, 'file too large'], ENOSPC: [28, 'no space left on device'], EROFS: [30, 'read-only file system'], EMLINK: [31, 'too many links'],
	ENAMETOOLONG: [36, 'name too long'], ENOTEMPTY: [39, 'directory not empty'], ELOOP: [40, 'too many symbolic links encountered'], EDQUOT: [122, 'disk quota exceeded'],
};

// An error of a system call, as libuv would have it.
const failed = (code, syscall, path, dest) => {
	const [number, words] = errnos[code];
	const where = path === undefined ? '' : dest === undefined ? ` '${path}'` : ` '${path}' -> '${dest}'`;
	const e = assign(new Error(`${code}: ${words}, ${syscall}${where}`), { errno: -number, code, syscall });
	if (path !== undefined) e.path = path;
	if (dest !== undefined) e.dest = dest;
	return e;
};

// What a tool threw, as Node would say it. A refusal that Node does not know
// stays what it is. Codes says which of ours are Node's by another name.
const translated = (e, codes, syscall, path, dest) => {
	const code = codes?.[e.code] ?? e.code;
	if (typeof code !== 'string' || !errnos[code]) return e;
	const error = failed(code, syscall, path, dest);
	if (e.effect !== undefined) error.effect = e.effect;
	if (e.receipt !== undefined) error.receipt = e.receipt;
	return defineProperty(error, 'cause', { value: e, writable: true, configurable: true });
};

// A tool, called where Node would make a system call.
const call = (tool, args, codes, syscall, path, dest) => {
	if (path === '' || dest === '') throw failed('ENOENT', syscall, path, dest);
	try {
		return callSync(tool, args);
	} catch (e) {
		throw translated(e, codes, syscall, path, dest);
	}
};

const coded = (e, code) => assign(e, { code });
const inspect = (value, options) => require('util').inspect(value, options);

const received = (value) => {
	if (value === undefined || value === null) return ` Received ${value}`;
	if (typeof value === 'function') return ` Received function ${value.name}`;
	if (typeof value === 'object') {
		const name = value.constructor?.name;
		return name ? ` Received an instance of ${name}` : ` Received ${inspect(value, { depth: -1 })}`;
	}
	let text = inspect(value);
	if (text.length > 28) text = `${text.slice(0, 25)}...`;
	return ` Received type ${typeof value} (${text})`;
};

const kindOfName = (name) => name.includes('.') ? 'property' : 'argument';
const wrongType = (name, expected, value) =>
	coded(new TypeError(`The "${name}" ${kindOfName(name)} must be ${expected}.${received(value)}`), 'ERR_INVALID_ARG_TYPE');
const wrongValue = (name, value, reason = 'is invalid') => {
	let text = inspect(value);
	if (text.length > 128) text = `${text.slice(0, 128)}...`;
	return coded(new TypeError(`The ${kindOfName(name)} '${name}' ${reason}. Received ${text}`), 'ERR_INVALID_ARG_VALUE');
};
const outOfRange = (name, range, value) =>
	coded(new RangeError(`The value of "${name}" is out of range. It must be ${range}. Received ${inspect(value)}`), 'ERR_OUT_OF_RANGE');

// What Node's cp and rm throw where no system call failed.
const systemError = (code, message, syscall, errno, name, words, path) => {
	const e = new Error(`${message}: ${syscall} returned ${name} (${words}) ${path}`);
	defineProperty(e, 'name', { value: 'SystemError', writable: true, configurable: true });
	return assign(e, { code, info: { message: words, path, syscall, errno, code: name }, errno, syscall, path });
};

const tooLarge = (size) => coded(new RangeError(`File size (${size}) is greater than 64 MiB, the most that a script reads as one; take it in parts with tools.read({ path, offset, limit })`), 'ERR_FS_FILE_TOO_LARGE');
const notOffered = (what, instead) => coded(new Error(`${what} is not offered to scripts: ${instead}`), 'ERR_METHOD_NOT_IMPLEMENTED');
