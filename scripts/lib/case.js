// Names in the conventions that people have for files.

export const conventions = {
  kebab: (words) => words.map(lower).join('-'),
  snake: (words) => words.map(lower).join('_'),
  camel: (words) => words.map((w, i) => (i === 0 ? lower(w) : capital(w))).join(''),
  pascal: (words) => words.map(capital).join(''),
};

const lower = (word) => word.toLowerCase();
const capital = (word) => word[0].toUpperCase() + word.slice(1).toLowerCase();

// wordsOf takes a name apart: at anything but letters and digits, and where the
// case says so. HTTPServer2 is HTTP and Server2.
export const wordsOf = (name) => name
  .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
  .split(/[^A-Za-z0-9]+/).filter(Boolean);

// converted is a name in a convention; what stands behind dots is converted by
// itself, so that a.test.ts stays one. Underscores in front stay.
export function converted(name, convention) {
  const front = /^_+/.exec(name)?.[0] ?? '';
  return front + name.slice(front.length).split('.').map((part) => {
    const words = wordsOf(part);
    return words.length === 0 ? part : conventions[convention](words);
  }).join('.');
}
