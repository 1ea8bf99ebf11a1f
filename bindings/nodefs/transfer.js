// What puts one object somewhere else.

const rename = (from, to) => {
	from = pathOf(from, 'oldPath');
	to = pathOf(to, 'newPath');
	return () => {
		const source = look(from), target = look(to), fails = (code) => { throw failed(code, 'rename', from, to); };
		if (source.kind && target.kind) {
			if (same(from, to)) return;
			const directory = source.kind === 'directory', onto = target.kind === 'directory';
			// Ours would replace a directory with all that is in it; Node's never does.
			if (directory && below(to, from)) fails('EINVAL');
			if (onto && below(from, to)) fails('ENOTEMPTY');
			if (directory && !onto) fails('ENOTDIR');
			if (!directory && onto) fails('EISDIR');
			if (onto && call('list', { path: to, limit: 1 }, undefined, 'rename', from, to).entries.length > 0) fails('ENOTEMPTY');
		}
		const codes = { OVERLAPPING_PATHS: 'EINVAL', TARGET_EXISTS: 'EEXIST' };
		// The second set of arguments makes no parents and replaces nothing.
		if (target.kind || from === '' || to === '') call('move', { path: from, target: to }, codes, 'rename', from, to);
		else call('move', { src: from, dst: to }, codes, 'rename', from, to);
	};
};

const copyFile = (from, to, mode) => {
	from = pathOf(from, 'src');
	to = pathOf(to, 'dest');
	mode = bitsOf(mode, 0);
	if (mode & constants.COPYFILE_FICLONE_FORCE) throw wrongValue('mode', mode, 'is not offered: whether a copy shares its blocks cannot be demanded');
	return () => {
		const exclusive = Boolean(mode & constants.COPYFILE_EXCL), fails = (code) => { throw failed(code, 'copyfile', from, to); };
		let path = from, source = look(from);
		if (source.kind === 'symlink') {
			source = look(from, true); // Node copies what the link points to
			if (!source.kind) fails('ENOENT');
			path = source.real;
		}
		const target = look(to);
		if (source.kind && target.code === 'ENOENT' && look(parentOf(to), true).code === 'ENOENT') fails('ENOENT');
		if (target.kind && exclusive) fails('EEXIST');
		if (source.kind && !target.kind && to.endsWith('/')) fails('EISDIR');
		if (source.kind === 'directory' || source.kind && target.kind === 'directory') fails('EISDIR');
		if (source.kind && target.kind && same(from, to)) return;
		// Ours would put a new file in the place of one that is read-only.
		if (source.kind && target.kind === 'file' && !look(to, true).access?.includes('w')) fails('EACCES');
		call('copy', exclusive ? { path, target: to, overwrite: false } : { path, target: to }, { TARGET_EXISTS: 'EEXIST' }, 'copyfile', from, to);
	};
};
