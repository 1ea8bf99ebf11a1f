// The modules of a tree, and the import paths of its directories.

import path from 'node:path';
import { source } from './tree.js';

// readModules returns the go.mod and go.work files, the innermost first.
export async function readModules(tree) {
  const modules = [];
  for (const file of tree.files.keys()) {
    const base = path.basename(file);
    if (base !== 'go.mod' && base !== 'go.work') continue;
    const content = await source(tree, file);
    if (content === null) continue;
    const name = base === 'go.mod' ? /^\s*module\s+("?)([^\s"]+)\1/m.exec(content)?.[2] ?? null : null;
    modules.push({ file, dir: path.dirname(file), name, content, paths: localPaths(content) });
  }
  return modules.sort((a, b) => b.dir.length - a.dir.length);
}

// Local directories that a go.mod or go.work names: behind => and in use.
function localPaths(content) {
  const found = [];
  let block = '';
  let at = 0;
  for (const line of content.split('\n')) {
    const code = line.replace(/\/\/.*$/, '');
    const opens = /^\s*(\w+)\s*\(/.exec(code);
    if (opens) block = opens[1];
    else if (/^\s*\)/.test(code)) block = '';
    else {
      const m = block === 'use' ? /^\s*()("?)(\.[^\s"]*)\2/.exec(code) : /^(\s*use\s+|.*=>\s*)("?)(\.{1,2}(?:\/[^\s"]*)?)\2/.exec(code);
      if (m) found.push({ value: m[3], start: at + m[0].length - m[2].length - m[3].length, end: at + m[0].length - m[2].length });
    }
    at += line.length + 1;
  }
  return found;
}

export const moduleAround = (modules, dir) => modules.find((m) => m.name !== null && (m.dir === '.' || dir === m.dir || dir.startsWith(`${m.dir}/`)));

// importPath is that of a directory, or null outside of any module.
export function importPath(modules, dir) {
  const module = moduleAround(modules, dir);
  if (!module) return null;
  const rel = path.relative(module.dir, dir);
  return rel === '' ? module.name : `${module.name}/${rel}`;
}

// visible reports whether the package at an import path may be imported from
// another: what lies in internal is for those beside it.
export function visible(imported, importer) {
  const at = `/${imported}/`.lastIndexOf('/internal/');
  if (at < 0) return true;
  const parent = imported.slice(0, Math.max(0, at - 1));
  return parent === '' || importer === parent || importer.startsWith(`${parent}/`);
}
