import { rename } from 'node:fs';

rename('source.txt', 'newFile.txt', (err) => {
  if (err) throw err;
  console.log('Rename complete!');
});
