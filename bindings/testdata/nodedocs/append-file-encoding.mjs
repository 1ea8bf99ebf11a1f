import { appendFile } from 'node:fs';

appendFile('message.txt', 'data to append', 'utf8', (err) => { if (err) throw err; });
