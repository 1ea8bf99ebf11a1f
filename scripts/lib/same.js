// Files that have the same content, byte for byte.

const piece = 1 << 20;

// same sorts files of one size into groups of two or more that are alike. One
// that cannot be read, or that has another size by now, is like no other.
export async function same(files, note) {
  let groups = [files];
  for (let offset = 0; offset < files[0].size && groups.some((g) => g.length > 1); offset += piece) {
    const next = [];
    for (const group of groups) {
      if (group.length < 2) continue;
      const parts = new Map();
      for (const file of group) {
        const part = await read(file, offset, note);
        if (part !== null) parts.set(part, [...(parts.get(part) ?? []), file]);
      }
      next.push(...parts.values());
    }
    groups = next;
  }
  return groups.filter((g) => g.length > 1);
}

async function read(file, offset, note) {
  try {
    const { bytes, size } = await tools.read({ path: file.at, encoding: 'base64', offset, limit: piece });
    return size === file.size ? bytes : null;
  } catch (e) {
    if (!(e instanceof OperationError)) throw e;
    note(`${file.at} cannot be read (${e.code}) and was left alone`);
    return null;
  }
}
