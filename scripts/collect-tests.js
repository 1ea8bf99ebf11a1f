// Collect tests beside their sources, or away from them in a tree of their own.
//
// Asks which way, and works in the working directory, which has to be the top of
// the project. Tests are *.test.* and *.spec.* (JavaScript, TypeScript), test_*.py
// and *_test.py. Snapshots of a test go with it, and imports are fixed. Tests of
// Go stay: they are a part of their package.
//
//   codemode run @collect-tests -- [OPTIONS]
//
//   --to WHERE      beside (out of TESTS and __tests__ folders) or away (into TESTS)
//   --sources DIR   where the sources are (default: src)
//   --tests DIR     the tree of the tests, laid out like the sources (default: tests)
//   --dry           print the plan and change nothing
//   --all           also what Git ignores
//   --enter NAME    also look into directories of this name: node_modules, vendor

import path from 'node:path';
import { command, inProject, oneOf, Refusal, within } from './lib/command.js';
import { globbed } from './lib/glob.js';
import { Moves } from './lib/moves.js';
import { Plan } from './lib/plan.js';
import { rewire } from './lib/rewire.js';
import { readTree, treeOptions } from './lib/tree.js';

const { options } = command({
  name: 'collect-tests', about: 'Collect tests beside their sources, or away from them in a tree of their own.',
  options: {
    to: { type: 'string', value: 'WHERE', about: 'beside (out of TESTS and __tests__ folders) or away (into TESTS)' },
    sources: { type: 'string', default: 'src', value: 'DIR', about: 'where the sources are' },
    tests: { type: 'string', default: 'tests', value: 'DIR', about: 'the tree of the tests, laid out like the sources' },
    ...treeOptions,
  },
});
if (options.to === undefined) throw new Refusal('--to beside or --to away is missing');
const beside = oneOf('to', options.to, ['beside', 'away']) === 'beside';
const sources = inProject(options.sources);
const tests = inProject(options.tests);
if (sources === tests || within(tests, sources)) throw new Refusal(`the sources cannot lie in ${tests}`);

const tree = await readTree('.', options);
if (!tree.directories.has(sources) && sources !== '.') throw new Refusal(`there is no ${sources}; say --sources DIR`);
const isTest = globbed('{*.test,*.spec,*.test-d}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}');
const isPython = globbed('{test_*,*_test}.py');
const plan = new Plan();
const moves = new Moves();

function destination(at) {
  const dir = path.dirname(at);
  if (!beside) return within(sources, at) && !within(tests, at) ? path.join(tests, path.relative(sources, dir)) : null;
  if (path.basename(dir) === '__tests__') return path.dirname(within(tests, dir) ? path.join(sources, path.relative(tests, dir)) : dir);
  return within(tests, at) ? path.join(sources, path.relative(tests, dir)) : null;
}

function collect(at, target) {
  if (target === at) return;
  plan.move(at, target);
  moves.file(at, target);
}

for (const at of tree.files.keys()) {
  const name = path.basename(at);
  if (name.endsWith('_test.go') && within(sources, at)) plan.note('tests of Go stay: they are a part of their package');
  if (!isTest(name) && !isPython(name)) continue;
  const dir = destination(at);
  if (dir === null) continue;
  if (beside && dir !== '.' && !tree.directories.has(dir)) {
    plan.note(`${at} stays: there is no ${dir} for it`);
    continue;
  }
  collect(at, path.join(dir, name));
  const snapshot = path.join(path.dirname(at), '__snapshots__', `${name}.snap`);
  if (tree.files.has(snapshot)) collect(snapshot, path.join(dir, '__snapshots__', `${name}.snap`));
}
if (moves.size > 0) await rewire(tree, moves, plan);
tree.notes.forEach((n) => plan.note(n));
return await plan.finish({ dry: options.dry, nothing: beside ? 'no test lies apart from its source' : `no test lies in ${sources}`, summary: { tests: moves.size } });
