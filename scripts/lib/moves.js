// Where everything will be: moves of files and whole directories, as one mapping.

import path from 'node:path';

export class Moves {
  constructor() {
    this.exact = new Map();
    this.directories = [];
  }

  file(from, target) { this.exact.set(from, target); }

  directory(from, target) {
    this.directories.push([`${from}/`, `${target}/`]);
    this.directories.sort(([a], [b]) => b.length - a.length);
    this.exact.set(from, target);
  }

  get size() { return this.exact.size; }

  // to is the new path of a file or directory.
  to(at) {
    const moved = this.exact.get(at);
    if (moved !== undefined) return moved;
    for (const [from, target] of this.directories) if (at.startsWith(from)) return target + at.slice(from.length);
    return at;
  }

  // after is a tree's paths as they will be.
  after(paths) {
    const out = new Set();
    for (const at of paths) out.add(this.to(at));
    return out;
  }
}

// relative is a path as seen from a directory, beginning with a dot.
export function relative(dir, target) {
  const rel = path.relative(dir, target);
  return rel === '' ? '.' : rel.startsWith('..') && (rel === '..' || rel[2] === '/') ? rel : `./${rel}`;
}
