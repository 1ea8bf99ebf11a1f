import { mkdtemp, readdirSync } from 'node:fs';
import { join } from 'node:path';

mkdtemp(join('.', 'foo-'), (err, directory) => {
  if (err) throw err;
  console.log(directory.length);
  // Prints: foo-itXde2 or something of that length
});
