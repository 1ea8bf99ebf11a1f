import { rename, stat } from 'node:fs';

const oldPath = 'source.txt';
const newPath = 'world';

rename(oldPath, newPath, (err) => {
  if (err) throw err;
  stat(newPath, (err, stats) => {
    if (err) throw err;
    console.log(`stats: ${JSON.stringify(stats.size)}`);
  });
});
