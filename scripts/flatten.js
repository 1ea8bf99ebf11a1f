// Flatten a tree: all files into one folder, with a rule for those that collide.
//
// Asks for the folder.
//
//   codemode run @flatten -- [OPTIONS] DIR
//
//   --into DIR           put the files there (default: DIR itself)
//   --on-collision RULE  refuse, number ("a (2).txt") or path ("sub-a.txt") (default: refuse)
//   --prune              delete the folders that are empty then
//   --imports            fix imports below the working directory
//   --dry                print the plan and change nothing
//   --all                also what Git ignores
//   --enter NAME         also look into directories of this name: node_modules, vendor
//
// Links and hidden folders stay where they are. Names that differ in case alone
// collide.

import path from 'node:path';
import { command, inProject, oneOf, tidy } from './lib/command.js';
import { Taken } from './lib/collisions.js';
import { emptied } from './lib/empty.js';
import { Moves } from './lib/moves.js';
import { Plan } from './lib/plan.js';
import { rewire } from './lib/rewire.js';
import { readTree, treeOptions } from './lib/tree.js';

const { options, words } = command({
  name: 'flatten', about: 'Flatten a tree: all files into one folder, with a rule for those that collide.', words: ['DIR'],
  options: {
    into: { type: 'string', value: 'DIR', about: 'put the files there, not in DIR itself' },
    'on-collision': { type: 'string', default: 'refuse', value: 'RULE', about: 'refuse, number ("a (2).txt") or path ("sub-a.txt")' },
    prune: { type: 'boolean', about: 'delete the folders that are empty then' },
    imports: { type: 'boolean', about: 'fix imports below the working directory' },
    ...treeOptions,
  },
});
const rule = oneOf('on-collision', options['on-collision'], ['refuse', 'number', 'path']);
const place = options.imports ? inProject : tidy;
const dir = place(words[0]);
const into = options.into === undefined ? dir : place(options.into);

const tree = await readTree(dir, options);
const inHidden = (at) => path.relative(dir, path.dirname(at)).split('/').some((part) => part.startsWith('.') && part !== '.');
const files = [...tree.files.keys()].filter((at) => path.dirname(at) !== into && !inHidden(at));
const count = new Map();
for (const at of files) count.set(path.basename(at).toLowerCase(), (count.get(path.basename(at).toLowerCase()) ?? 0) + 1);

const plan = new Plan();
const moves = new Moves();
const taken = new Taken();
for (const at of files) {
  let target = path.join(into, path.basename(at));
  if (rule !== 'refuse' && (count.get(path.basename(at).toLowerCase()) > 1 || await taken.has(target))) {
    if (rule === 'path') target = path.join(into, path.relative(dir, at).replaceAll('/', '-'));
    target = await taken.free(target);
  }
  await taken.add(target);
  plan.move(at, target);
  moves.file(at, target);
}
if (options.imports && moves.size > 0) await rewire(await readTree('.', options), moves, plan);
if (options.prune) for (const empty of await emptied(dir, moves)) plan.deleteEmpty(empty);
tree.notes.forEach((n) => plan.note(n));
return await plan.finish({ dry: options.dry, nothing: `${dir} is flat already`, summary: { into, files: files.length } });
