// Rename a Go package across a module: its clause, its directory, and every use.
//
// Asks for the package, as a directory or an import path, and the new name. The
// working directory has to be the top of the module or workspace.
//
//   codemode run @rename-package -- [OPTIONS] PACKAGE NAME
//
//   --keep-directory  rename the package only; import paths stay
//   --dry             print the plan and change nothing
//   --all             also what Git ignores
//   --enter NAME      also look into directories of this name: vendor
//
// The directory is renamed if it has the package's name. Files for any system or
// build tag, external tests, aliases, blank and dot imports are covered. Where a
// file has another use for the old or the new name, it goes on calling the package
// by the old one: import old "path/new". Strings, comments and settings that
// mention the import path or the directory are noted and left alone.

import path from 'node:path';
import { command, inProject, Refusal, within } from './lib/command.js';
import { importPath, readModules } from './lib/go_modules.js';
import { checkName, renamePackage } from './lib/go_package.js';
import { Moves } from './lib/moves.js';
import { Plan } from './lib/plan.js';
import { readTree, treeOptions } from './lib/tree.js';

const { options, words } = command({
  name: 'rename-package', about: 'Rename a Go package across a module: its clause, its directory, and every use.', words: ['PACKAGE', 'NAME'],
  options: { 'keep-directory': { type: 'boolean', about: 'rename the package only; import paths stay' }, ...treeOptions },
});
const [given, name] = words;
checkName(name);
const tree = await readTree('.', options);
const modules = await readModules(tree);
if (!modules.some((m) => m.name !== null)) throw new Refusal('there is no go.mod here; start at the top of the module');
const directories = [...new Set([...tree.files.keys()].filter((f) => f.endsWith('.go')).map((f) => path.dirname(f)))];
const dir = directories.find((d) => importPath(modules, d) === given) ?? (/^([/]|\.\.)/.test(given) ? undefined : inProject(given));
if (!directories.includes(dir)) {
  const meant = directories.filter((d) => path.basename(d) === given);
  throw new Refusal(`there is no Go package ${given}; name its directory or import path${meant.length > 0 ? `, such as ${meant.slice(0, 3).join(', ')}` : ''}`);
}

const plan = new Plan();
const moves = new Moves();
const target = path.join(path.dirname(dir), name);
const old = await renamePackage({ tree, modules, dir, name, plan, moves, target: options['keep-directory'] ? dir : target });
if (old !== name) for (const d of directories) if (d !== dir && within(dir, d) && moves.to(d) !== d) plan.note(`the import path of ${d} changes with its parent's`);
tree.notes.forEach((n) => plan.note(n));
return await plan.finish({ dry: options.dry, nothing: `the package is called ${name} already`, summary: { package: { from: old, to: name }, directory: { from: dir, to: moves.to(dir) } } });
