// Fixes the imports of JavaScript and TypeScript after files were moved.

import path from 'node:path';
import { within } from './command.js';
import { specifiers, scriptsOf } from './js_specifiers.js';
import { isRelative, meant, renamed, split } from './js_resolve.js';
import { aliased, readAliases, realias } from './js_aliases.js';
import { relative } from './moves.js';
import { source } from './tree.js';

const code = /\.([cm]?[jt]sx?|vue|svelte|astro)$/;

// rewireJS adds the edits that keep every specifier pointing to the file it
// points to now. What points to nothing keeps pointing to the same place.
export async function rewireJS(tree, moves, plan) {
  const files = new Set(tree.files.keys());
  if (![...files].some((f) => code.test(f))) return;
  const after = moves.after(files);
  const configs = await readAliases(tree);
  for (const { file, rules } of configs) {
    for (const { pattern, target } of rules) {
      const fixed = target.replace(/\/?\*.*$/, '');
      if (moves.to(fixed) !== fixed || moves.to(target) !== target) plan.note(`${file}: the path ${pattern} names ${fixed}, which moves; change it by hand`);
    }
  }
  for (const file of files) {
    if (!code.test(file)) continue;
    const content = await source(tree, file);
    if (content === null) continue;
    const edits = rewired(file, content, { files, after, moves, configs, plan });
    if (edits.length > 0) plan.edit(moves.to(file), content, edits);
  }
}

function rewired(file, content, { files, after, moves, configs, plan }) {
  const now = moves.to(file);
  const [oldDir, dir] = [path.dirname(file), path.dirname(now)];
  const edits = [];
  for (const [start, end] of /\.(vue|svelte|astro)$/.test(file) ? scriptsOf(content) : [[0, content.length]]) {
    const { found, computed } = specifiers(start === 0 && end === content.length ? content : content.slice(start, end), { jsx: !/\.[cm]?ts$/.test(file) });
    for (const { at, prefix } of computed) {
      const near = isRelative(prefix) && path.join(oldDir, prefix.replace(/[^/]*$/, '')).replace(/(.)\/$/, '$1');
      if (oldDir !== dir || (near && near !== '.' && [...moves.exact.keys()].some((m) => within(near, m)))) {
        plan.note(`${file}:${content.slice(0, start + at).split('\n').length} makes the name of what it imports at run time; look at it yourself`);
      }
    }
    for (const s of found) {
      const specifier = fixed(s);
      if (specifier !== s.value) edits.push({ start: start + s.start, end: start + s.end, replace: specifier });
    }
  }
  return edits;

  function fixed({ value, reference }) {
    if (isRelative(value) || reference) {
      const hit = meant(reference && !isRelative(value) ? `./${value}` : value, oldDir, files);
      if (hit) return kept(value, renamed(value, hit, dir, moves.to(hit.file), after), reference);
      const [bare, rest] = split(value);
      const at = path.join(oldDir, bare).replace(/(.)\/$/, '$1');
      const target = moves.to(at);
      if (target === at && oldDir === dir) return value;
      if (!files.has(at)) plan.note(`${file}: ${value} points to nothing that Git knows; it keeps pointing to ${target}`);
      const same = path.join(dir, bare).replace(/(.)\/$/, '$1') === target;
      return same ? value : relative(dir, target) + (bare.endsWith('/') ? '/' : '') + rest;
    }
    const hit = aliased(configs, value, file, files);
    if (!hit) return value;
    const target = moves.to(hit.file);
    if (target === hit.file) return value;
    const again = realias(value, hit, dir, target, after);
    if (again.left) plan.note(`${file}: ${value} is a path of ${hit.config.file} that does not reach ${target}; it becomes ${again.specifier}`);
    return again.specifier;
  }
}

// A reference path may lack the dot in front.
const kept = (old, specifier, reference) => (reference && !isRelative(old) && specifier.startsWith('./') ? specifier.slice(2) : specifier);
