const fs = require('fs');
const path = require('path');

// What scripts usually do: walk, rewrite, rename, tidy.
function walk(dir) {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
    const full = path.join(dir, e.name);
    return e.isDirectory() ? walk(full) : [full];
  });
}
fs.mkdirSync('out/nested', { recursive: true });
for (const file of walk('dir')) {
  const text = fs.readFileSync(file, 'utf8');
  const target = path.join('out', path.basename(file, path.extname(file)) + '.md');
  if (!fs.existsSync(target)) fs.writeFileSync(target, `# ${path.basename(file)}\n\n${text.toUpperCase()}`);
}
fs.renameSync('out', 'docs');
fs.rmSync('dir/sub', { recursive: true, force: true });
fs.rmSync('nothing', { force: true });
fs.appendFileSync('docs/log', 'one\n');
fs.appendFileSync('docs/log', 'two\n');
const config = JSON.parse(fs.readFileSync('package.json', 'utf8'));
config.version = '2.0.0';
fs.writeFileSync('package.json', JSON.stringify(config, null, 2) + '\n');
console.log(walk('docs').sort().map((f) => [f, fs.statSync(f).size]));
