import { writeFile } from 'node:fs';

const callback = (err) => console.log(err);
writeFile('message.txt', 'Hello Node.js', 'utf8', callback);
