//go:build !linux

package opstest

import "testing"

// otherFS is not reached: worlds are made on Linux only.
func otherFS(t testing.TB, _ string) string {
	t.Skip("needs Linux")
	return ""
}

func cleanUp(string, string) {}
