import fs, { promises as fsp } from 'fs';
import * as path from 'node:path';

const files = (await fsp.readdir('dir', { recursive: true, withFileTypes: true })).filter((e) => e.isFile());
await fsp.mkdir('flat');
await Promise.all(files.map((e) => fsp.copyFile(path.join(e.parentPath, e.name), path.join('flat', e.name))));
await Promise.all((await fsp.readdir('flat')).map(async (name) => {
  const file = path.join('flat', name);
  await fsp.writeFile(file, (await fsp.readFile(file, 'utf8')).trim() + '!\n');
}));
try {
  await fsp.rmdir('flat');
} catch (e) {
  console.log(e.code, e.message);
}
await fsp.cp('flat', 'copy', { recursive: true, filter: (s) => !s.endsWith('b.txt') });
await fsp.rm('flat', { recursive: true });
console.log((await fsp.readdir('copy')).sort(), fs.existsSync('flat'));
