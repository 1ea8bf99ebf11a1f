package runtime

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"codemode/ops/plain"
)

// ScriptOptions are what a script asks for in its first line:
//
//	// @options: {"timeout_ms": 5000, "max_output_tokens": 2000}
type ScriptOptions struct {
	Timeout         time.Duration // 0 when not given
	MaxOutputTokens int           // 0 when not given; a token counts as four bytes
}

const (
	maxTimeout         = 24 * time.Hour
	maxMaxOutputTokens = 4 << 20
)

// ParseOptionsLine reads the options line of a script. A script without one has
// the zero options. A malformed line or an unknown option is an error.
//
// [Run] applies the options only where the caller set none of its own.
func ParseOptionsLine(source string) (ScriptOptions, error) {
	var options ScriptOptions
	line, _, _ := strings.Cut(strings.TrimPrefix(source, "\ufeff"), "\n")
	text, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
	if !ok {
		return options, nil
	}
	text, ok = strings.CutPrefix(strings.TrimSpace(text), "@options")
	if !ok {
		return options, nil
	}
	text, ok = strings.CutPrefix(strings.TrimSpace(text), ":")
	if !ok {
		return options, fmt.Errorf("options line: expected a colon after @options")
	}
	v, err := plain.Parse([]byte(text))
	if err != nil {
		return options, fmt.Errorf("options line: %w", err)
	}
	object, ok := v.(*plain.Object)
	if !ok {
		return options, fmt.Errorf("options line: expected an object, got %s", plain.KindOf(v))
	}
	for _, m := range object.Members {
		switch m.Name {
		case "timeout_ms":
			n, err := positive(m, int(maxTimeout/time.Millisecond))
			if err != nil {
				return options, err
			}
			options.Timeout = time.Duration(n) * time.Millisecond
		case "max_output_tokens":
			n, err := positive(m, maxMaxOutputTokens)
			if err != nil {
				return options, err
			}
			options.MaxOutputTokens = n
		default:
			return options, fmt.Errorf("options line: unknown option %q; there are timeout_ms and max_output_tokens", m.Name)
		}
	}
	return options, nil
}

func positive(m plain.Member, limit int) (int, error) {
	text, _ := m.Value.(plain.Number)
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > limit {
		return 0, fmt.Errorf("options line: %s must be a whole number from 1 to %d", m.Name, limit)
	}
	return n, nil
}
