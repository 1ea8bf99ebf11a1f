// The package clause, the imports and the names of a Go source.

// parseGo returns {pkg, imports, names, comments}: pkg is {name, start, end};
// imports are {alias, path, start, end, specStart}, the path without its quotes;
// names are the identifiers as [{name, start, end, selector, selected}], selector
// for one behind a dot and selected for one before a dot.
export function parseGo(text) {
  const parsed = { pkg: null, imports: [], names: [], comments: [] };
  let i = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const tokens = [];
  const push = (kind, start, end) => tokens.push({ kind, start, end, text: text.slice(start, end) });
  while (i < text.length) {
    const c = text.charCodeAt(i);
    if (c <= 32) { i++; continue; }
    const start = i;
    if (c === 47 && text.charCodeAt(i + 1) === 47) {
      const stop = text.indexOf('\n', i);
      i = stop < 0 ? text.length : stop;
      parsed.comments.push({ start, end: i });
    } else if (c === 47 && text.charCodeAt(i + 1) === 42) {
      const stop = text.indexOf('*/', i + 2);
      i = stop < 0 ? text.length : stop + 2;
      parsed.comments.push({ start, end: i });
    } else if (c === 96) {
      const stop = text.indexOf('`', i + 1);
      i = stop < 0 ? text.length : stop + 1;
      push('string', start, i);
    } else if (c === 34 || c === 39) {
      for (i++; i < text.length && text.charCodeAt(i) !== c && text.charCodeAt(i) !== 10; i++) if (text.charCodeAt(i) === 92) i++;
      i++;
      push('string', start, i);
    } else if (isWord(c)) {
      while (i < text.length && isWord(text.charCodeAt(i))) i++;
      push(c >= 48 && c <= 57 ? 'number' : 'name', start, i);
    } else push('op', start, ++i);
  }
  clauses(tokens, parsed);
  return parsed;
}

const isWord = (c) => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c >= 128;

function clauses(tokens, parsed) {
  let k = 0;
  if (tokens[0]?.text === 'package' && tokens[1]?.kind === 'name') {
    parsed.pkg = { name: tokens[1].text, start: tokens[1].start, end: tokens[1].end };
    k = 2;
  }
  for (;;) {
    while (tokens[k]?.text === ';') k++;
    if (tokens[k]?.text !== 'import') break;
    k++;
    if (tokens[k]?.text === '(') {
      for (k++; k < tokens.length && tokens[k].text !== ')';) k = tokens[k].text === ';' ? k + 1 : spec(tokens, k, parsed);
      k++;
    } else k = spec(tokens, k, parsed);
  }
  for (; k < tokens.length; k++) {
    const t = tokens[k];
    if (t.kind !== 'name') continue;
    parsed.names.push({ name: t.text, start: t.start, end: t.end, selector: tokens[k - 1]?.text === '.' && tokens[k - 2]?.text !== '.', selected: tokens[k + 1]?.text === '.' && tokens[k + 2]?.text !== '.' });
  }
}

function spec(tokens, k, parsed) {
  const specStart = tokens[k]?.start;
  let alias = null;
  if (tokens[k]?.kind === 'name' || tokens[k]?.text === '.') alias = tokens[k++].text;
  const t = tokens[k];
  if (t?.kind !== 'string') return k + 1;
  parsed.imports.push({ alias, path: t.text.slice(1, -1), start: t.start + 1, end: t.end - 1, specStart });
  return k + 1;
}
