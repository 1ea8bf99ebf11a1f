// JSON with comments and trailing commas, as in tsconfig.json.
export function parseJSONC(text) {
  let out = '';
  for (let i = 0; i < text.length;) {
    const c = text[i];
    if (c === '"') {
      const m = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(i)) ?? ['"'];
      out += m[0];
      i += m[0].length;
    } else if (c === '/' && text[i + 1] === '/') {
      const end = text.indexOf('\n', i);
      i = end < 0 ? text.length : end;
    } else if (c === '/' && text[i + 1] === '*') {
      const end = text.indexOf('*/', i + 2);
      i = end < 0 ? text.length : end + 2;
    } else if (c === ',' && /^,(\s|\/\/.*|\/\*[^]*?\*\/)*[\]}]/.test(text.slice(i))) {
      i++;
    } else {
      out += c;
      i++;
    }
  }
  return JSON.parse(out.replace(/^\ufeff/, ''));
}
