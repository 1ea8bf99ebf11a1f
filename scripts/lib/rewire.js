// Fixes every import that a set of moves would break, in all languages known.

import { rewireGo } from './go_rewire.js';
import { rewireJS } from './js_rewire.js';
import { rewirePython } from './py_rewire.js';
import { source } from './tree.js';

export async function rewire(tree, moves, plan) {
  await rewireJS(tree, moves, plan);
  await rewirePython(tree, moves, plan);
  await rewireGo(tree, moves, plan);
  await mentions(tree, moves, plan);
}

const settings = /(^|\/)(Makefile|Dockerfile[^/]*|\.gitattributes|CODEOWNERS|[^/]*\.(json|jsonc|toml|cfg|ini|ya?ml|mk|html|css|scss|less))$/;

// mentions points out settings that name a path that moves: nobody can know what
// they mean by it.
async function mentions(tree, moves, plan) {
  const names = [...moves.exact].filter(([from, to]) => from !== to).map(([from]) => from).filter((name) => /[./]/.test(name)).slice(0, 500);
  for (const [file, { size }] of tree.files) {
    if (!settings.test(file) || size > 256 << 10 || /(^|\/)(package-lock|[jt]sconfig[^/]*)\.json$/.test(file)) continue;
    const content = await source(tree, file);
    const named = content === null ? undefined : names.find((name) => says(content, name));
    if (named) plan.note(`${file} mentions ${named}; look at it yourself`);
  }
}

// says reports whether a text has a path that is not a part of a longer name.
function says(content, name) {
  for (let at = content.indexOf(name); at >= 0; at = content.indexOf(name, at + 1)) {
    if (!/[\w-]/.test(content[at - 1] ?? ' ') && !/[\w-]/.test(content[at + name.length] ?? ' ')) return true;
  }
  return false;
}
