import { readFile } from 'node:fs';

readFile('source.txt', (err, data) => {
  if (err) throw err;
  console.log(data);
});
