// Which file a relative specifier means, by the rules that Node, TypeScript and
// bundlers share, and how to name it from somewhere else in the same manner.

import path from 'node:path';
import { relative } from './moves.js';

const endings = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', '.node', '.vue', '.svelte', '.css', '.scss', '.sass', '.less'];
// What TypeScript sources are called in specifiers: by what they become.
const becomes = [['.js', ['.ts', '.tsx', '.d.ts']], ['.jsx', ['.tsx', '.ts']], ['.mjs', ['.mts', '.d.mts']], ['.cjs', ['.cts', '.d.cts']]];

// split takes a query or fragment off a specifier: ./a.svg?raw.
export function split(specifier) {
  const at = specifier.search(/[?#]/);
  return at <= 0 ? [specifier, ''] : [specifier.slice(0, at), specifier.slice(at)];
}

// resolve finds the file at a path that may lack its ending. It returns {file,
// how, ending} or null.
export function resolve(at, files, directory = false) {
  if (!directory) {
    if (files.has(at)) return { file: at, how: 'exact' };
    for (const [written, sources] of becomes) {
      if (!at.endsWith(written)) continue;
      for (const ending of sources) {
        const file = at.slice(0, -written.length) + ending;
        if (files.has(file)) return { file, how: 'written', ending, written };
      }
    }
    for (const ending of endings) if (files.has(at + ending)) return { file: at + ending, how: 'short', ending };
  }
  for (const ending of endings) {
    const file = path.join(at, `index${ending}`);
    if (files.has(file)) return { file, how: 'index', ending };
  }
  const manifest = path.join(at, 'package.json');
  return files.has(manifest) ? { file: manifest, how: 'package', ending: '' } : null;
}

export const isRelative = (specifier) => /^\.\.?(\/|$)/.test(specifier);

const isDirectory = (specifier) => /(^|\/)\.{0,2}$/.test(specifier);

// meant is the file that a relative specifier in a file of dir means.
export function meant(specifier, dir, files) {
  const [bare] = split(specifier);
  return resolve(path.join(dir, bare).replace(/(.)\/$/, '$1'), files, isDirectory(bare));
}

// ways are the paths by which a file can be named, the one that is like before
// first.
export function ways(file, before) {
  const list = [];
  const short = endings.filter((e) => file.endsWith(e)).sort((a, b) => b.length - a.length)[0];
  const index = short && path.basename(file) === `index${short}`;
  const written = becomes.find(([, sources]) => sources.some((s) => file.endsWith(s)))?.[0];
  if (before.how === 'package') list.push(path.dirname(file));
  if (before.how === 'index' && index) list.push(path.dirname(file));
  if (before.how === 'written' && written) list.push(file.slice(0, -short.length) + (file.endsWith(before.ending) ? before.written : written));
  if (before.how === 'short' || before.how === 'index') {
    if (short) list.push(file.slice(0, -short.length));
    if (index) list.push(path.dirname(file));
    if (written) list.push(file.slice(0, -short.length) + written);
  }
  list.push(file);
  return list;
}

// renamed is the specifier by which a file of dir means target, in the manner of
// the old one.
export function renamed(specifier, before, dir, target, files) {
  const [bare, rest] = split(specifier);
  if (meant(bare, dir, files)?.file === target) return specifier;
  for (const way of ways(target, before)) {
    let now = relative(dir, way);
    if (/(^|\/)\.{1,2}\/$|[^.]\/$/.test(bare) && way === path.dirname(target)) now += '/';
    if (meant(now, dir, files)?.file === target) return now + rest;
  }
  return relative(dir, target) + rest;
}
