// Split a flat folder into folders by extension, prefix or date.
//
// Asks for the folder and for what to go by. Only files that lie in it directly
// are moved.
//
//   codemode run @split -- [OPTIONS] DIR
//
//   --by WHAT          extension, prefix or date (default: extension)
//   --into DIR         make the folders there (default: in DIR itself)
//   --separator CHARS  where a prefix ends: one of these (default: -_.)
//   --date UNIT        year, month or day of the last change (default: month)
//   --least N          leave groups of fewer files where they are (default: 1)
//   --imports          fix imports below the working directory
//   --dry              print the plan and change nothing
//   --all              also what Git ignores
//   --enter NAME       with --imports: also look into directories of this name
//
// Hidden files stay. Nothing is moved if any of the files is in the way of
// another.

import path from 'node:path';
import { command, inProject, oneOf, Refusal, tidy } from './lib/command.js';
import { Moves } from './lib/moves.js';
import { Plan } from './lib/plan.js';
import { rewire } from './lib/rewire.js';
import { readTree, treeOptions } from './lib/tree.js';

const { options, words } = command({
  name: 'split', about: 'Split a flat folder into folders by extension, prefix or date.', words: ['DIR'],
  options: {
    by: { type: 'string', default: 'extension', value: 'WHAT', about: 'extension, prefix or date' },
    into: { type: 'string', value: 'DIR', about: 'make the folders there, not in DIR itself' },
    separator: { type: 'string', default: '-_.', value: 'CHARS', about: 'where a prefix ends: one of these' },
    date: { type: 'string', default: 'month', value: 'UNIT', about: 'year, month or day of the last change' },
    least: { type: 'string', default: '1', value: 'N', about: 'leave groups of fewer files where they are' },
    imports: { type: 'boolean', about: 'fix imports below the working directory' },
    ...treeOptions,
  },
});
const by = oneOf('by', options.by, ['extension', 'prefix', 'date']);
const unit = { year: 4, month: 7, day: 10 }[oneOf('date', options.date, ['year', 'month', 'day'])];
const least = Number(options.least);
if (!Number.isInteger(least) || least < 1) throw new Refusal(`--least ${options.least}: it is a number from 1 on`);
const place = options.imports ? inProject : tidy;
const dir = place(words[0]);
const into = options.into === undefined ? dir : place(options.into);

function group({ name, mtime }) {
  if (by === 'date') return mtime.slice(0, unit);
  if (by === 'extension') return path.extname(name).slice(1).toLowerCase() || 'other';
  const at = [...name].findIndex((c) => options.separator.includes(c));
  return at > 0 && at < name.length - path.extname(name).length ? name.slice(0, at) : null;
}

const tree = await readTree(dir, { ...options, depth: 1 });
const groups = new Map();
for (const [at, entry] of tree.files) {
  if (path.dirname(at) !== dir || entry.name.startsWith('.')) continue;
  const key = group(entry);
  if (key !== null) groups.set(key, [...(groups.get(key) ?? []), at]);
}
const plan = new Plan();
const moves = new Moves();
const sizes = {};
for (const [key, files] of [...groups].sort()) {
  if (files.length < least) continue;
  sizes[key] = files.length;
  for (const at of files) {
    const target = path.join(into, key, path.basename(at));
    plan.move(at, target);
    moves.file(at, target);
  }
}
if (options.imports && moves.size > 0) await rewire(await readTree('.', options), moves, plan);
return await plan.finish({ dry: options.dry, nothing: `${dir} holds no files to split`, summary: { groups: sizes } });
