// Rename directories and files to a convention, and fix every import of them.
//
// Asks for the convention; for the folders it should look at, or takes the whole
// working directory, which has to be the top of the project. Names that a tool
// looks for (README, index, package.json, foo_test.go, __init__.py, hidden ones)
// stay, and so do names that Python could not import.
//
//   codemode run @rename -- [OPTIONS] [PATH...]
//
//   --to CONVENTION   kebab, snake, camel or pascal (default: kebab)
//   --only KIND       files or directories
//   --skip NAME       leave files and directories of this name alone
//   --dry             print the plan and change nothing
//   --all             also what Git ignores
//   --enter NAME      also look into directories of this name: node_modules, vendor
//
// Nothing is renamed if two names would become one.

import path from 'node:path';
import { command, inProject, oneOf, Refusal, within } from './lib/command.js';
import { conventions } from './lib/case.js';
import { Moves } from './lib/moves.js';
import { renamedTo } from './lib/naming.js';
import { Plan } from './lib/plan.js';
import { rewire } from './lib/rewire.js';
import { readTree, treeOptions } from './lib/tree.js';

const { options, words } = command({
  name: 'rename', about: 'Rename directories and files to a convention, and fix every import of them.', words: ['PATH?...'],
  options: {
    to: { type: 'string', default: 'kebab', value: 'CONVENTION', about: 'kebab, snake, camel or pascal' },
    only: { type: 'string', value: 'KIND', about: 'files or directories' },
    skip: { type: 'string', multiple: true, default: [], value: 'NAME', about: 'leave files and directories of this name alone' },
    ...treeOptions,
  },
});
const convention = oneOf('to', options.to, Object.keys(conventions));
if (options.only !== undefined) oneOf('only', options.only, ['files', 'directories']);
const places = words.length === 0 ? ['.'] : words.map(inProject);
const tree = await readTree('.', options);
const plan = new Plan();
for (const place of places) if (place !== '.' && !tree.directories.has(place) && !tree.files.has(place)) throw new Refusal(`there is no ${place}, or Git ignores it`);

const inHidden = (at) => /(^|\/)(\.[^/]|testdata\/)/.test(path.dirname(at) === '.' ? '' : `${path.dirname(at)}/`);
const wanted = (at) => places.some((place) => within(place, at) && (place !== at || words.length > 0)) && !inHidden(at) && !options.skip.includes(path.basename(at));
const python = new Set([...tree.files.keys()].filter((f) => f.endsWith('.py')).map((f) => path.dirname(f)));
const moves = new Moves();
const renames = [];
for (const [kind, entries] of [['directory', tree.directories], ['file', tree.files]]) {
  if (options.only && options.only !== { directory: 'directories', file: 'files' }[kind]) continue;
  for (const at of entries.keys()) {
    if (!wanted(at)) continue;
    const { name, why } = renamedTo(at, kind, convention, python.has(at));
    if (why) plan.note(`${at} keeps its name: ${why}`);
    if (name !== path.basename(at)) renames.push({ at, name, kind });
  }
}
// What lies deeper comes first, so that every path is right when its turn comes.
const depth = (at) => at.split('/').length;
renames.sort((a, b) => depth(b.at) - depth(a.at) || (a.at < b.at ? -1 : 1));
const names = new Map(renames.map(({ at, name }) => [at, name]));
const final = (at) => (at === '.' ? '' : path.join(final(path.dirname(at)), names.get(at) ?? path.basename(at)));
for (const { at, name, kind } of renames) {
  plan.move(at, path.join(path.dirname(at), name));
  moves[kind](at, final(at));
}
for (const file of tree.files.keys()) if (final(file) !== file) moves.file(file, final(file));
if (renames.length > 0) await rewire(tree, moves, plan);
tree.notes.forEach((n) => plan.note(n));
return await plan.finish({ dry: options.dry, nothing: `every name is ${convention} already`, summary: { convention, renamed: renames.length } });
