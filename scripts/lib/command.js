// How a script reads its options, explains itself and says no.

import { parseArgs } from 'node:util';
import path from 'node:path';

// A Refusal is an error that the person can do something about: it is said
// without the places in the script that it came from.
export class Refusal extends Error {
  constructor(message) {
    super(message);
    this.name = 'Refused';
    this.stack = `Refused: ${message}`;
  }
}

const everywhere = {
  dry: { type: 'boolean', about: 'print the plan and change nothing' },
  help: { type: 'boolean', short: 'h', about: 'print this' },
};

// command reads the script's arguments. about is one sentence; words names the
// arguments that are no options, with ? behind those that may be left out and
// ... behind one that may be repeated. It returns {options, words}.
export function command({ name, about, words = [], options = {} }) {
  const all = { ...options, ...everywhere };
  const usage = `codemode run @${name} -- ${Object.keys(options).length > 0 ? '[OPTIONS] ' : '[--dry] '}${words.map(shown).join(' ')}`.trim();
  let parsed;
  try {
    const known = Object.fromEntries(Object.entries(all).map(([key, { about: _, value: __, ...option }]) => [key, option]));
    parsed = parseArgs({ args: [...args], options: known, allowPositionals: true });
  } catch (e) {
    throw new Refusal(`${e.message.split('. To specify')[0]}\nusage: ${usage}`);
  }
  if (parsed.values.help) {
    text(`${about}\n\nusage: ${usage}\n${Object.entries(all).map(line).join('\n')}`);
    exit();
  }
  const least = words.filter((w) => !w.includes('?')).length;
  const most = words.some((w) => w.endsWith('...')) ? Infinity : words.length;
  const given = parsed.positionals;
  if (given.length < least || given.length > most) {
    throw new Refusal(`${given.length < least ? `${words[given.length].replace(/[?.]+$/, '')} is missing` : `there is one argument too many: ${given[most]}`}\nusage: ${usage}`);
  }
  return { options: parsed.values, words: given };
}

const shown = (word) => (word.includes('?') ? `[${word.replace('?', '')}]` : word);
const line = ([name, o]) => `  ${`${o.short ? `-${o.short}, ` : ''}--${name}${o.type === 'string' ? ` ${o.value ?? 'VALUE'}` : ''}`.padEnd(24)}${o.about}${o.default && o.default.length ? ` (default: ${o.default})` : ''}`;

// oneOf checks an option that has a few possible values.
export function oneOf(option, value, allowed) {
  if (!allowed.includes(value)) throw new Refusal(`--${option} ${value}: it is one of ${allowed.join(', ')}`);
  return value;
}

// tidy is a path without detours, and without a slash at its end.
export function tidy(given) {
  const clean = path.normalize(given);
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean;
}

// inProject is a path below the working directory: what fixes imports has to see
// everything that may import something.
export function inProject(given) {
  const clean = tidy(given);
  if (path.isAbsolute(clean) || clean === '..' || clean.startsWith('../')) {
    throw new Refusal(`${given} does not lie below the working directory; start at the top of the project, with relative paths`);
  }
  return clean;
}

// within reports whether a path is a directory or lies below it.
export const within = (dir, file) => dir === '.' || file === dir || file.startsWith(`${dir}/`);
