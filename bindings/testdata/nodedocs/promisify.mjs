import { promisify } from 'node:util';
import { stat, readFile } from 'node:fs';

const promisifiedStat = promisify(stat);

promisifiedStat('.').then((stats) => {
  console.log(stats.isDirectory());
}).catch((error) => {
  // Handle the error.
});

console.log(await promisify(readFile)('source.txt', 'utf8'));
