package runtime

import (
	"os"
	"testing"
)

// BenchmarkCompileTypeScript is the way from 50 lines of TypeScript, those of
// cmd/peerbench, to a program: esbuild's transform and the engine's compilation.
// BenchmarkTypeScript is that and the run.
func BenchmarkCompileTypeScript(b *testing.B) {
	source, err := os.ReadFile("../cmd/peerbench/script.ts")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, failed := compileBest("script.ts", string(source), scanWords(string(source)), mode{}); failed != nil {
			b.Fatal(failed)
		}
	}
}
