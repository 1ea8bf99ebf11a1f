// Tidy a downloads-like mess: files into folders by rules.
//
// Asks for the folder, or takes the working directory. Only files that lie in it
// directly are moved; folders, links, hidden files and unfinished downloads stay.
//
//   codemode run @tidy -- [OPTIONS] [DIR]
//
//   --rule GLOB=FOLDER   a rule of your own, such as 'invoice*.pdf=money'; the first that fits holds
//   --rules FILE         rules from a JSON file: [{"match": "*.pdf", "to": "papers"}]
//   --only-rules         only your own rules, not the built-in folders
//   --older-than DAYS    only files that have not changed for so many days
//   --by-month           a folder for each month within the folders: images/2025-03
//   --on-collision RULE  number ("a (2).pdf"), skip or refuse (default: number)
//   --dry                print the plan and change nothing
//
// The built-in folders are images, video, audio, documents, spreadsheets, slides,
// books, archives, programs, fonts and code; what fits none stays.

import path from 'node:path';
import { command, oneOf, Refusal, tidy } from './lib/command.js';
import { Taken } from './lib/collisions.js';
import { globbed } from './lib/glob.js';
import { Plan } from './lib/plan.js';
import { readTree } from './lib/tree.js';

const folders = {
  images: 'jpg jpeg png gif webp svg bmp tif tiff heic avif ico raw cr2 nef psd xcf',
  video: 'mp4 mkv mov avi webm m4v wmv mpg mpeg',
  audio: 'mp3 flac wav ogg oga opus m4a aac aiff mid',
  documents: 'pdf doc docx odt rtf txt md tex pages eml',
  spreadsheets: 'xls xlsx ods csv tsv numbers',
  slides: 'ppt pptx odp key',
  books: 'epub mobi azw3 djvu',
  archives: 'zip tar gz tgz bz2 xz zst 7z rar',
  programs: 'exe msi dmg pkg deb rpm appimage apk iso jar flatpakref',
  fonts: 'ttf otf woff woff2',
  code: 'js mjs ts tsx jsx py go rs c h cc cpp java rb php sh ps1 sql json yaml yml toml xml html css ipynb patch diff',
};
const unfinished = globbed('{*.part,*.crdownload,*.download,*.partial,*.tmp,~$*}');

const { options, words } = command({
  name: 'tidy', about: 'Tidy a downloads-like mess: files into folders by rules.', words: ['DIR?'],
  options: {
    rule: { type: 'string', multiple: true, default: [], value: 'GLOB=FOLDER', about: "a rule of your own, such as 'invoice*.pdf=money'; the first that fits holds" },
    rules: { type: 'string', value: 'FILE', about: 'rules from a JSON file: [{"match": "*.pdf", "to": "papers"}]' },
    'only-rules': { type: 'boolean', about: 'only your own rules, not the built-in folders' },
    'older-than': { type: 'string', value: 'DAYS', about: 'only files that have not changed for so many days' },
    'by-month': { type: 'boolean', about: 'a folder for each month within the folders: images/2025-03' },
    'on-collision': { type: 'string', default: 'number', value: 'RULE', about: 'number ("a (2).pdf"), skip or refuse' },
  },
});
const onCollision = oneOf('on-collision', options['on-collision'], ['number', 'skip', 'refuse']);
const days = Number(options['older-than'] ?? 0);
if (!(days >= 0)) throw new Refusal(`--older-than ${options['older-than']}: it is a number of days`);
const dir = tidy(words[0] ?? '.');

function rule(match, to) {
  const folder = typeof to === 'string' ? path.normalize(to) : '';
  if (typeof match !== 'string' || match === '' || folder === '' || folder === '.' || path.isAbsolute(folder) || folder.startsWith('..')) {
    throw new Refusal(`a rule is GLOB=FOLDER, with a folder below ${dir}; this one is ${JSON.stringify(match)} = ${JSON.stringify(to)}`);
  }
  return { fits: globbed(match), folder };
}
const rules = options.rule.map((r) => rule(r.slice(0, r.lastIndexOf('=')), r.slice(r.lastIndexOf('=') + 1)));
if (options.rules !== undefined) {
  let listed;
  try {
    listed = JSON.parse((await tools.read({ path: options.rules })).text);
  } catch (e) {
    throw new Refusal(`--rules ${options.rules}: ${e.message}`);
  }
  if (!Array.isArray(listed)) throw new Refusal(`--rules ${options.rules}: it is a list of {"match", "to"}`);
  rules.push(...listed.map((r) => rule(r?.match, r?.to)));
}
if (!options['only-rules']) {
  for (const [folder, endings] of Object.entries(folders)) {
    const known = new Set(endings.split(' '));
    rules.push({ fits: (name) => known.has(path.extname(name).slice(1).toLowerCase()), folder });
  }
}

const tree = await readTree(dir, { all: true, depth: 1 });
const own = options.rules === undefined ? null : tidy(options.rules);
const plan = new Plan();
const taken = new Taken();
const counts = {};
const before = new Date(Date.now() - days * 86_400_000).toISOString();
for (const [at, { name, mtime }] of tree.files) {
  if (name.startsWith('.') || unfinished(name) || at === own || (days > 0 && mtime > before)) continue;
  const hit = rules.find((r) => r.fits(name));
  if (!hit) {
    plan.note(`${at} fits no rule and stays`);
    continue;
  }
  let target = path.join(dir, hit.folder, ...(options['by-month'] ? [mtime.slice(0, 7)] : []), name);
  if (onCollision === 'skip' && await taken.has(target)) {
    plan.note(`${at} stays, since ${target} exists`);
    continue;
  }
  if (onCollision === 'number') target = await taken.free(target);
  await taken.add(target);
  plan.move(at, target);
  counts[hit.folder] = (counts[hit.folder] ?? 0) + 1;
}
return await plan.finish({ dry: options.dry, nothing: `${dir} is tidy`, summary: { folders: counts } });
