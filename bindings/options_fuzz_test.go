package bindings

import (
	"testing"
	"time"

	"codemode/runtime"
)

// FuzzLowered holds that no script raises what its host allows: where the host
// has a limit, the one that counts is no higher.
func FuzzLowered(f *testing.F) {
	f.Add(`// @options: {"timeout_ms": 5000, "max_output_tokens": 2000}`, 1000, 100, true)
	f.Add(`// @options: {"timeout_ms": 1, "max_output_tokens": 1}`, 1000, 0, false)
	f.Add(`// @options: {"timeout_ms": 86400000}`, 0, 5, true)
	f.Add(`// @options: {"timeout_ms": 86400000}`, 0, 5, false)
	f.Add(`// @options: {"timeout_ms": 0}`, 7, 1<<40, true)
	f.Fuzz(func(t *testing.T, source string, ms, output int, own bool) {
		ms = min(max(ms, 0), 1<<30)
		host := Options{Script: runtime.Script{Source: source}, Timeout: time.Duration(ms) * time.Millisecond, MaxOutput: output}
		if own {
			host.Deadline = runtime.NewDeadline(time.Hour)
		}
		got := host.lowered()
		if limit := host.MaxOutput; limit > 0 && got.MaxOutput > limit || got.MaxOutput > max(limit, DefaultMaxOutput) || got.MaxOutput <= 0 {
			t.Errorf("%q: %d bytes of output, the host allows %d", source, got.MaxOutput, host.MaxOutput)
		}
		if got.Deadline != host.Deadline {
			t.Errorf("%q: the host's deadline is gone", source)
		}
		if host.Timeout > 0 && got.Timeout > host.Timeout || host.Deadline == nil && host.Timeout > 0 && got.Timeout == 0 {
			t.Errorf("%q: %s, the host allows %s", source, got.Timeout, host.Timeout)
		}
	})
}
