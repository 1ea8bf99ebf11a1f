// What lies below a directory, read once and in order.

import { Refusal, tidy } from './command.js';

// Not looked into unless the person says so: what Git, package managers and
// others put there is not to be reorganised.
const closed = ['.git', '.hg', '.svn', 'node_modules', 'vendor', '.codemode'];

export const treeOptions = {
  all: { type: 'boolean', about: 'also what Git ignores' },
  enter: { type: 'string', multiple: true, default: [], value: 'NAME', about: 'also look into directories of this name: node_modules, vendor' },
};

// readTree returns {root, files, directories, others, notes}: maps from path to
// entry. Links, which are never followed, are among the others, and so are directories
// that are not looked into.
export async function readTree(root, { all = false, enter = [], depth = Infinity } = {}) {
  const top = await tools.stat({ path: root }).catch((e) => { throw e.code === 'ENOENT' ? new Refusal(`there is no ${root}`) : e; });
  if (top.kind !== 'directory') throw new Refusal(`${root} is a ${top.kind}, not a directory`);
  const shut = new Set(closed.filter((name) => name === '.git' || !enter.includes(name)));
  const seen = all ? null : await notIgnored(root, depth);
  const tree = { root, files: new Map(), directories: new Map(), others: new Map(), unreadable: new Set(), notes: [] };
  const waiting = [root];
  while (waiting.length > 0) {
    const dir = waiting.pop();
    let listing;
    try {
      listing = await tools.list({ path: dir, limit: 1_000_000 });
    } catch (e) {
      if (!(e instanceof OperationError)) throw e;
      tree.unreadable.add(dir);
      tree.notes.push(`${dir} cannot be read (${e.code}) and was left out`);
      continue;
    }
    for (const entry of listing.entries) {
      const at = tidy(entry.path);
      if (seen && !seen.has(at)) continue;
      if (entry.kind === 'file') tree.files.set(at, entry);
      else if (entry.kind !== 'directory' || shut.has(entry.name)) tree.others.set(at, entry);
      else {
        tree.directories.set(at, entry);
        if (depth > 1) waiting.push(at);
      }
    }
  }
  for (const kind of ['files', 'directories', 'others']) tree[kind] = new Map([...tree[kind]].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  return tree;
}

async function notIgnored(root, depth) {
  const { matches } = await tools.glob({ pattern: depth > 1 ? '**' : '*', path: root, gitignore: true, limit: 1_000_000 });
  return new Set(matches.map(tidy));
}

const largest = 2 << 20;

// source is the text of a file, or null, with a note, for one that cannot be
// edited.
export async function source(tree, file) {
  const { size } = tree.files.get(file);
  if (size > largest) {
    tree.notes.push(`${file} has ${size} bytes and was not looked into`);
    return null;
  }
  try {
    const { text: content } = await tools.read({ path: file });
    if (content === undefined || content.includes('\0')) {
      tree.notes.push(`${file} is not UTF-8 text and was not looked into`);
      return null;
    }
    return content;
  } catch (e) {
    if (!(e instanceof OperationError)) throw e;
    tree.notes.push(`${file} cannot be read (${e.code}) and was not looked into`);
    return null;
  }
}
