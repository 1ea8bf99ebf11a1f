// A plan says everything that a script is going to do. It is checked as a whole
// before the first change, printed by --dry, and carried out step by step until
// one fails.

import path from 'node:path';
import { Refusal } from './command.js';
import { isEmpty } from './empty.js';

export class Plan {
  constructor() {
    this.steps = [];
    this.notes = [];
    this.problems = [];
  }

  // Each target is the resulting object, and must not exist yet.
  move(from, target) { this.steps.push({ do: 'move', path: from, target }); }
  // What is deleted, and why it may be; still says what speaks against it when its
  // turn comes, or null.
  delete(file, why, still) { this.steps.push({ do: 'delete', path: file, why, still }); }
  // A directory that has to be empty still when its turn comes.
  deleteEmpty(dir, throwAway = false) { this.steps.push({ do: 'delete', path: dir, why: 'empty', still: async () => (await isEmpty(dir, throwAway) ? null : `${dir} is not empty any more`) }); }
  // edits are [{start, end, replace}] of before, the text as it is now. The file
  // has its final place by then.
  edit(file, before, edits) {
    this.steps.push({ do: 'edit', path: file, before, edits: [...edits].sort((a, b) => a.start - b.start) });
  }

  note(message) { if (!this.notes.includes(message)) this.notes.push(message); }
  problem(message) { if (!this.problems.includes(message)) this.problems.push(message); }

  // finish checks the plan, prints it, and carries it out unless dry. It returns
  // the summary that a script returns.
  async finish({ dry = false, nothing = 'nothing to do', summary = {} } = {}) {
    await this.check();
    for (const note of this.notes) text(`note: ${note}`);
    if (this.problems.length > 0) {
      throw new Refusal(`nothing was changed, because\n${this.problems.map((p) => `  ${p}`).join('\n')}`);
    }
    if (this.steps.length === 0) text(nothing);
    else if (dry) this.print();
    else {
      await this.carryOut();
      text(`done: ${this.tally()}`);
    }
    return {
      dry, ...summary, changed: dry ? 0 : this.steps.length,
      steps: this.steps.slice(0, 10_000).map(({ before, edits, still, ...step }) => (edits ? { ...step, edits: edits.length } : step)), notes: this.notes,
    };
  }

  // check finds what is in the way of a target: something that exists, another
  // target, or a name that differs in case alone, which is the same file on some
  // disks.
  async check() {
    const gone = new Set();
    const taken = new Map();
    for (const step of this.steps) {
      if (step.do === 'delete') gone.add(step.path);
      if (step.do !== 'move') continue;
      const { path: from, target } = step;
      const key = target.toLowerCase();
      const other = taken.get(key);
      if (other) this.problem(`${other.path} and ${from} would both become ${target}${other.target === target ? '' : ` (or ${other.target}: only the case differs)`}`);
      else if (target.startsWith(`${from}/`)) this.problem(`${from} cannot be moved into itself, to ${target}`);
      else {
        taken.set(key, step);
        const blocked = await this.inTheWay(from, target, gone);
        if (blocked) this.problem(`${from} cannot become ${target}: ${blocked}`);
      }
      gone.add(from);
    }
  }

  async inTheWay(from, target, gone) {
    const dir = path.dirname(target);
    const names = await this.names(dir);
    if (typeof names === 'string') return names;
    const there = names.get(path.basename(target).toLowerCase());
    for (const name of there ?? []) {
      const at = path.join(dir, name);
      if (at !== from && !gone.has(at)) return at === target ? `${at} exists` : `${at} exists, and differs in case alone`;
    }
    return null;
  }

  // The names in a directory, by lower case; or why there can be none.
  async names(dir) {
    this.listed ??= new Map();
    if (!this.listed.has(dir)) this.listed.set(dir, await this.list(dir));
    return this.listed.get(dir);
  }

  async list(dir) {
    try {
      const names = new Map();
      for (const { name } of (await tools.list({ path: dir, limit: 1_000_000 })).entries) {
        const key = name.toLowerCase();
        names.set(key, [...(names.get(key) ?? []), name]);
      }
      const { kind } = await tools.stat({ path: dir });
      return kind === 'symlink' ? `${dir} is a symbolic link` : names;
    } catch (e) {
      if (!(e instanceof OperationError)) throw e;
      if (e.code === 'ENOENT') return this.above(dir);
      return e.code === 'ENOTDIR' ? `${dir} is not a directory` : `${dir}: ${e.code}`;
    }
  }

  // A directory that is missing may be made, if it can be.
  async above(dir) {
    const parent = path.dirname(dir);
    if (parent === dir) return new Map();
    const names = await this.names(parent);
    if (typeof names === 'string') return names;
    const [like] = names.get(path.basename(dir).toLowerCase()) ?? [];
    if (like && !this.steps.some((s) => s.do === 'move' && s.path === path.join(parent, like))) return `${path.join(parent, like)} exists, and differs from ${dir} in case alone`;
    return new Map();
  }

  print() {
    for (const step of this.steps) {
      if (step.do === 'move') text(`would move    ${step.path} -> ${step.target}`);
      else if (step.do === 'delete') text(`would delete  ${step.path}${step.why ? `  (${step.why})` : ''}`);
      else {
        text(`would edit    ${step.path}`);
        for (const e of step.edits) text(`              line ${lineOf(step.before, e.start)}: ${quoted(step.before.slice(e.start, e.end))} -> ${quoted(e.replace)}`);
      }
    }
    text(`planned: ${this.tally()}; nothing was changed`);
  }

  tally() {
    const count = (what) => this.steps.filter((s) => s.do === what).length;
    return [['move', 'moved'], ['delete', 'deleted'], ['edit', 'edited']].filter(([what]) => count(what) > 0).map(([what, past]) => `${count(what)} ${past}`).join(', ');
  }

  async carryOut() {
    for (const [i, step] of this.steps.entries()) {
      try {
        await perform(step);
      } catch (e) {
        console.error(`stopped at step ${i + 1} of ${this.steps.length}; what was done stays done`);
        console.error(`done:     ${listed(this.steps.slice(0, i))}`);
        console.error(`not done: ${listed(this.steps.slice(i))}`);
        throw e;
      }
    }
  }
}

async function perform(step) {
  if (step.do === 'move') await tools.move({ path: step.path, target: step.target, overwrite: false });
  else if (step.do === 'delete') {
    const against = await step.still?.();
    if (against) throw new Refusal(against);
    await tools.delete({ path: step.path });
  } else {
    const { text: now } = await tools.read({ path: step.path });
    if (now !== step.before) throw new Refusal(`${step.path} has changed since the plan was made; its imports were not fixed`);
    await tools.edit({ path: step.path, edits: step.edits.map(({ start, end, replace }) => ({ range: { start, end }, replace })) });
  }
}

const lineOf = (content, at) => content.slice(0, at).split('\n').length;
const quoted = (part) => JSON.stringify(part.length > 100 ? `${part.slice(0, 100)}…` : part);

function listed(steps) {
  if (steps.length === 0) return 'nothing';
  const shown = steps.slice(0, 20).map((s) => (s.do === 'move' ? `move ${s.path} -> ${s.target}` : `${s.do} ${s.path}`)).join('; ');
  return steps.length > 20 ? `${shown}; and ${steps.length - 20} more` : shown;
}
