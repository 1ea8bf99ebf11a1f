// The tokens of JavaScript and TypeScript, as far as finding module specifiers
// needs them: strings, templates, regular expressions, comments and JSX are told
// apart, so that nothing inside of them passes for code.

export const IDENT = 1, STRING = 2, TEMPLATE = 3, NUMBER = 4, PUNCT = 5, REGEX = 6;

// After these words an expression begins, so that a slash begins a regular
// expression and a brace an object.
const beforeExpression = new Set('return typeof case in of delete void throw new else do instanceof yield await extends default'.split(' '));
const control = new Set(['if', 'while', 'for', 'with', 'switch', 'catch']);

const isWordCode = (c) => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c === 36 || c >= 128 || c === 92;

// tokens returns {kinds, starts, ends, comments, text}: parallel arrays, and the
// places of the comments that begin with three slashes.
export function tokens(text, { jsx = true } = {}) {
  const kinds = [], starts = [], ends = [], slashes = [];
  const end = text.length;
  let i = 0;
  let value = false; // the last token ends an expression

  const add = (kind, start, stop) => { kinds.push(kind); starts.push(start); ends.push(stop); };
  const last = (back = 1) => (kinds.length >= back ? text.slice(starts[kinds.length - back], ends[kinds.length - back]) : '');

  // A string ends at its line: an apostrophe in something unknown must not
  // swallow the rest of the file.
  function string(quote) {
    for (let at = i + 1; at < end; at++) {
      const c = text.charCodeAt(at);
      if (c === 92) at++;
      else if (c === 10) break;
      else if (c === quote) { add(STRING, i, at + 1); i = at + 1; value = true; return; }
    }
    add(PUNCT, i, i + 1);
    i++;
  }

  function template() {
    const start = i;
    let plain = true;
    for (i++; i < end; i++) {
      const c = text.charCodeAt(i);
      if (c === 92) i++;
      else if (c === 96) break;
      else if (c === 36 && text.charCodeAt(i + 1) === 123) {
        if (plain) add(PUNCT, start, start + 1);
        plain = false;
        i += 2;
        value = false;
        code(true);
        i--;
      }
    }
    i = Math.min(i + 1, end);
    if (plain) add(TEMPLATE, start, i);
    value = true;
  }

  function regex() {
    let inClass = false;
    for (let at = i + 1; at < end; at++) {
      const c = text.charCodeAt(at);
      if (c === 10) break;
      if (c === 92) at++;
      else if (c === 91) inClass = true;
      else if (c === 93) inClass = false;
      else if (c === 47 && !inClass) {
        at++;
        while (at < end && isWordCode(text.charCodeAt(at))) at++;
        add(REGEX, i, at);
        i = at;
        value = true;
        return;
      }
    }
    add(PUNCT, i, i + 1);
    i++;
    value = false;
  }

  // An element from its < to its end, children and all.
  function element() {
    add(PUNCT, i, ++i);
    if (!tag()) return;
    for (let depth = 1; depth > 0 && i < end;) {
      const c = text.charCodeAt(i);
      if (c === 123) { i++; value = false; code(true); continue; }
      if (c !== 60) { i++; continue; }
      const closes = text.charCodeAt(i + 1) === 47;
      i += closes ? 2 : 1;
      const open = tag();
      if (closes) depth--;
      else if (open) depth++;
    }
    value = true;
  }

  // The inside of a tag up to its >; false where it closes itself.
  function tag() {
    while (i < end) {
      const c = text.charCodeAt(i);
      if (c === 62) { i++; return true; }
      if (c === 47 && text.charCodeAt(i + 1) === 62) { i += 2; value = true; return false; }
      if (c === 123) { i++; value = false; code(true); continue; }
      if (c === 34 || c === 39) {
        const close = text.indexOf(text[i], i + 1);
        i = close < 0 ? end : close + 1;
        continue;
      }
      if (c === 47 && text.charCodeAt(i + 1) === 42) { i = after('*/', i + 2); continue; }
      i++;
    }
    return false;
  }

  const after = (mark, from) => { const at = text.indexOf(mark, from); return at < 0 ? end : at + mark.length; };

  const startsElement = () => jsx && !value && /^<(>|[A-Za-z_$][\w$.:-]*(?=[\s/>]))/.test(text.slice(i, i + 80))
    && !/^<\s*\w+\s*(,|extends\s)/.test(text.slice(i, i + 80));

  // Code up to the brace that closes it, or to the end of the text.
  function code(inBraces) {
    const open = []; // for each bracket: what its end means for a slash after it
    while (i < end) {
      const c = text.charCodeAt(i);
      if (c === 32 || (c >= 9 && c <= 13) || c === 0xfeff || c === 0xa0) { i++; continue; }
      if (isWordCode(c) || c === 35) {
        const start = i++;
        const digit = c >= 48 && c <= 57;
        while (i < end && (isWordCode(text.charCodeAt(i)) || (digit && text.charCodeAt(i) === 46 && text.charCodeAt(i + 1) !== 46))) i++;
        const member = last() === '.';
        add(digit ? NUMBER : IDENT, start, i);
        value = digit || member || !beforeExpression.has(text.slice(start, i));
        continue;
      }
      switch (c) {
        case 34: case 39: string(c); continue;
        case 96: template(); continue;
        case 47: {
          const next = text.charCodeAt(i + 1);
          if (next === 47) {
            const stop = text.indexOf('\n', i);
            if (text.charCodeAt(i + 2) === 47) slashes.push([i, stop < 0 ? end : stop]);
            i = stop < 0 ? end : stop;
          } else if (next === 42) i = after('*/', i + 2);
          else if (value) { add(PUNCT, i, ++i); value = false; } else regex();
          continue;
        }
        case 40: // (
          open.push(!control.has(last()) || last(2) === '.');
          value = false;
          break;
        case 91: open.push(true); value = false; break; // [
        case 123: { // {
          const before = last();
          const kind = kinds.at(-1);
          open.push(kind === PUNCT ? '(,=:[!&|?+-*%~^'.includes(before) && before !== '' && !isArrow() : kind === IDENT && beforeExpression.has(before) && before !== 'else' && before !== 'do');
          value = false;
          break;
        }
        case 41: case 93: value = open.pop() ?? true; break; // ) ]
        case 125: // }
          if (open.length === 0 && inBraces) { i++; value = true; return; }
          value = open.pop() ?? false;
          break;
        case 43: case 45: // ++ and -- leave a value one
          if (text.charCodeAt(i + 1) === c) { add(PUNCT, i, i + 2); i += 2; continue; }
          value = false;
          break;
        case 33: // TypeScript's a! is a value, too
          if (!(value && text.charCodeAt(i + 1) !== 61)) value = false;
          break;
        case 60: // <
          if (startsElement()) { element(); continue; }
          value = false;
          break;
        default: value = false;
      }
      add(PUNCT, i, ++i);
    }
  }
  const isArrow = () => kinds.length > 1 && last() === '>' && last(2) === '=';

  if (text.startsWith('#!')) i = after('\n', 0);
  // A brace too many ends code() early; what follows is code all the same.
  while (i < end) code(false);
  return { text, kinds, starts, ends, slashes };
}
