// cp, which copies trees and may be asked about each entry.

const cpOptions = (options) => {
	const o = { dereference: false, errorOnExist: false, filter: undefined, force: true, preserveTimestamps: false, recursive: false, verbatimSymlinks: false, mode: 0 };
	if (options === undefined) return o;
	objectOf(options, 'options');
	assign(o, options);
	for (const name of ['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks']) booleanOf(o[name], `options.${name}`);
	if (o.mode !== undefined && o.mode !== null) whole(o.mode, 'mode', 0, 7);
	if (o.dereference && o.verbatimSymlinks) throw coded(new TypeError('Option "dereference" cannot be used in combination with option "verbatimSymlinks"'), 'ERR_INCOMPATIBLE_OPTION_PAIR');
	if (o.filter !== undefined) functionOf(o.filter, 'options.filter');
	if (o.dereference) throw wrongValue('options.dereference', true, 'is not offered: links are copied as links');
	if (o.preserveTimestamps) throw wrongValue('options.preserveTimestamps', true, 'is not offered: a copy is as old as its copying');
	return o;
};

const cp = (from, to, options, sync = false) => {
	const o = cpOptions(options);
	o.sync = sync;
	from = pathOf(from, 'src');
	to = pathOf(to, 'dest');
	if (!o.filter) return () => copied(from, to, o, undefined);
	return sync ? () => filtered(from, to, o) : () => filteredLater(from, to, o);
};
const cpSync = (from, to, options) => cp(from, to, options, true);

// The filter is asked before anything is copied, parents first; what it leaves
// out is not looked into.
const filtered = (from, to, o) => {
	const asking = questions(from, to, o);
	for (const [source, target] of asking) {
		const answer = o.filter(source, target);
		if (typeof answer === 'object' && answer !== null && typeof answer.then === 'function') {
			throw coded(new TypeError('Expected boolean to be returned from the "filter" function but got an instance of Promise.'), 'ERR_INVALID_RETURN_VALUE');
		}
		asking.say(answer);
	}
	return copied(from, to, o, asking.tree);
};
const filteredLater = async (from, to, o) => {
	const asking = questions(from, to, o);
	for (const [source, target] of asking) asking.say(await o.filter(source, target));
	return copied(from, to, o, asking.tree);
};

// The pairs of paths that a filter is asked about, and the tree that it accepts:
// each entry by its path below the source, and whether all in it is accepted.
const questions = (from, to, o) => {
	const tree = { __proto__: null }, { join } = require('path');
	let at = '', answer = true;
	const pair = (below) => below === '' ? [from, to] : [join(from, below), join(to, below)];
	return {
		tree,
		say(yes) { answer = Boolean(yes); },
		[Symbol.iterator]() {
			let list, i = -1;
			const note = () => {
				if (answer) {
					tree[at] = { kids: [], whole: true };
					if (at !== '') tree[parentOf(`./${at}`).slice(2)].kids.push(at);
					return;
				}
				for (let up = at; up !== '';) {
					up = parentOf(`./${up}`).slice(2);
					tree[up].whole = false;
				}
			};
			return {
				next() {
					if (i < 0) {
						i = 0;
						return { done: false, value: pair('') };
					}
					note();
					if (!list) {
						const top = tree[''] && look(from);
						list = top?.kind === 'directory' && o.recursive ? entriesOf(from, true) : [];
					}
					while (i < list.length && !tree[parentOf(`./${list[i].below}`).slice(2)]) i++;
					if (i === list.length) return { done: true, value: undefined };
					at = list[i++].below;
					return { done: false, value: pair(at) };
				},
			};
		},
	};
};

const copied = (from, to, o, tree) => {
	if (tree && !tree['']) return;
	const source = look(from), target = look(to);
	const invalid = (words, path) => systemError('ERR_FS_CP_EINVAL', 'Invalid src or dest', 'cp', 22, 'EINVAL', words, path);
	const directory = source.kind === 'directory';
	if (source.kind) {
		if (target.code === 'ENOTDIR') throw failed('ENOTDIR', 'lstat', to);
		if (target.kind && same(from, to)) throw invalid('src and dest cannot be the same', to);
		if (target.kind) fits(source, target, from, to);
		if (directory && below(to, from)) throw invalid(`cannot copy ${from} to a subdirectory of self ${to}`, to);
		if (directory && !o.recursive) throw systemError('ERR_FS_EISDIR', 'Path is a directory', 'cp', o.sync ? 22 : 21, 'EISDIR', `${from} is a directory (not copied)`, from);
	}
	if (!source.kind) call('copy', { path: from, target: to }, undefined, 'lstat', from);
	else if (!tree && (o.force || !target.kind)) call('copy', { path: from, target: to }, undefined, 'cp', from, to);
	else placed(from, to, '', source.kind, o, tree ?? (directory ? accepted(from) : { '': { kids: [], whole: true } }));
};

// The tree of a copy without a filter.
const accepted = (from) => {
	const tree = { __proto__: null, '': { kids: [], whole: true } };
	for (const { below } of entriesOf(from, true)) {
		tree[below] = { kids: [], whole: true };
		tree[parentOf(`./${below}`).slice(2)].kids.push(below);
	}
	return tree;
};

const fits = (source, target, from, to) => {
	const directory = source.kind === 'directory', onto = target.kind === 'directory';
	if (directory && !onto) throw systemError('ERR_FS_CP_DIR_TO_NON_DIR', 'Cannot overwrite non-directory with directory', 'cp', 21, 'EISDIR', `cannot overwrite non-directory ${to} with directory ${from}`, to);
	if (!directory && onto) throw systemError('ERR_FS_CP_NON_DIR_TO_DIR', 'Cannot overwrite directory with non-directory', 'cp', 20, 'ENOTDIR', `cannot overwrite directory ${to} with non-directory ${from}`, to);
};

// Copies one entry of the tree, in as few operations as it takes: what is accepted
// as a whole, and may overwrite what is there, is one copy.
const placed = (from, to, at, kind, o, tree) => {
	const { join } = require('path'), source = at === '' ? from : join(from, at), target = at === '' ? to : join(to, at);
	const node = tree[at], there = look(target);
	if (there.kind) fits({ kind }, there, source, target);
	if (kind !== 'directory') {
		if (there.kind && !o.force) {
			if (o.errorOnExist) throw systemError('ERR_FS_CP_EEXIST', 'Target already exists', 'cp', 17, 'EEXIST', `${target} already exists`, target);
			return;
		}
		call('copy', { path: source, target }, undefined, 'cp', source, target);
		return;
	}
	if (node.whole && (o.force || !there.kind)) {
		call('copy', { path: source, target }, undefined, 'cp', source, target);
		return;
	}
	if (!there.kind) call('mkdir', { path: target }, undefined, 'cp', source, target);
	for (const kid of node.kids) placed(from, to, kid, look(join(from, kid)).kind, o, tree);
};
