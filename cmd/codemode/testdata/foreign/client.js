// Drives a server with the official JavaScript SDK.
//
//	node client.js COMMAND DIRECTORY ADDRESS TOKEN
//
// DIRECTORY is a Git worktree with the tracked directories yes, yes-too and no,
// and the untracked files plain and caf\xe9. A server of it listens at ADDRESS.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The SDK lies beside the directory that npm was run in, not beside this file.
const require = createRequire(process.cwd() + "/package.json");
const load = (path) => import(pathToFileURL(require.resolve(path)).href);
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { ElicitRequestSchema, ListRootsRequestSchema } = await load("@modelcontextprotocol/sdk/types.js");

const [command, directory, address, token] = process.argv.slice(2);

const started = () => new StdioClientTransport({ command, args: ["mcp"], cwd: directory, env: process.env, stderr: "inherit" });
const reached = () => new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers: { Authorization: `Bearer ${token}` } } });

async function connect(capabilities, transport = started()) {
  const client = new Client({ name: "foreign", version: "1" }, { capabilities });
  client.questions = [];
  if (capabilities.elicitation) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      client.questions.push(params);
      if (params.message.includes("/yes")) return { action: "accept", content: { approve: true } };
      if (params.message.includes("/no")) return { action: "accept", content: { approve: false } };
      return { action: "decline" };
    });
  }
  if (capabilities.roots) {
    client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots: [{ uri: pathToFileURL(directory).href }] }));
  }
  await client.connect(transport);
  await client.listTools(); // from now on it holds results to their schemas
  return client;
}

const call = (client, name, args, options) => client.callTool({ name, arguments: args }, undefined, options);

const client = await connect({ elicitation: {} });
assert.equal(client.getServerVersion().name, "codemode");
assert.match(client.getInstructions(), /codemode/);

// A script, and what it returns.
let r = await call(client, "codemode", { code: "globalThis.n = 41; console.log('hello'); return {n}", session: "s" });
assert.deepEqual(r.structuredContent.value, { n: 41 });
assert.match(r.content[0].text, /hello/);
r = await call(client, "codemode", { code: "return n + 1", session: "s" });
assert.equal(r.structuredContent.value, 42);

// A failure is a result, and its structured content has its schema.
r = await call(client, "codemode", { code: "await tools.delete({path: 'gone'})" });
assert.equal(r.isError, true);
assert.equal(r.structuredContent.operations[0].error.code, "ENOENT");
r = await call(client, "read", { path: "gone" });
assert.equal(r.structuredContent.error.code, "ENOENT");

// Questions.
r = await call(client, "delete", { path: "no" });
assert.equal(r.structuredContent.error.code, "DELETE_NOT_APPROVED");
r = await call(client, "delete", { path: "yes" });
assert.equal(r.structuredContent.effect, "applied");
assert.equal(client.questions.length, 2);
assert.deepEqual(Object.keys(client.questions[0].requestedSchema.properties), ["approve"]);

// A name that is not UTF-8 passes both ways.
r = await call(client, "glob", { pattern: "caf*" });
assert.deepEqual(r.structuredContent.matches, ["caf\udce9"]);
r = await call(client, "move", { src: "caf\udce9", dst: "caf\udcff" });
assert.equal(r.structuredContent.ok, true);

// A call that is withdrawn ends, and the server lives on.
const abort = new AbortController();
const endless = call(client, "codemode", { code: "for (;;) await new Promise(r => setTimeout(r, 10))" }, { signal: abort.signal });
setTimeout(() => abort.abort("enough"), 200);
await assert.rejects(endless);

// Progress of a call that takes its time.
const told = [];
await call(client, "codemode", { code: "await new Promise(r => setTimeout(r, 1200))" }, { onprogress: (p) => told.push(p) });
assert.ok(told.length > 0 && told[0].progress > 0, JSON.stringify(told));
await client.close();

// One that cannot ask is not asked, and roots confine.
const mute = await connect({ roots: {} });
r = await call(mute, "delete", { path: "no" });
assert.equal(r.structuredContent.error.code, "DELETE_CONFIRMATION_REQUIRED");
r = await call(mute, "delete", { path: "../outside" });
assert.equal(r.structuredContent.error.code, "OUTSIDE_ROOT");
await mute.close();

// The same over HTTP.
const web = await connect({ elicitation: {} }, reached());
r = await call(web, "codemode", { code: "await tools.delete({path: 'yes-too'}); return 'gone'" });
assert.equal(r.structuredContent.value, "gone");
r = await call(web, "delete", { path: "no" });
assert.equal(r.structuredContent.error.code, "DELETE_NOT_APPROVED");
assert.equal(web.questions.length, 2);
await web.transport.terminateSession();
await web.close();
console.log("all well");
