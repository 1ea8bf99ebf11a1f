// The smallest program that runs a script with pi-codemode, the way its README
// shows it.
import { CodemodeSandbox } from "@earendil-works/pi-codemode";

const sandbox = new CodemodeSandbox({ tools: [{ name: "echo", execute: (args) => args }] });
const result = await sandbox.execute("");
await sandbox.close();
if (!result.ok) throw new Error(result.error.message);
