import { readFileSync, existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Buffer } from 'node:buffer';
import { realpathSync } from 'node:fs';
import path from 'node:path';

const here = realpathSync('.');
console.log(readFileSync(pathToFileURL(path.join(here, 'source.txt')), 'utf8'));
console.log(readFileSync(new URL(`file://${here}/dir/a.txt`), 'utf8'));
console.log(readFileSync(Buffer.from('source.txt'), 'utf8'), existsSync(new URL('file:///no/such')));
