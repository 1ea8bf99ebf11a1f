// What a file or directory is called in a convention, with regard to names that
// mean something to a tool.

import path from 'node:path';
import { converted } from './case.js';

// Names that somebody looks for as they are.
const fixed = /^(index|main|mod|lib|setup|conftest|manage|makefile|dockerfile|readme|license|licence|copying|notice|changelog|changes|contributing|authors|codeowners|procfile|gemfile|rakefile|vagrantfile|jenkinsfile|package|package-lock|composer|cargo|bower|lerna|nx|turbo|deno|go|pnpm-.*|docker-compose.*|[jt]sconfig.*|.*\.config|.*\.lock|.*rc)$/i;
const settings = /\.(json|jsonc|ya?ml|toml|lock|cfg|ini|mod|sum|work)$/;
const fixedDirectories = /^(testdata|__\w+__|node_modules|vendor|internal|META-INF|.*\.(xcodeproj|xcassets|app|framework|lproj))$/;

const systems = new Set('aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris unix wasip1 windows zos 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm'.split(' '));

// suffix is what the go command reads from the end of a file's name.
function suffix(stem) {
  const parts = stem.split('_');
  let from = parts.length;
  if (from > 1 && parts[from - 1] === 'test') from--;
  while (from > 1 && parts.length - from < 3 && systems.has(parts[from - 1])) from--;
  return from === parts.length ? '' : `_${parts.slice(from).join('_')}`;
}

// renamedTo returns {name} or {name, why}, where why says that a name other than
// its own cannot be given.
export function renamedTo(at, kind, convention, isPython) {
  const name = path.basename(at);
  const keep = (why) => ({ name, why });
  if (name.startsWith('.')) return { name };
  if (/[^\w .-]/.test(name)) return keep('it has characters that may mean something');
  if (kind === 'directory') {
    if (fixedDirectories.test(name)) return { name };
    const to = converted(name, convention);
    return isPython && !/^[A-Za-z_]\w*$/.test(to) ? keep(`Python could not import ${to}`) : { name: to };
  }
  const ending = /\.d\.[cm]?ts$/.exec(name)?.[0] ?? path.extname(name);
  const stem = name.slice(0, name.length - ending.length);
  if (stem === '' || fixed.test(stem) || /^[A-Z0-9_-]+$/.test(stem) || /^__\w+__$/.test(stem)) return { name };
  if (settings.test(name) && path.dirname(at) === '.') return { name };
  if (ending === '.go') {
    const end = suffix(stem);
    const to = converted(stem.slice(0, stem.length - end.length), convention) + end;
    return suffix(to) === end ? { name: to + ending } : keep(`${to}.go would mean something else to Go`);
  }
  const to = converted(stem, convention);
  if (/^\.pyi?$/.test(ending) && !/^[A-Za-z_]\w*$/.test(to)) return keep(`Python could not import ${to}`);
  return { name: to + ending };
}
