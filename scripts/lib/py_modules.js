// Which file a Python module name means.

import path from 'node:path';

// A Modules knows the Python files of a tree. Its roots are where absolute names
// begin: beside each top-level package, the top of the tree, and src.
export class Modules {
  constructor(files) {
    this.files = files;
    this.directories = new Set();
    for (const file of files) {
      if (!file.endsWith('.py')) continue;
      for (let dir = path.dirname(file); dir !== '.' && !this.directories.has(dir); dir = path.dirname(dir)) this.directories.add(dir);
    }
    const roots = new Set(['.']);
    for (const file of files) if (path.basename(file) === '__init__.py') roots.add(this.rootOf(file));
    if (this.directories.has('src') && !this.isPackage('src')) roots.add('src');
    this.roots = [...roots].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  }

  isPackage(dir) { return this.files.has(path.join(dir, '__init__.py')); }

  // rootOf is the directory that holds the outermost package around a file, or
  // null where no package does.
  rootOf(file) {
    let root = null;
    for (let dir = path.dirname(file); dir !== '.' && dir !== '/'; dir = path.dirname(dir)) if (this.isPackage(dir)) root = path.dirname(dir);
    return root;
  }

  // at is the module at a path without ending: its file, or the directory of a
  // package. Namespace packages are directories without __init__.py.
  at(place) {
    if (place === '.' || place === '') return null;
    if (this.isPackage(place)) return { kind: 'package', path: place };
    for (const ending of ['.py', '.pyi']) if (this.files.has(place + ending)) return { kind: 'module', path: place + ending };
    return this.directories.has(place) ? { kind: 'namespace', path: place } : null;
  }

  // find is what an absolute name means in a file, of the longest prefix that
  // means anything: {module, root, length}.
  find(names, importer, { whole = true } = {}) {
    const roots = this.rootOf(importer) === null ? [path.dirname(importer), ...this.roots] : [this.rootOf(importer), ...this.roots];
    for (let length = names.length; length > 0; length--) {
      for (const root of roots) {
        const module = this.at(path.join(root, ...names.slice(0, length)));
        if (module && (module.kind !== 'namespace' || length === names.length)) return { module, root, length };
      }
      if (whole) return null;
    }
    return null;
  }

  // relativeTo is what dots and names mean in a file.
  relativeTo(level, names, importer) {
    let dir = path.dirname(importer);
    for (let i = 1; i < level; i++) dir = path.dirname(dir);
    if (names.length > 0) return this.at(path.join(dir, ...names));
    return this.isPackage(dir) ? { kind: 'package', path: dir } : { kind: 'namespace', path: dir };
  }
}

// stem is a module's path without ending.
export const stem = (module) => module.path.replace(/\.pyi?$/, '');

// nameFrom is the absolute name of what lies at a path without ending.
export function nameFrom(root, place) {
  const rel = path.relative(root, place);
  return rel === '' || rel.startsWith('..') ? null : rel.replaceAll('/', '.');
}
