package runtime

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// FuzzOptionsLine holds that a script's options line is understood whole or
// refused: what it asks for lies within the limits, is the same when it is
// written again, and nothing but the first line has a say.
func FuzzOptionsLine(f *testing.F) {
	for _, seed := range []string{
		`// @options: {"timeout_ms": 5000, "max_output_tokens": 2000}`, `//@options:{}`, `// @options: {"timeout_ms": 1e3}`, `// @options: {"timeout_ms": -1}`,
		`// @options {"timeout_ms": 1}`, "\ufeff// @options: {\"timeout_ms\": 1}\r", `// @options: {"timeout_ms": 1, "timeout_ms": 2}`, `// @options: {"approve": "allow"}`,
		`// @options: {"timeout_ms": 99999999999999999999}`, `// @options: []`, `// nothing`, "\n// @options: {\"timeout_ms\": 1}", "// @options: {\u2028}", `return 1 // @options: {}`,
	} {
		f.Add(seed, "return 1")
	}
	f.Fuzz(func(t *testing.T, line, rest string) {
		line, _, _ = strings.Cut(line, "\n")
		got, err := ParseOptionsLine(line + "\n" + rest)
		if alone, failed := ParseOptionsLine(line); (failed == nil) != (err == nil) || alone != got {
			t.Fatalf("%q: %+v %v, and before %q %+v %v", line, alone, failed, rest, got, err)
		}
		if err != nil {
			return
		}
		if got.Timeout < 0 || got.Timeout > maxTimeout || got.MaxOutputTokens < 0 || got.MaxOutputTokens > maxMaxOutputTokens {
			t.Fatalf("%q asks for %+v", line, got)
		}
		var members []string
		if got.Timeout > 0 {
			members = append(members, fmt.Sprintf(`"timeout_ms": %d`, got.Timeout/time.Millisecond))
		}
		if got.MaxOutputTokens > 0 {
			members = append(members, fmt.Sprintf(`"max_output_tokens": %d`, got.MaxOutputTokens))
		}
		again, err := ParseOptionsLine("// @options: {" + strings.Join(members, ", ") + "}")
		if err != nil || again != got {
			t.Errorf("%q is %+v, and written again %+v, %v", line, got, again, err)
		}
		if got != (ScriptOptions{}) && !strings.Contains(line, "@options") {
			t.Errorf("%q is %+v", line, got)
		}
	})
}
