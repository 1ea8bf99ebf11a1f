// Package journal keeps one append-only file of JSON lines per run. It knows
// no operation: what a line says is its writer's business. A line is handed to
// the kernel in one write before Append returns, so that it survives the
// process; with Sync it survives a power loss, too.
package journal
