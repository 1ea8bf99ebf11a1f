import { readFile } from 'node:fs';

const callback = (err, data) => console.log(err, data);
readFile('source.txt', 'utf8', callback);
