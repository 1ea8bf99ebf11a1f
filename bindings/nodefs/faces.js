// The three faces of each function. Whatever the face, the work is done at the
// moment of the call: calls of a script are carried out one after the other
// anyway, so that this keeps them in the order in which they were made, and no
// other call of the script gets between the looking and the doing of one.

// How many arguments come before a callback: at least, at most.
const functions = {
	access: [access, 1, 2], appendFile: [appendFile, 2, 3], copyFile: [copyFile, 2, 3], cp: [cp, 2, 3], lstat: [lstat, 1, 2], mkdir: [mkdir, 1, 2],
	mkdtemp: [mkdtemp, 1, 2], readFile: [readFile, 1, 2], readdir: [readdir, 1, 2], readlink: [readlink, 1, 2], realpath: [realpath, 1, 2],
	rename: [rename, 2, 2], rm: [rm, 1, 2], rmdir: [rmdir, 1, 2], stat: [stat, 1, 2], unlink: [unlink, 1, 1], writeFile: [writeFile, 2, 3],
};
// Node's own inconsistencies: what judges paths before the callback, and what
// takes nothing but a function for one.
const pathsFirst = ['access', 'copyFile', 'rm'], onlyFunctions = ['stat', 'lstat'];
const syncs = { cp: cpSync, stat: statSync, lstat: lstatSync, writeFile: writeFileSync, appendFile: appendFileSync };

// Work that a signal may stop waits for the end of what the script is doing just
// now: Node's documentation aborts right after the call.
const withSignal = (signal, work) => {
	if (signal === undefined) return work;
	const stoppable = async () => {
		await null;
		aborted(signal);
		return work();
	};
	stoppable.now = work;
	return stoppable;
};

const synchronous = (name, f) => named(`${name}Sync`, (...args) => {
	const run = f(...args);
	return (run.now ?? run)();
});
const promised = (name, f) => named(name, async (...args) => f(...args)());

const callbackIn = (name, args, least, most) => {
	let at = most;
	for (let i = most; i >= least; i--) if (typeof args[i] === 'function') at = i;
	if (args[at] === undefined && args.length <= most && args.length > least && !onlyFunctions.includes(name)) at = args.length - 1;
	return at;
};

const withCallback = (name, f, least, most) => named(name, (...args) => {
	const at = callbackIn(name, args, least, most);
	if (typeof args[at] !== 'function' && pathsFirst.includes(name)) f(...args.slice(0, least));
	const callback = functionOf(args[at], 'cb');
	const run = f(...args.slice(0, at));
	const done = (value) => later(() => value === undefined ? callback(null) : callback(null, value)), wrong = (e) => later(() => callback(e));
	let value;
	try {
		value = run();
	} catch (e) {
		wrong(e);
		return;
	}
	if (value instanceof Promise) value.then(done, wrong);
	else done(value);
});

const fs = {}, promises = {};
for (const name of Object.keys(functions)) {
	const [f, least, most] = functions[name];
	fs[name] = withCallback(name, f, least, most);
	fs[`${name}Sync`] = synchronous(name, syncs[name] ?? f);
	promises[name] = promised(name, name === 'realpath' ? realpathNative : f);
}
fs.realpath.native = withCallback('native', realpathNative, 1, 2);
fs.realpathSync.native = synchronous('native', realpathNative);

fs.exists = named('exists', (path, callback) => {
	functionOf(callback, 'cb');
	const there = exists(path)();
	later(() => callback(there));
});
defineProperty(fs.exists, Symbol.for('nodejs.util.promisify.custom'), { value: async (path) => exists(path)(), configurable: true });
fs.existsSync = named('existsSync', (path) => exists(path)());

addMissing(fs, promises);
for (const name of ['F_OK', 'R_OK', 'W_OK', 'X_OK']) defineProperty(fs, name, { value: constants[name], enumerable: true });
promises.constants = constants;
assign(fs, { Dirent, Stats, constants, promises });
return fs;
