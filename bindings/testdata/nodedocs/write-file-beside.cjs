const { writeFileSync, readdirSync } = require('node:fs');
const { join, basename } = require('node:path');

writeFileSync(join(__dirname, 'beside.txt'), 'Hello\n');
console.log(readdirSync(__dirname).includes(basename(__filename)));
