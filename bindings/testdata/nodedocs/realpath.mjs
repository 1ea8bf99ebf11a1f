import { realpath } from 'node:fs';
import { relative } from 'node:path';

realpath('dir/../link', (err, resolved) => {
  if (err) throw err;
  realpath('.', (err, here) => console.log(relative(here, resolved)));
});
