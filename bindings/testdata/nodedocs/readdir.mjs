import { readdir } from 'node:fs/promises';

try {
  const files = await readdir('dir');
  for (const file of files.sort())
    console.log(file);
} catch (err) {
  console.error(err);
}
