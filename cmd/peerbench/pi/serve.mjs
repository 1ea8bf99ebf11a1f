// A program that lives and runs scripts with pi-codemode. Each line of standard
// input is a task of peerbench, each line of standard output its measure: what
// is measured is measured in here, so that the pipe costs nothing.
//
// Every run has a sandbox of its own, which is closed behind it, as in the
// example of the package's README that gives an agent a codemode tool.
import { createInterface } from "node:readline";
import { stripTypeScriptTypes } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { CodemodeSandbox, InlineCodemodeSandbox, loadQuickJSWasm } from "@earendil-works/pi-codemode";

const wasm = await loadQuickJSWasm();

// inline is pi-codemode's way to do without a worker thread.
async function run(code, inline = false, tools = [{ name: "echo", execute: (args) => args }]) {
	const sandbox = inline ? new InlineCodemodeSandbox({ tools, wasm }) : new CodemodeSandbox({ tools });
	try {
		const result = await sandbox.execute(code);
		if (!result.ok) throw new Error(result.error.message);
		return result.value;
	} finally {
		await sandbox.close();
	}
}

async function timed(task) {
	const start = performance.now();
	await task();
	return performance.now() - start;
}

// What a script needs around it to be a file of TypeScript.
const wrapped = (source) => `(async () => {\n${source}\n})`;
const unwrapped = (code) => `return await ${code.trim().replace(/;$/, "")}()`;

let esbuild;

const tasks = {
	// An empty script, from the making of its sandbox to the end of that.
	empty: ({ inline }) => timed(() => run("", inline)),

	// One awaited call: from the first call to the last, as the host sees them.
	async calls({ calls, inline }) {
		let made = 0, first, last;
		const echo = (args) => {
			if (++made === 1) first = performance.now();
			if (made === calls) last = performance.now();
			return args;
		};
		await run(`for (let i = 0; i < ${calls}; i++) await tools.echo({})`, inline, [{ name: "echo", execute: echo }]);
		return (last - first) / (calls - 1);
	},

	// A script of TypeScript, whose types something else removes.
	async strip({ source }) {
		return timed(() => run(unwrapped(stripTypeScriptTypes(wrapped(source)))));
	},
	async esbuild({ source }) {
		esbuild ??= await import("esbuild"); // its process lives on between transforms
		return timed(async () => {
			const { code } = await esbuild.transform(wrapped(source), { loader: "ts" });
			await run(unwrapped(code));
		});
	},

	// Everything that sandboxes share, loaded and at rest.
	async rest() {
		await run("");
		await sleep(200);
		return 0;
	},

	// Sandboxes that wait for a tool, for as long as this program lives.
	async hold({ sandboxes }) {
		const waiting = [];
		for (let i = 0; i < sandboxes; i++) {
			const { promise, resolve } = Promise.withResolvers();
			const wait = () => { resolve(); return new Promise(() => {}); };
			void new CodemodeSandbox({ tools: [{ name: "wait", execute: wait }] }).execute("await tools.wait({})");
			waiting.push(promise);
		}
		await Promise.all(waiting);
		await sleep(200);
		return 0;
	},

	// A script that never ends: from the wish that it stop to its result, and to
	// the exit of its worker.
	async stuck({ source, until, running }) {
		const stop = new AbortController();
		let exited;
		const ready = Promise.withResolvers();
		const sandbox = new CodemodeSandbox({
			tools: [{ name: "ready", execute: () => ready.resolve() }],
			onWorkerStarted: (promise) => { exited = promise; },
		});
		const result = sandbox.execute(`await tools.ready({}); ${source}`, { signal: stop.signal });
		await ready.promise;
		await sleep(running);
		const start = performance.now();
		stop.abort();
		const { ok, error } = await result;
		if (until === "exit") await exited;
		const took = performance.now() - start;
		await sandbox.close();
		await exited;
		if (ok || error.kind !== "aborted") throw new Error(`the script was not stuck: ${error?.message}`);
		return took;
	},
};

for await (const line of createInterface({ input: process.stdin })) {
	const { task, ...more } = JSON.parse(line);
	const answer = await tasks[task](more).then((value) => ({ value }), (error) => ({ error: String(error?.message ?? error) }));
	process.stdout.write(JSON.stringify(answer) + "\n");
}
process.exit(); // whatever still waits
