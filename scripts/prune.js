// Prune empty directories, and those that hold nothing but empty ones.
//
// Asks for the folder, or takes the working directory. The folder itself stays.
// A directory with files that Git ignores is not empty, and neither is one with
// a .gitkeep. Only the outermost is deleted, and only if it still is empty then.
//
//   codemode run @prune -- [OPTIONS] [DIR]
//
//   --junk       a directory that holds only .DS_Store, Thumbs.db and the like is empty, too
//   --keep NAME  leave directories of this name alone
//   --dry        print the plan and change nothing

import { command, tidy } from './lib/command.js';
import { emptied } from './lib/empty.js';
import { Plan } from './lib/plan.js';

const { options, words } = command({
  name: 'prune', about: 'Prune empty directories, and those that hold nothing but empty ones.', words: ['DIR?'],
  options: {
    junk: { type: 'boolean', about: 'a directory that holds only .DS_Store, Thumbs.db and the like is empty, too' },
    keep: { type: 'string', multiple: true, default: [], value: 'NAME', about: 'leave directories of this name alone' },
  },
});
const dir = tidy(words[0] ?? '.');
const plan = new Plan();
const found = await emptied(dir, null, { throwAway: options.junk, keep: options.keep });
for (const at of found) plan.deleteEmpty(at, options.junk);
return await plan.finish({ dry: options.dry, nothing: `${dir} holds no empty directories`, summary: { empty: found.length } });
