// What Node says of an object, as far as the tools know it.

const constants = freeze({
	__proto__: null,
	UV_FS_SYMLINK_DIR: 1, UV_FS_SYMLINK_JUNCTION: 2, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2,
	UV_DIRENT_UNKNOWN: 0, UV_DIRENT_FILE: 1, UV_DIRENT_DIR: 2, UV_DIRENT_LINK: 3, UV_DIRENT_FIFO: 4, UV_DIRENT_SOCKET: 5, UV_DIRENT_CHAR: 6, UV_DIRENT_BLOCK: 7,
	S_IFMT: 61440, S_IFREG: 32768, S_IFDIR: 16384, S_IFCHR: 8192, S_IFBLK: 24576, S_IFIFO: 4096, S_IFLNK: 40960, S_IFSOCK: 49152,
	O_CREAT: 64, O_EXCL: 128, UV_FS_O_FILEMAP: 0, O_NOCTTY: 256, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536, O_NOATIME: 262144, O_NOFOLLOW: 131072,
	O_SYNC: 1052672, O_DSYNC: 4096, O_DIRECT: 16384, O_NONBLOCK: 2048,
	S_IRWXU: 448, S_IRUSR: 256, S_IWUSR: 128, S_IXUSR: 64, S_IRWXG: 56, S_IRGRP: 32, S_IWGRP: 16, S_IXGRP: 8, S_IRWXO: 7, S_IROTH: 4, S_IWOTH: 2, S_IXOTH: 1,
	F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1,
	UV_FS_COPYFILE_EXCL: 1, COPYFILE_EXCL: 1, UV_FS_COPYFILE_FICLONE: 2, COPYFILE_FICLONE: 2, UV_FS_COPYFILE_FICLONE_FORCE: 4, COPYFILE_FICLONE_FORCE: 4,
});

// Kinds as Node has them: bits of a mode and the type of a Dirent. The tools do
// not tell devices apart; all pass as character devices.
const formats = { __proto__: null, file: [0o100000, 1], directory: [0o040000, 2], symlink: [0o120000, 3], fifo: [0o010000, 4], socket: [0o140000, 5], device: [0o020000, 6] };

// What is not known is NaN, which equals nothing: two files without a known inode
// must not seem to be one.
class Stats {
	constructor(entry) {
		const unknown = NaN, time = Date.parse(entry.mtime);
		this.dev = unknown;
		this.mode = entry.mode | formats[entry.kind][0];
		assign(this, { nlink: unknown, uid: unknown, gid: unknown, rdev: unknown, blksize: unknown, ino: unknown });
		this.size = entry.size;
		assign(this, { blocks: unknown, atimeMs: unknown, mtimeMs: time, ctimeMs: unknown, birthtimeMs: unknown });
		this.atime = new Date(unknown);
		this.mtime = new Date(time);
		this.ctime = new Date(unknown);
		this.birthtime = new Date(unknown);
	}
	isDirectory() { return (this.mode & 0o170000) === 0o040000; }
	isFile() { return (this.mode & 0o170000) === 0o100000; }
	isBlockDevice() { return (this.mode & 0o170000) === 0o060000; }
	isCharacterDevice() { return (this.mode & 0o170000) === 0o020000; }
	isSymbolicLink() { return (this.mode & 0o170000) === 0o120000; }
	isFIFO() { return (this.mode & 0o170000) === 0o010000; }
	isSocket() { return (this.mode & 0o170000) === 0o140000; }
}

const type = Symbol('type');
class Dirent {
	constructor(name, path, kind) {
		this.name = name;
		this.parentPath = path;
		this.path = path;
		this[type] = kind;
	}
	isDirectory() { return this[type] === 2; }
	isFile() { return this[type] === 1; }
	isBlockDevice() { return this[type] === 7; }
	isCharacterDevice() { return this[type] === 6; }
	isSymbolicLink() { return this[type] === 3; }
	isFIFO() { return this[type] === 4; }
	isSocket() { return this[type] === 5; }
}
