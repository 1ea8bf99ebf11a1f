import { readFileSync } from 'node:fs';

// FreeBSD, macOS, Linux and Windows
try {
  readFileSync('<directory>');
} catch (err) {
  console.log(String(err)); // => [Error: EISDIR: illegal operation on a directory, read <directory>]
}
