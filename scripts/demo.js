// Reorganises a small project the way a refactoring would: sources into lib/,
// notes beside the documentation, leftovers away. It also tries three things
// that must not happen, to show what a script gets to see then.

// A step that may be refused: the script goes on and says why.
async function attempt(step) {
  try {
    return await step();
  } catch (e) {
    if (!(e instanceof OperationError)) throw e;
    console.log(`refused  ${e.code}`);
    return null;
  }
}

// Reading comes first. It never changes anything.
const leftovers = await tools.glob({ pattern: "**/*.orig" });
console.log(`found    ${leftovers.matches.length} merge leftovers`);

// What Git ignores or does not track, inside the project, asks nobody.
for (const path of leftovers.matches) await tools.delete({ path });
await tools.delete({ path: "build" });

// A link is a thing of its own: what it points to stays as it is.
await tools.delete({ path: "docs/latest" });
await tools.copy({ path: "current", target: "docs/current" });

// Targets name the result, and missing parents are made.
await tools.copy({ path: "docs/guide.md", target: "docs/archive/2024/guide.md" });
await tools.move({ path: "notes", target: "docs/notes" });

// A directory that Git tracks is moved or deleted only if the person agrees.
await tools.move({ path: "src/util", target: "lib/text" });
await attempt(() => tools.delete({ path: "src/legacy" }));

// Three refusals: a person's no, the project's hook, and what nobody can allow.
await attempt(() => tools.delete({ path: "third_party/widget" }));
await attempt(() => tools.delete({ path: "test/fixtures" }));
await attempt(() => tools.delete({ path: ".git" }));

const left = await tools.list({ path: ".", recursive: true });
const files = left.entries.filter((e) => e.kind === "file" && !/(^|\/)\.git(\/|$)/.test(e.path));
return `${files.length} files are left in the project`;
