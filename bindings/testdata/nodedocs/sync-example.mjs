import { unlinkSync } from 'node:fs';

try {
  unlinkSync('source.txt');
  console.log('successfully deleted');
} catch (err) {
  // handle the error
}
