// Fixes the imports of Python after files were moved.

import path from 'node:path';
import { parsePython } from './py_source.js';
import { Modules, nameFrom, stem } from './py_modules.js';
import { source } from './tree.js';

// rewirePython adds the edits that keep every import meaning the module it means
// now, and the dotted uses of modules that have another name then.
export async function rewirePython(tree, moves, plan) {
  const files = new Set(tree.files.keys());
  const python = [...files].filter((f) => /\.pyi?$/.test(f));
  if (python.length === 0) return;
  const world = { old: new Modules(files), now: new Modules(moves.after(files)), moves, plan };
  for (const file of python) {
    const content = await source(tree, file);
    if (content === null) continue;
    const edits = new Rewriting(world, file, content).edits();
    if (edits.length > 0) plan.edit(moves.to(file), content, edits);
  }
}

class Rewriting {
  constructor({ old, now, moves, plan }, file, content) {
    Object.assign(this, { old, now, moves, plan, file, content, after: moves.to(file), made: [] });
    this.newline = content.includes('\r\n') ? '\r\n' : '\n';
  }

  edits() {
    if (!/\bimport\b/.test(this.content)) return [];
    const { imports, chains, bound } = parsePython(this.content);
    this.chains = chains;
    this.bound = bound;
    const plain = new Map(); // names that "import a.b" binds, with what becomes of them
    for (const statement of imports) {
      if (statement.kind === 'from') this.from(statement);
      else this.plain(statement, plain);
    }
    this.uses(plain);
    return this.made;
  }

  put(start, end, replace) {
    if (this.content.slice(start, end) !== replace) this.made.push({ start, end, replace });
  }

  // The absolute name of a module as it will be, seen from this file.
  absolute(module, root) {
    const place = this.place(module);
    // A file that no package holds imports what lies beside it.
    if (root === path.dirname(this.file) && !this.old.roots.includes(root)) {
      const beside = nameFrom(path.dirname(this.after), place);
      if (beside !== null) return beside;
      this.plan.note(`${this.file}: ${place} will no longer lie beside it; whether Python finds it depends on how it is started`);
    } else if (place === stem(module)) {
      return nameFrom(root, place);
    }
    return this.nameOf(place, root);
  }

  // The absolute name of what will be at a place.
  nameOf(place, root) {
    const inside = this.now.rootOf(`${place}/x`);
    if (inside !== null) return nameFrom(inside, place);
    return nameFrom(this.moves.to(root), place) ?? nameFrom(root, place) ?? nameFrom('.', place);
  }

  // Where a module will be, without ending.
  place(module) {
    if (module.kind === 'package') return path.dirname(this.moves.to(path.join(module.path, '__init__.py')));
    return stem({ path: this.moves.to(module.path) });
  }

  // What will be at a place, as a from statement names it with dots; null where it
  // cannot.
  dotsTo(place) {
    const dir = path.dirname(this.after);
    let common = dir;
    let dots = '.';
    while (place !== common && !place.startsWith(common === '.' ? '' : `${common}/`)) {
      if (!this.now.isPackage(common) && !this.now.isPackage(path.dirname(common))) return null;
      common = path.dirname(common);
      dots += '.';
    }
    if (common === '.') return null;
    return dots + (place === common ? '' : path.relative(common, place).replaceAll('/', '.'));
  }

  from(s) {
    const found = s.level > 0 ? null : this.old.find(s.names, this.file);
    const module = s.level > 0 ? this.old.relativeTo(s.level, s.names, this.file) : found?.module;
    const root = found?.root ?? this.old.rootOf(this.file) ?? '.';
    if (!module) {
      if (s.level > 0 && path.dirname(this.file) !== path.dirname(this.after)) this.plan.note(`${this.file}: from ${'.'.repeat(s.level)}${s.names.join('.')} points to nothing that is there; look at it yourself`);
      return;
    }
    const home = (s.level > 0 ? this.dotsTo(this.place(module)) : null) ?? this.absolute(module, root);
    const written = '.'.repeat(s.level) + s.names.join('.');
    // Names that are modules themselves go where those go.
    const apart = [];
    for (const item of module.kind === 'module' ? [] : s.items) {
      const sub = this.old.at(path.join(module.path, item.name));
      if (!sub || (sub.kind === 'namespace' && this.place(sub) === sub.path)) continue;
      const place = this.place(sub);
      if (path.basename(place) === item.name && path.dirname(place) === this.place(module)) continue;
      apart.push({ item, name: path.basename(place), from: path.dirname(place) });
    }
    if (apart.length === 0) {
      if (home !== null && home !== written) this.put(s.moduleStart, s.moduleEnd, home);
      return;
    }
    this.rebuild(s, home, apart, root);
  }

