// One piece of file work: node files.mjs TASK PATH [TARGET] prints how many
// milliseconds it took, without the start of Node.js and the loading of modules.
import { rm } from "node:fs/promises";
import fse from "fs-extra";

const tasks = {
	copy: (path, target) => fse.copy(path, target),
	move: (path, target) => fse.move(path, target),
	remove: (path) => rm(path, { recursive: true }),
};

const [task, ...paths] = process.argv.slice(2);
const start = performance.now();
await tasks[task](...paths);
console.log(performance.now() - start);
