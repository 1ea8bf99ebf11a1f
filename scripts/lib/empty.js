// Directories that hold nothing, or nothing but such directories.

import path from 'node:path';
import { readTree } from './tree.js';

// Files that programs leave behind, and that nobody misses.
const junk = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini', '.directory']);

// emptied returns the outermost directories below dir that are empty once the
// moves are made; with junk, those too that hold such files only.
export async function emptied(dir, moves, { throwAway = false, keep = [] } = {}) {
  const tree = await readTree(dir, { all: true });
  const full = new Set([dir, ...tree.unreadable]);
  const mark = (at) => { for (let d = at; !full.has(d); d = path.dirname(d)) full.add(d); };
  for (const d of tree.unreadable) mark(path.dirname(d));
  for (const at of [...tree.files.keys(), ...tree.others.keys()]) {
    if (throwAway && junk.has(path.basename(at))) continue;
    const now = moves ? moves.to(at) : at;
    if (now === at) mark(path.dirname(at));
    else if (now.startsWith(`${dir}/`) || dir === '.') mark(path.dirname(now));
  }
  for (const d of tree.directories.keys()) if (keep.includes(path.basename(d))) mark(d);
  return [...tree.directories.keys()].filter((d) => !full.has(d) && full.has(path.dirname(d)));
}

// isEmpty looks once more, just before a directory is deleted.
export async function isEmpty(dir, throwAway) {
  const { entries, truncated, unreadable } = await tools.list({ path: dir, recursive: true, limit: 1_000_000 });
  return !truncated && !unreadable && entries.every((e) => e.kind === 'directory' || (throwAway && junk.has(e.name)));
}
