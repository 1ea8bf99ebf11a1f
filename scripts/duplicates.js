// Find duplicate files by content and remove all but one of each.
//
// Asks for the folders, or takes the working directory. Files are the same if
// every byte is; each is looked at again just before it is deleted. Empty files,
// links and hidden folders do not count.
//
//   codemode run @duplicates -- [OPTIONS] [DIR...]
//
//   --keep WHICH  the one that stays: shortest (path), first (by path), oldest or newest (default: shortest)
//   --match GLOB  only files with such a name: *.jpg
//   --least N     only files of at least N bytes (default: 1)
//   --dry         print the plan and change nothing
//   --all         also what Git ignores
//   --enter NAME  also look into directories of this name: node_modules, vendor

import path from 'node:path';
import { command, oneOf, Refusal, tidy } from './lib/command.js';
import { globbed } from './lib/glob.js';
import { Plan } from './lib/plan.js';
import { same } from './lib/same.js';
import { readTree, treeOptions } from './lib/tree.js';

const { options, words } = command({
  name: 'duplicates', about: 'Find duplicate files by content and remove all but one of each.', words: ['DIR?...'],
  options: {
    keep: { type: 'string', default: 'shortest', value: 'WHICH', about: 'the one that stays: shortest (path), first (by path), oldest or newest' },
    match: { type: 'string', value: 'GLOB', about: 'only files with such a name: *.jpg' },
    least: { type: 'string', default: '1', value: 'N', about: 'only files of at least N bytes' },
    ...treeOptions,
  },
});
const byPath = (a, b) => (a.at < b.at ? -1 : 1);
const orders = {
  shortest: (a, b) => a.at.split('/').length - b.at.split('/').length || a.at.length - b.at.length || byPath(a, b),
  first: byPath,
  oldest: (a, b) => (a.mtime === b.mtime ? byPath(a, b) : a.mtime < b.mtime ? -1 : 1),
  newest: (a, b) => (a.mtime === b.mtime ? byPath(a, b) : a.mtime > b.mtime ? -1 : 1),
};
const order = orders[oneOf('keep', options.keep, Object.keys(orders))];
const least = Number(options.least);
if (!Number.isInteger(least) || least < 0) throw new Refusal(`--least ${options.least}: it is a number of bytes`);
const wanted = options.match === undefined ? () => true : globbed(options.match);

const plan = new Plan();
const bySize = new Map();
const seen = new Set();
for (const dir of words.length === 0 ? ['.'] : words.map(tidy)) {
  const tree = await readTree(dir, options);
  for (const [at, { name, size, mtime }] of tree.files) {
    if (seen.has(at) || size < Math.max(least, 1) || !wanted(name) || path.relative(dir, at).split('/').slice(0, -1).some((part) => part.startsWith('.'))) continue;
    seen.add(at);
    bySize.set(size, [...(bySize.get(size) ?? []), { at, size, mtime }]);
  }
  tree.notes.forEach((n) => plan.note(n));
}

let bytes = 0;
let groups = 0;
for (const files of bySize.values()) {
  for (const group of await same(files, (note) => plan.note(note))) {
    const [kept, ...rest] = group.sort(order);
    groups++;
    for (const file of rest) {
      bytes += file.size;
      plan.delete(file.at, `same as ${kept.at}`, async () => {
        const again = await same([kept, file], () => {});
        return again.length === 1 ? null : `${file.at} and ${kept.at} are not the same any more`;
      });
    }
  }
}
return await plan.finish({ dry: options.dry, nothing: 'there are no duplicates', summary: { groups, bytes } });
