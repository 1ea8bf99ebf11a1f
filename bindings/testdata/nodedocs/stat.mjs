import { stat } from 'node:fs';

const pathsToCheck = ['./dir', './dir/a.txt'];

for (let i = 0; i < pathsToCheck.length; i++) {
  stat(pathsToCheck[i], (err, stats) => {
    console.log(stats.isDirectory());
  });
}
