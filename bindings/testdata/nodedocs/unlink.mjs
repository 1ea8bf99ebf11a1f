import { unlink } from 'node:fs';
// Assuming that 'path/file.txt' is a regular file.
unlink('dir/a.txt', (err) => {
  if (err) throw err;
  console.log('path/file.txt was deleted');
});