  // A statement whose names now come from several modules becomes several.
  rebuild(s, home, apart, root) {
    const groups = new Map();
    const add = (from, name) => groups.set(from, [...(groups.get(from) ?? []), name]);
    for (const item of s.items) {
      const elsewhere = apart.find((a) => a.item === item);
      if (!elsewhere) {
        add(home, item.as ? `${item.name} as ${item.as}` : item.name);
        continue;
      }
      const from = (s.level > 0 ? this.dotsTo(elsewhere.from) : null) ?? this.nameOf(elsewhere.from, root);
      const as = item.as ?? (elsewhere.name === item.name ? null : item.name);
      add(from, as ? `${elsewhere.name} as ${as}` : elsewhere.name);
    }
    const lines = [...groups].map(([from, names]) => `from ${from} import ${names.join(', ')}`);
    const comments = [...this.content.slice(s.start, s.end).matchAll(/#[^\n\r]*/g)].map((m) => m[0]);
    const between = s.indent === null ? '; ' : this.newline + s.indent;
    if (s.indent === null && comments.length > 0) this.plan.note(`${this.file}: comments inside an import were dropped: ${comments.join(' ')}`);
    this.put(s.start, s.end, [...(s.indent === null ? [] : comments), ...lines].join(between));
  }

  plain(s, plain) {
    for (const item of s.items) {
      const found = this.old.find(item.names, this.file);
      const name = found && this.absolute(found.module, found.root);
      const same = !name || name === item.names.join('.');
      if (!item.as && item.names.length > 1) {
        const [top] = item.names;
        plain.set(top, [...(plain.get(top) ?? []), { statement: s, item, name: same ? null : name }]);
      } else if (!item.as) plain.set(item.names[0], [...(plain.get(item.names[0]) ?? []), { statement: s, item, name: null }]);
      if (same) continue;
      this.put(item.start, item.end, item.as || item.names.length > 1 ? name : `${name} as ${item.names[0]}`);
    }
  }

  // After "import a.b" the name a.b is used as it is written.
  uses(plain) {
    for (const [top, items] of plain) {
      const changed = items.filter((i) => i.name !== null);
      const uses = this.chains.filter((c) => c.names[0] === top);
      if (changed.length === 0) {
        this.attributes(top, uses);
        continue;
      }
      if (this.bound.has(top)) this.plan.note(`${this.file}: ${top} is also the name of something else here; look at its uses yourself`);
      const stays = items.some((i) => i.name === null || i.name.split('.')[0] === top);
      let left = false;
      for (const c of uses) {
        const found = c.names.length > 1 ? this.old.find(c.names, this.file, { whole: false }) : null;
        const name = found && this.absolute(found.module, found.root);
        if (!found || name === c.names.slice(0, found.length).join('.')) left = true;
        else this.put(c.start, c.ends[found.length - 1], name);
      }
      if (left && !stays) {
        const { statement: s } = changed.at(-1);
        const found = this.old.find([top], this.file);
        const name = found ? this.absolute(found.module, found.root) : top;
        const binding = name === top ? `import ${top}` : `import ${name} as ${top}`;
        this.put(s.end, s.end, (s.indent === null ? '; ' : this.newline + s.indent) + binding);
      }
    }
  }

  // After "import a" alone, a.b works where somebody else imports a.b.
  attributes(top, uses) {
    for (const c of uses) {
      const found = c.names.length > 1 ? this.old.find(c.names, this.file, { whole: false }) : null;
      if (!found || found.length < 2) continue;
      const before = c.names.slice(0, found.length).join('.');
      const name = this.absolute(found.module, found.root);
      if (name === before) continue;
      if (name.split('.')[0] === top) this.put(c.start, c.ends[found.length - 1], name);
      else this.plan.note(`${this.file}: ${before} is used without being imported here, and becomes ${name}; import it yourself`);
    }
  }
}
