// Where a JavaScript or TypeScript source names other modules.

import { tokens, IDENT, STRING, TEMPLATE } from './js_tokens.js';

const mocks = {
  jest: 'mock doMock unmock dontMock setMock deepUnmock requireActual requireMock createMockFromModule genMockFromModule unstable_mockModule unstable_unmockModule',
  vi: 'mock doMock unmock doUnmock importActual importMock',
};
mocks.vitest = mocks.vi;
const mocking = new Map(Object.entries(mocks).map(([object, names]) => [object, new Set(names.split(' '))]));

// specifiers returns {found, computed}: found are {value, start, end}, the text
// between the quotes; computed are {at, prefix}, where a specifier
// is made at run time, which nobody can rewrite, and what it begins with.
export function specifiers(text, options) {
  const found = [], computed = [];
  if (!/\b(import|require|from|mock|Mock|module|reference|URL)\b/.test(text)) return { found, computed };
  const { kinds, starts, ends, slashes } = tokens(text, options);
  const word = (k) => (k >= 0 && k < kinds.length ? text.slice(starts[k], ends[k]) : '');
  const is = (k, what) => word(k) === what;
  const isString = (k) => kinds[k] === STRING || kinds[k] === TEMPLATE;
  const take = (k) => {
    const value = text.slice(starts[k] + 1, ends[k] - 1);
    if (value.includes('\\')) computed.push({ at: starts[k], prefix: '' });
    else found.push({ value, start: starts[k] + 1, end: ends[k] - 1 });
  };
  // A call's first argument, where ( is token k.
  const argument = (k) => {
    if (!is(k, '(')) return;
    if (isString(k + 1) && [')', ','].includes(word(k + 2))) take(k + 1);
    else if (isString(k + 1)) computed.push({ at: starts[k + 1], prefix: text.slice(starts[k + 1] + 1, ends[k + 1] - 1) });
    else if (is(k + 1, '`')) computed.push({ at: starts[k + 1], prefix: /^[^$`]*/.exec(text.slice(starts[k + 1] + 1))[0] });
  };
  // Type arguments between a function's name and its parenthesis.
  const pastTypes = (k) => {
    if (!is(k, '<')) return k;
    for (let depth = 0; k < kinds.length; k++) {
      if (is(k, '<')) depth++;
      else if (is(k, '>') && !is(k - 1, '=') && --depth === 0) return k + 1;
      else if (is(k, ';')) return -1;
    }
    return -1;
  };
  let clause = false; // inside an import or export statement, before its "from"
  for (let k = 0; k < kinds.length; k++) {
    if (kinds[k] !== IDENT) {
      if (clause && [';', '(', '='].includes(word(k))) clause = false;
      continue;
    }
    const member = is(k - 1, '.');
    const name = word(k);
    if (name === 'import' && !member) {
      clause = true;
      if (kinds[k + 1] === STRING) take(k + 1);
      else if (is(k + 1, '(')) argument(k + 1);
    } else if (name === 'export' && !member) {
      clause = true;
    } else if (name === 'from' && clause && !member && kinds[k + 1] === STRING) {
      take(k + 1);
      clause = false;
    } else if (name === 'require' && (!member || is(k - 2, 'module'))) {
      argument(is(k + 1, '.') && is(k + 2, 'resolve') ? k + 3 : k + 1);
    } else if (mocking.has(name) && !member && is(k + 1, '.') && mocking.get(name).has(word(k + 2))) {
      argument(pastTypes(k + 3));
    } else if (name === 'module' && is(k - 1, 'declare') && kinds[k + 1] === STRING) {
      take(k + 1);
    } else if (name === 'URL' && is(k - 1, 'new') && is(k + 1, '(') && isString(k + 2) && is(k + 3, ',') && is(k + 4, 'import') && is(k + 6, 'meta')) {
      take(k + 2);
    }
  }
  for (const [start, end] of slashes) {
    const m = /^\/\/\/\s*<reference\s+path\s*=\s*(["'])(.*?)\1/.exec(text.slice(start, end));
    if (!m) continue;
    const at = start + m[0].length - 1 - m[2].length;
    found.push({ value: m[2], start: at, end: at + m[2].length, reference: true });
  }
  return { found: found.sort((a, b) => a.start - b.start), computed };
}

// scriptsOf are the parts of a Vue, Svelte or Astro file that are scripts, as
// [start, end].
export function scriptsOf(text) {
  const parts = [];
  const front = /^---\r?\n([\s\S]*?)\n---/.exec(text);
  if (front) parts.push([4, 4 + front[1].length]);
  for (const m of text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)) {
    const start = m.index + m[0].indexOf('>') + 1;
    parts.push([start, start + m[1].length]);
  }
  return parts;
}
