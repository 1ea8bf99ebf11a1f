// Package plain is the JSON that crosses every boundary of codemode: between a
// script and its host, a client and the server, the command line and the
// journal. It differs from encoding/json in two ways that the contract asks
// for. Reading is strict: duplicate names, trailing data, invalid UTF-8 and
// stray surrogates are errors, and names are never matched loosely. And file
// names that are not UTF-8 survive, see [Text].
package plain
