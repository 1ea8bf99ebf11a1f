// Move a source folder or file, and fix every import in JavaScript, TypeScript, Python and Go.
//
// Asks for the folder and what it becomes, both below the working directory,
// which has to be the top of the project: whatever imports something is looked
// for there. TARGET is the resulting folder, and must not exist.
//
//   codemode run @move -- [OPTIONS] SOURCE TARGET
//
//   --dry          print the plan and change nothing
//   --all          also fix files that Git ignores
//   --enter NAME   also look into directories of this name: node_modules, vendor
//
// A specifier keeps its manner: with or without ending, .js for a .ts file, the
// index of a directory, a path of tsconfig.json where one reaches the new place.
// In Go the names of packages stay. What cannot be decided is noted.

import { command, inProject, Refusal, within } from './lib/command.js';
import { Moves } from './lib/moves.js';
import { Plan } from './lib/plan.js';
import { rewire } from './lib/rewire.js';
import { readTree, treeOptions } from './lib/tree.js';

const { options, words } = command({
  name: 'move', about: 'Move a source folder or file, and fix every import in JavaScript, TypeScript, Python and Go.',
  words: ['SOURCE', 'TARGET'], options: treeOptions,
});
const [from, target] = words.map(inProject);
if (from === '.' || target === '.') throw new Refusal('the working directory itself cannot be moved');
const there = await tools.stat({ path: from }).catch((e) => e);
if (there instanceof Error) {
  const done = await tools.stat({ path: target }).catch(() => null);
  throw new Refusal(`there is no ${from}${done ? `; ${target} exists, so it may have been moved before` : ''}`);
}
if (there.kind !== 'directory' && there.kind !== 'file') throw new Refusal(`${from} is a ${there.kind}; only folders and files are moved`);
if (within(from, target)) throw new Refusal(`${target} is ${from} itself or lies in it`);

const tree = await readTree('.', options);
const moves = new Moves();
moves[there.kind](from, target);
const plan = new Plan();
plan.move(from, target);
await rewire(tree, moves, plan);
tree.notes.forEach((n) => plan.note(n));
return await plan.finish({ dry: options.dry, summary: { moved: { from, target } } });
