package wording

import (
	"fmt"

	"codemode/ops"
)

// Progress says how far an operation has come.
func Progress(a ops.Activity) string {
	return Done(a, a.Done.Entries.Load(), a.Done.Bytes.Load())
}

// Done says the same for a number of entries and bytes.
func Done(a ops.Activity, entries, bytes int64) string {
	return fmt.Sprintf("%s: %s of %s, %s of %s", a.Operation,
		Grouped(entries), Plural(a.Total.Entries, "entry", "entries"), Bytes(bytes), Bytes(a.Total.Bytes))
}
