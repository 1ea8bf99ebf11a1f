// Names for files that come together in one directory.

import path from 'node:path';

// Taken knows which names are in use, whatever their case.
export class Taken {
  constructor() { this.names = new Map(); }

  async has(target) {
    const dir = path.dirname(target);
    if (!this.names.has(dir)) {
      const there = await tools.list({ path: dir, limit: 1_000_000 }).catch((e) => {
        if (e instanceof OperationError && e.code === 'ENOENT') return { entries: [] };
        throw e;
      });
      this.names.set(dir, new Set(there.entries.map((e) => e.name.toLowerCase())));
    }
    return this.names.get(dir).has(path.basename(target).toLowerCase());
  }

  async add(target) {
    await this.has(target);
    this.names.get(path.dirname(target)).add(path.basename(target).toLowerCase());
  }

  // free is target, or the first of "name (2).ext", "name (3).ext" … that is free.
  async free(target) {
    const { dir, name, ext } = path.parse(target);
    for (let n = 1; ; n++) {
      const candidate = n === 1 ? target : path.join(dir, `${name} (${n})${ext}`);
      if (!await this.has(candidate)) return candidate;
    }
  }
}
