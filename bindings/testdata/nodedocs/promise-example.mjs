import { unlink } from 'node:fs/promises';

async function deleteFile(path) {
  try {
    await unlink(path);
    console.log(`successfully deleted ${path}`);
  } catch (error) {
    console.error('there was an error:', error.message);
  }
}

await deleteFile('source.txt');
await deleteFile('/tmp/hello-of-nobody');
