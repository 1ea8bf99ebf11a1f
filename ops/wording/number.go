package wording

import (
	"fmt"
	"strconv"
	"strings"
)

// Stake says how much an object is.
func Stake(kind string, entries, bytes int64) string {
	switch kind {
	case "directory":
		return fmt.Sprintf("directory, %s, %s", Plural(entries, "entry", "entries"), Bytes(bytes))
	case "file":
		return "file, " + Bytes(bytes)
	}
	return kind
}

// Plural counts things.
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}

// Grouped writes a number with its thousands apart.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Bytes writes a number of bytes in the unit that suits it.
func Bytes(n int64) string {
	if n < 1<<10 {
		return Plural(n, "byte", "bytes")
	}
	value, unit := float64(n), 0
	for value >= 1<<10 {
		value /= 1 << 10
		unit++
	}
	return strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0") + " " + []string{"", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}[unit]
}
