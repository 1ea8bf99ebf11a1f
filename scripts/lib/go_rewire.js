// Fixes the imports of Go after files were moved.

import path from 'node:path';
import { parseGo } from './go_source.js';
import { importPath, moduleAround, readModules, visible } from './go_modules.js';
import { relative } from './moves.js';
import { source } from './tree.js';

// rewireGo adds the edits that keep every import path meaning the package it
// means now. The names of packages stay: a package is renamed by @rename-package.
export async function rewireGo(tree, moves, plan) {
  const files = [...tree.files.keys()].filter((f) => f.endsWith('.go'));
  const modules = await readModules(tree);
  if (files.length === 0 && modules.length === 0) return;
  const dirs = packageMoves(files, moves, plan);
  const now = modules.map((m) => ({ ...m, dir: moves.to(m.dir) })).sort((a, b) => b.dir.length - a.dir.length);
  const paths = new Map();
  for (const [from, to] of dirs) {
    const [before, after] = [importPath(modules, from), importPath(now, to)];
    if (before === null || before === after) continue;
    paths.set(before, after);
    const [was, is] = [moduleAround(modules, from), moduleAround(now, to)];
    if (was.name !== is?.name) plan.problem(`${from} would leave the module ${was.name}; its go.mod says nothing about ${to}`);
  }
  for (const m of modules) {
    const edits = m.paths.flatMap(({ value, start, end }) => {
      const replace = relative(path.dirname(moves.to(m.file)), moves.to(path.join(m.dir, value)));
      return path.join(path.dirname(moves.to(m.file)), value) === moves.to(path.join(m.dir, value)) ? [] : [{ start, end, replace }];
    });
    if (edits.length > 0) plan.edit(moves.to(m.file), m.content, edits);
  }
  for (const file of files) {
    const content = await source(tree, file);
    if (content === null) continue;
    const own = importPath(now, path.dirname(moves.to(file)));
    const edits = [];
    const parsed = parseGo(content);
    for (const { path: name, start, end } of parsed.imports) {
      const replace = paths.get(name) ?? name;
      if (replace !== name) edits.push({ start, end, replace });
      if (own && !visible(replace, own) && visible(name, importPath(modules, path.dirname(file)) ?? '')) plan.note(`${moves.to(file)} may not import ${replace}: what lies in internal is for packages beside it`);
    }
    for (const c of parsed.comments) {
      const said = /^\/\/ import "([^"]+)"|^\/\* import "([^"]+)" \*\//.exec(content.slice(c.start, c.end));
      const name = said?.[1] ?? said?.[2];
      if (name && paths.has(name) && parsed.pkg && !content.slice(parsed.pkg.end, c.start).trim()) {
        const at = content.indexOf(name, c.start);
        edits.push({ start: at, end: at + name.length, replace: paths.get(name) });
      }
      embeds(file, content.slice(c.start, c.end), moves, plan);
    }
    if (edits.length > 0) plan.edit(moves.to(file), content, edits);
  }
}

// packageMoves says where each directory of Go files goes. A package is one
// directory: it moves whole, and never into another.
function packageMoves(files, moves, plan) {
  const goes = new Map(); // directory -> set of where its files go
  const holds = new Map(); // directory -> set of where the files come from
  for (const file of files) {
    const [from, to] = [path.dirname(file), path.dirname(moves.to(file))];
    goes.set(from, (goes.get(from) ?? new Set()).add(to));
    holds.set(to, (holds.get(to) ?? new Set()).add(from));
  }
  const dirs = new Map();
  for (const [from, to] of goes) {
    if (to.size > 1) plan.problem(`the Go package in ${from} would be torn apart, into ${[...to].join(' and ')}`);
    else dirs.set(from, [...to][0]);
  }
  for (const [to, from] of holds) if (from.size > 1) plan.problem(`Go files of ${[...from].join(' and ')} would become one package, in ${to}`);
  return dirs;
}

// A pattern of go:embed names files as they are called now.
function embeds(file, comment, moves, plan) {
  const m = /^\/\/go:embed\s+(.*)$/.exec(comment.trimEnd());
  if (!m) return;
  for (const pattern of m[1].match(/"[^"]*"|`[^`]*`|\S+/g) ?? []) {
    const fixed = path.join(path.dirname(file), pattern.replace(/^["`]|["`]$/g, '').replace(/^all:/, '').replace(/\/?[^/]*[*?[].*$/, ''));
    const to = moves.to(fixed);
    if (to !== path.join(path.dirname(moves.to(file)), path.relative(path.dirname(file), fixed))) plan.problem(`${file} embeds ${pattern}, which would become ${to}: change the directive and the move together, by hand`);
  }
}
