import { rename, stat } from 'node:fs/promises';

const oldPath = 'source.txt';
const newPath = 'world';

try {
  await rename(oldPath, newPath);
  const stats = await stat(newPath);
  console.log(`stats: ${JSON.stringify(stats.size)}`);
} catch (error) {
  console.error('there was an error:', error.message);
}
