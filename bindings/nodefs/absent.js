// What Node offers and we do not: it is there, and says so.

const instead = {
	links: 'links are not made; tools.copy copies one that exists',
	modes: 'modes and owners stay as they are',
	times: 'times cannot be set',
	length: 'write the whole file with fs.writeFile, or change a part of it with tools.edit',
	descriptors: 'files are read and written whole, with fs.readFile, fs.writeFile and fs.appendFile; tools.read reads a part',
	streams: 'files are read and written whole, with fs.readFile and fs.writeFile; tools.read reads a part',
	watching: 'a script sees what is there when it looks',
	directories: 'use fs.readdir',
	device: 'nothing is known of the device',
	patterns: 'use tools.glob',
	temporary: 'use fs.mkdtemp, and fs.rm at the end',
};

const missing = {
	links: 'symlink link', modes: 'chmod lchmod fchmod chown lchown fchown', times: 'utimes lutimes futimes', length: 'truncate ftruncate',
	descriptors: 'open close read readv write writev fstat fsync fdatasync', directories: 'opendir', device: 'statfs', patterns: 'glob',
};
const missingAlone = {
	descriptors: 'openAsBlob', watching: 'watch watchFile unwatchFile', temporary: 'mkdtempDisposableSync',
	streams: 'createReadStream createWriteStream ReadStream WriteStream FileReadStream FileWriteStream', directories: 'Dir', device: '_toUnixTimestamp',
};
const missingPromises = {
	links: 'symlink link', modes: 'chmod lchmod chown lchown', times: 'utimes lutimes', length: 'truncate', descriptors: 'open',
	directories: 'opendir', device: 'statfs', patterns: 'glob', watching: 'watch', temporary: 'mkdtempDisposable',
};

// Named makes a function that has a name, and can be called with new as well.
const named = (name, f) => defineProperty(function (...args) { return f.apply(this, args); }, 'name', { value: name, configurable: true });

const addMissing = (fs, promises) => {
	const absent = (name, shown, why) => named(name, () => { throw notOffered(shown, instead[why]); });
	for (const why of Object.keys(missing)) {
		for (const name of missing[why].split(' ')) {
			fs[name] = absent(name, `fs.${name}`, why);
			fs[`${name}Sync`] = absent(`${name}Sync`, `fs.${name}Sync`, why);
		}
	}
	for (const why of Object.keys(missingAlone)) for (const name of missingAlone[why].split(' ')) fs[name] = absent(name, `fs.${name}`, why);
	for (const why of Object.keys(missingPromises)) {
		for (const name of missingPromises[why].split(' ')) promises[name] = named(name, async () => { throw notOffered(`fs.promises.${name}`, instead[why]); });
	}
};
