// What a Python source imports, and where it uses dotted names. Strings and
// comments are not code, except for the expressions in f-strings.

const keyword = new Set('False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(' '));

// parsePython returns {imports, chains, bound}: the import statements, the
// dotted names that are used as [{names, start, ends}], and the names that are
// bound by something else than an import.
export function parsePython(text) {
  const tokens = tokenize(text);
  const imports = [], chains = [], bound = new Set();
  let k = 0;
  while (k < tokens.length) {
    if (tokens[k].kind === 'newline') { k++; continue; }
    const first = tokens[k];
    const isStart = k === 0 || tokens[k - 1].kind === 'newline' || tokens[k - 1].text === ';' || (tokens[k - 1].text === ':' && tokens[k - 1].depth === 0);
    if (isStart && first.kind === 'name' && (first.text === 'import' || first.text === 'from') && first.depth === 0) {
      const parsed = statement(tokens, k);
      if (parsed) {
        imports.push(placed(parsed.import, text));
        k = parsed.next;
        continue;
      }
    }
    k = use(tokens, k, chains, bound);
  }
  return { imports, chains, bound };
}

function tokenize(text) {
  const tokens = [];
  let depth = 0;
  scan(0, text.length, false);
  return tokens;

  function scan(i, end, inString) {
    const push = (kind, start, stop) => tokens.push({ kind, start, end: stop, text: kind === 'string' ? '' : text.slice(start, stop), depth });
    while (i < end) {
      const c = text[i];
      if (c === '\n') {
        if (depth === 0 && !inString && tokens.length > 0 && tokens.at(-1).kind !== 'newline') push('newline', i, i + 1);
        i++;
      } else if (c === '\\' && /^\\\r?\n/.test(text.slice(i, i + 3))) i += text[i + 1] === '\r' ? 3 : 2;
      else if (c === ' ' || c === '\t' || c === '\r' || c === '\f' || c === '\ufeff') i++;
      else if (c === '#') {
        const stop = text.indexOf('\n', i);
        i = stop < 0 ? end : stop;
      } else if (/[A-Za-z_\u0080-\uffff]/.test(c)) {
        const start = i;
        while (i < end && /[\w\u0080-\uffff]/.test(text[i])) i++;
        if ((text[i] === '"' || text[i] === "'") && i - start <= 2 && /^([rbuft]|[rbft][rbft])$/i.test(text.slice(start, i))) {
          const from = i;
          i = string(from, /[ft]/i.test(text.slice(start, from)));
          push('string', start, i);
        } else push('name', start, i);
      } else if (c === '"' || c === "'") {
        const start = i;
        i = string(i, false);
        push('string', start, i);
      } else if (/[0-9]/.test(c)) {
        const start = i;
        while (i < end && /[\w.]/.test(text[i])) i++;
        push('number', start, i);
      } else {
        if ('([{'.includes(c)) depth++;
        else if (')]}'.includes(c)) depth = Math.max(0, depth - 1);
        push('op', i, ++i);
      }
    }
  }

  // The place behind a string that begins at i.
  function string(i, formatted) {
    const quote = text.startsWith(text[i].repeat(3), i) ? text[i].repeat(3) : text[i];
    for (i += quote.length; i < text.length; i++) {
      if (text[i] === '\\') { i += text[i + 1] === '\r' ? 2 : 1; continue; }
      if (text.startsWith(quote, i)) return i + quote.length;
      if (quote.length === 1 && text[i] === '\n') return i;
      if (formatted && text[i] === '{') {
        if (text[i + 1] === '{') { i++; continue; }
        i = expression(i + 1, quote) - 1;
      }
    }
    return text.length;
  }

  // The expression in braces of an f-string; what follows a colon is its format.
  function expression(i, quote) {
    let level = 0;
    const start = i;
    let stop = -1;
    for (; i < text.length; i++) {
      if (text.startsWith(quote, i) && level === 0) break;
      if (text[i] === '"' || text[i] === "'") { i = string(i, false) - 1; continue; }
      if ('([{'.includes(text[i])) level++;
      else if (')]'.includes(text[i])) level--;
      else if (text[i] === '}' && level-- === 0) break;
      else if (text[i] === ':' && level === 0 && stop < 0) stop = i;
    }
    depth++;
    scan(start, stop < 0 ? i : stop, true);
    depth--;
    return text[i] === '}' ? i + 1 : i;
  }
}

// A dotted name from token k on: {names, start, ends, next}.
function dotted(tokens, k) {
  const names = [], ends = [];
  const start = tokens[k]?.start;
  for (;;) {
    if (tokens[k]?.kind !== 'name') return null;
    names.push(tokens[k].text);
    ends.push(tokens[k].end);
    k++;
    if (tokens[k]?.text !== '.') return { names, start, end: ends.at(-1), ends, next: k };
    k++;
  }
}

function statement(tokens, k) {
  return tokens[k].text === 'import' ? importStatement(tokens, k) : fromStatement(tokens, k);
}

function asName(tokens, k) {
  return tokens[k]?.text === 'as' && tokens[k + 1]?.kind === 'name' ? { as: tokens[k + 1].text, end: tokens[k + 1].end, next: k + 2 } : { as: null, next: k };
}

function importStatement(tokens, k) {
  const made = { kind: 'import', start: tokens[k].start, items: [] };
  do {
    const name = dotted(tokens, ++k);
    if (!name) return null;
    const as = asName(tokens, name.next);
    made.items.push({ names: name.names, start: name.start, end: name.end, as: as.as });
    made.end = as.end ?? name.end;
    k = as.next;
  } while (tokens[k]?.text === ',');
  return { import: made, next: k };
}

function fromStatement(tokens, k) {
  const made = { kind: 'from', start: tokens[k].start, level: 0, names: [], items: [], star: false };
  k++;
  made.moduleStart = tokens[k]?.start;
  for (; tokens[k]?.text === '.'; k++) {
    made.level++;
    made.moduleEnd = tokens[k].end;
  }
  if (tokens[k]?.kind === 'name' && tokens[k].text !== 'import') {
    const name = dotted(tokens, k);
    if (!name) return null;
    made.names = name.names;
    made.moduleEnd = name.end;
    k = name.next;
  }
  if (tokens[k]?.text !== 'import' || (made.level === 0 && made.names.length === 0)) return null;
  k++;
  if (tokens[k]?.text === '*') {
    made.star = true;
    made.end = tokens[k].end;
    return { import: made, next: k + 1 };
  }
  const paren = tokens[k]?.text === '(';
  if (paren) k++;
  while (tokens[k]?.kind === 'name' && !keyword.has(tokens[k].text)) {
    const as = asName(tokens, k + 1);
    made.items.push({ name: tokens[k].text, start: tokens[k].start, as: as.as });
    made.end = as.end ?? tokens[k].end;
    k = as.next;
    if (tokens[k]?.text !== ',') break;
    k++;
  }
  if (made.items.length === 0) return null;
  if (paren) {
    if (tokens[k]?.text !== ')') return null;
    made.end = tokens[k].end;
    k++;
  }
  return { import: made, next: k };
}

// The indentation of a statement, or null where it does not stand alone on its
// line.
function placed(statement, text) {
  const line = text.lastIndexOf('\n', statement.start - 1) + 1;
  const before = text.slice(line, statement.start).replace('\ufeff', '');
  const after = /^[ \t]*(#[^\n]*)?(\r?\n|$)/.test(text.slice(statement.end));
  statement.indent = /^[ \t]*$/.test(before) && after ? before : null;
  return statement;
}

// A use of a name at token k. The next token to look at is returned.
function use(tokens, k, chains, bound) {
  const t = tokens[k];
  if (t.kind !== 'name' || keyword.has(t.text) || tokens[k - 1]?.text === '.') return k + 1;
  const name = dotted(tokens, k);
  if (!name) return k + 1;
  const next = tokens[name.next];
  const before = tokens[k - 1]?.text;
  if (name.names.length === 1) {
    const assigned = next?.text === '=' && tokens[name.next + 1]?.text !== '=' && t.depth === 0;
    if (assigned || next?.text === ':=' || ['def', 'class', 'for', 'as', 'global', 'nonlocal', 'lambda'].includes(before)) bound.add(t.text);
    if (next?.text === '=' && t.depth > 0 && tokens[name.next + 1]?.text !== '=') return name.next; // a keyword argument
  }
  chains.push(name);
  return name.next;
}
