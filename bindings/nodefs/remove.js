// What removes.

const rm = (path, options) => {
	path = pathOf(path);
	let force = false, recursive = false;
	if (options !== undefined) {
		objectOf(options, 'options');
		force = booleanOf(options.force ?? false, 'options.force');
		recursive = booleanOf(options.recursive ?? false, 'options.recursive');
		whole(options.retryDelay ?? 100, 'options.retryDelay', 0, 2147483647);
		whole(options.maxRetries ?? 0, 'options.maxRetries', 0, 4294967295);
	}
	return () => {
		const at = look(path);
		if (force && at.code === 'ENOENT') return;
		if (at.kind === 'directory' && !recursive) throw systemError('ERR_FS_EISDIR', 'Path is a directory', 'rm', 21, 'EISDIR', 'is a directory', path);
		call('delete', { path }, undefined, at.kind ? 'rm' : 'lstat', path);
	};
};

const rmdir = (path, options) => {
	path = pathOf(path);
	if (options !== undefined) {
		objectOf(options, 'options');
		if (options.recursive !== undefined && booleanOf(options.recursive, 'options.recursive')) {
			throw wrongValue('options.recursive', true, 'is no longer supported; use fs.rm(path, { recursive: true, force: true })');
		}
	}
	return () => {
		const at = look(path);
		if (at.kind && at.kind !== 'directory') throw failed('ENOTDIR', 'rmdir', path);
		if (/(?:^|\/)\.\/*$/.test(path)) throw failed('EINVAL', 'rmdir', path);
		if (at.kind && call('list', { path, limit: 1 }, undefined, 'rmdir', path).entries.length > 0) throw failed('ENOTEMPTY', 'rmdir', path);
		call('delete', { path }, undefined, 'rmdir', path);
	};
};

const unlink = (path) => {
	path = pathOf(path);
	return () => {
		if (look(path).kind === 'directory') throw failed('EISDIR', 'unlink', path);
		call('delete', { path }, undefined, 'unlink', path);
	};
};
