import { unlink } from 'node:fs';

unlink('source.txt', (err) => {
  if (err) throw err;
  console.log('successfully deleted');
});
