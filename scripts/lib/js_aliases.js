// The paths and baseUrl of tsconfig.json and jsconfig.json: other names for files.

import path from 'node:path';
import { parseJSONC } from './jsonc.js';
import { source } from './tree.js';
import { relative } from './moves.js';
import { resolve, split, ways } from './js_resolve.js';

// readAliases returns the configurations of a tree, the innermost first.
export async function readAliases(tree) {
  const options = new Map();
  for (const file of tree.files.keys()) {
    if (!/^(ts|js)config(\..+)?\.json$/.test(path.basename(file))) continue;
    const content = await source(tree, file);
    try {
      if (content !== null) options.set(file, parseJSONC(content));
    } catch {
      tree.notes.push(`${file} cannot be parsed; its paths were not looked at`);
    }
  }
  const configs = [];
  for (const file of options.keys()) {
    const found = effective(file, options);
    if (found) configs.push({ file, dir: path.dirname(file), ...found });
  }
  return configs.sort((a, b) => b.dir.length - a.dir.length || (path.basename(a.file) === 'tsconfig.json' ? -1 : 1));
}

// effective follows extends, as far as it leads to files of the tree.
function effective(file, options, depth = 0) {
  const config = options.get(file);
  if (!config || typeof config !== 'object' || depth > 8) return null;
  const dir = path.dirname(file);
  const { baseUrl, paths } = config.compilerOptions ?? {};
  const inherited = [config.extends].flat().filter((x) => typeof x === 'string' && x.startsWith('.'))
    .map((x) => path.join(dir, x)).map((x) => effective(options.has(x) ? x : `${x}.json`, options, depth + 1)).find(Boolean);
  const base = typeof baseUrl === 'string' ? path.join(dir, baseUrl) : inherited?.base;
  const rules = paths && typeof paths === 'object'
    ? Object.entries(paths).flatMap(([pattern, targets]) => [targets].flat().filter((t) => typeof t === 'string').map((t) => ({ pattern, target: path.join(base ?? dir, t) })))
    : inherited?.rules ?? [];
  return base !== undefined || rules.length > 0 ? { base, rules } : null;
}

const around = (configs, file) => configs.find((c) => c.dir === '.' || file.startsWith(`${c.dir}/`));

// aliased is the file that a specifier which is not relative means by such a
// configuration, or null.
export function aliased(configs, specifier, importer, files) {
  const config = around(configs, importer);
  if (!config) return null;
  const [bare] = split(specifier);
  for (const rule of config.rules) {
    const middle = between(rule.pattern, bare);
    if (middle === null) continue;
    const hit = resolve(rule.target.replace('*', middle).replace(/(.)\/$/, '$1'), files);
    if (hit) return { ...hit, config, rule };
  }
  if (config.base === undefined || /^[/.]/.test(bare)) return null;
  const hit = resolve(path.join(config.base, bare), files);
  return hit && { ...hit, config };
}

function between(pattern, specifier) {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === specifier ? '' : null;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return specifier.length >= pattern.length - 1 && specifier.startsWith(before) && specifier.endsWith(after) ? specifier.slice(before.length, specifier.length - after.length) : null;
}

// realias names target in the manner of an alias, or relative to dir where the
// configuration has no name for it.
export function realias(specifier, hit, dir, target, files) {
  const [, rest] = split(specifier);
  const rules = [hit.rule, ...hit.config.rules].filter(Boolean);
  for (const way of ways(target, hit)) {
    if (!hit.rule && hit.config.base !== undefined) {
      const now = path.relative(hit.config.base, way);
      if (!now.startsWith('.') && resolve(way, files)?.file === target) return { specifier: now + rest };
    }
    for (const rule of rules) {
      const middle = between(rule.target, way);
      if (middle !== null && resolve(way, files)?.file === target) return { specifier: rule.pattern.replace('*', middle) + rest };
    }
  }
  return { specifier: relative(dir, ways(target, hit)[0]) + rest, left: true };
}
