// What scanners need of a text.

// codesOf are the UTF-16 codes of a text, in an array, since charCodeAt costs
// much more.
export function codesOf(text) {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

// wordTable has 1 for each code of a word: those of ASCII that fit, and all
// beyond but blanks.
export function wordTable(ascii) {
  const table = new Uint8Array(65536).fill(1, 128);
  for (let c = 0; c < 128; c++) if (ascii.test(String.fromCharCode(c))) table[c] = 1;
  table[0xa0] = table[0xfeff] = table[0x2028] = table[0x2029] = 0;
  return table;
}
