// Renames a Go package: clauses, qualifiers, import paths.

import path from 'node:path';
import { Refusal } from './command.js';
import { importPath } from './go_modules.js';
import { parseGo } from './go_source.js';
import { relative } from './moves.js';
import { source } from './tree.js';

const keywords = new Set('break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var'.split(' '));

// checkName refuses names that a package cannot have, or that would mean
// something else.
export function checkName(name) {
  if (!/^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(name) || keywords.has(name) || name === '_') throw new Refusal(`${name} is not a name for a package`);
  if (['main', 'init', 'internal', 'vendor', 'testdata', 'documentation'].includes(name) || name.endsWith('_test')) throw new Refusal(`a package called ${name} would mean something else to Go`);
}

// renamePackage plans it all, and returns the old name.
export async function renamePackage({ tree, modules, dir, name, plan, moves, target }) {
  const sources = await readGo(tree);
  const own = sources.filter((s) => s.dir === dir);
  const old = nameOf(own);
  if (old === 'main') throw new Refusal(`${dir} is a program; nothing imports it by a name`);
  if (old === name) return old;
  if (own.some((s) => s.pkg?.name === name)) throw new Refusal(`${dir} holds files of a package ${name} already`);
  if (path.basename(dir) === old && dir !== '.' && target !== dir) {
    plan.move(dir, target);
    moves.directory(dir, target);
  }
  const paths = new Map(); // import paths that change, those of packages below included
  for (const d of new Set(sources.map((s) => s.dir))) {
    const before = importPath(modules, d);
    const after = importPath(modules.map((m) => ({ ...m, dir: moves.to(m.dir) })), moves.to(d));
    if (before && after && before !== after) paths.set(before, after);
  }
  const world = { old, name, dir, self: importPath(modules, dir), paths, sources, plan, modules };
  for (const s of sources) {
    const edits = s.dir === dir ? [...clause(s, world), ...uses(s, world)] : uses(s, world);
    if (edits.length > 0) plan.edit(moves.to(s.file), s.content, edits);
  }
  for (const m of modules) {
    const edits = m.paths.flatMap(({ value, start, end }) => {
      const now = moves.to(path.join(m.dir, value));
      return now === path.join(moves.to(m.dir), value) ? [] : [{ start, end, replace: relative(moves.to(m.dir), now) }];
    });
    if (edits.length > 0) plan.edit(moves.to(m.file), m.content, edits);
  }
  return old;
}

async function readGo(tree) {
  const sources = [];
  for (const file of tree.files.keys()) {
    if (!file.endsWith('.go')) continue;
    const content = await source(tree, file);
    if (content !== null) sources.push({ file, dir: path.dirname(file), content, ...parseGo(content) });
  }
  return sources;
}

// The name of the package in a directory: that of its files which are neither an
// external test nor, behind a build tag, a program.
function nameOf(own) {
  const names = new Set(own.filter((s) => s.pkg && !s.file.endsWith('_test.go')).map((s) => s.pkg.name));
  if (names.size > 1) names.delete('main');
  names.delete('documentation');
  if (names.size === 0) for (const s of own) if (s.pkg) names.add(s.pkg.name.replace(/_test$/, ''));
  if (names.size !== 1) throw new Refusal(`${own[0]?.dir} holds files of several packages: ${[...names].join(', ') || 'none'}`);
  return [...names][0];
}

// The package clause of the package's own files, and what its comment says.
function clause({ pkg, content, comments }, { old, name, self, paths }) {
  const isTest = pkg?.name === `${old}_test`;
  if (!pkg || (pkg.name !== old && !isTest)) return [];
  const edits = [{ start: pkg.start, end: pkg.end, replace: isTest ? `${name}_test` : name }];
  for (const { start, end } of comments) {
    const comment = content.slice(start, end);
    const doc = new RegExp(`^(//|/\\*)\\s*Package ${old}\\b`).exec(comment);
    if (doc && end < pkg.start) edits.push({ start: start + doc[0].length - old.length, end: start + doc[0].length, replace: name });
    const at = paths.has(self) && start > pkg.end && !content.slice(pkg.end, start).trim() ? comment.indexOf(`import "${self}"`) : -1;
    if (at >= 0) edits.push({ start: start + at + 8, end: start + at + 8 + self.length, replace: paths.get(self) });
  }
  return edits;
}

// The imports of a file that change, and the qualifiers of the package.
function uses(s, { old, name, self, paths, sources, plan }) {
  const edits = [];
  for (const i of s.imports) {
    const now = paths.get(i.path);
    if (now) edits.push({ start: i.start, end: i.end, replace: now });
    if (i.path !== self || i.alias !== null) continue;
    const reason = otherwise(s, old, name, sources);
    if (reason) {
      edits.push({ start: i.start - 1, end: i.start - 1, replace: `${old} ` });
      plan.note(`${s.file} goes on calling the package ${old}: ${reason}`);
      continue;
    }
    for (const n of s.names) if (n.name === old && n.selected && !n.selector) edits.push({ start: n.start, end: n.end, replace: name });
  }
  for (const { start, end } of s.comments) {
    const comment = s.content.slice(start, end);
    if (/^\/\/go:linkname /.test(comment) && comment.includes(self)) plan.note(`${s.file} links to names of ${self}; change it by hand: ${comment.trim()}`);
  }
  return edits;
}

// otherwise says why a file cannot use the new name for the package.
function otherwise(s, old, name, sources) {
  if (s.names.some((n) => n.name === old && !n.selector && !n.selected)) return `${old} is the name of something else there, too`;
  if (s.imports.some((i) => (i.alias ?? path.basename(i.path)) === name)) return `it imports another package as ${name}`;
  const there = sources.find((o) => o.dir === s.dir && (o === s || o.pkg?.name === s.pkg?.name) && o.names.some((n) => n.name === name && !n.selector && (o === s || !n.selected)));
  if (there) return `${name} is the name of something else ${there === s ? 'there' : `in ${there.file}`}`;
  if (s.imports.some((i) => i.alias === '.')) return 'it imports another package with a dot, which may bring the name';
  return null;
}
