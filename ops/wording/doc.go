// Package wording says in English what an operation would do, or has done. The
// terminal and the dialogs of MCP clients say it the same way. Whatever comes
// from a file name has its deceiving characters escaped.
package wording
