// globbed makes a test for names of a pattern: *, ?, [a-z] and {a,b}.
export function globbed(pattern) {
  let braces = 0;
  const source = pattern.replace(/\[[^\]]+\]|./gs, (c) => {
    if (c.length > 1 && c.startsWith('[')) return `[${c.slice(1, -1).replace(/^!/, '^').replaceAll('\\', '\\\\')}]`;
    if (c === '*') return '.*';
    if (c === '?') return '.';
    if (c === '{') { braces++; return '(?:'; }
    if (c === '}' && braces > 0) { braces--; return ')'; }
    if (c === ',' && braces > 0) return '|';
    return c.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  const test = new RegExp(`^${source}$`, 'is');
  return (name) => test.test(name);
}
