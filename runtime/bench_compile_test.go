package runtime

import (
	"strings"
	"testing"

	"github.com/dop251/goja"
)

var plainLines = strings.Repeat("const f = (a, b) => { const { x = 1, ...rest } = a ?? {}; return [x, rest, `${b}`] }\n", 1) +
	strings.Repeat("f({x: 2, y: 3}, [1, 2].map(x => x * 2).join())\n", 49)

// BenchmarkCompile compares the two ways of compiling fifty lines of JavaScript:
// by the engine alone, and by way of esbuild. It is why the engine's parser comes
// first.
func BenchmarkCompile(b *testing.B) {
	b.Run("engine", func(b *testing.B) {
		for b.Loop() {
			if _, failed, _ := compilePlain("script.js", plainLines, mode{}); failed != nil {
				b.Fatal(failed)
			}
		}
	})
	b.Run("esbuild", func(b *testing.B) {
		for b.Loop() {
			if _, failed := compileTransformed("script.js", plainLines, mode{}); failed != nil {
				b.Fatal(failed)
			}
		}
	})
	b.Run("words", func(b *testing.B) {
		for b.Loop() {
			scanWords(plainLines)
			mayBeTyped(plainLines)
		}
	})
}

// BenchmarkPolyfillCompile is what the first run of a process that needs a part
// pays for it.
func BenchmarkPolyfillCompile(b *testing.B) {
	files, err := polyfillFiles.ReadDir("polyfill")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		source, err := polyfillFiles.ReadFile("polyfill/" + file.Name())
		if err != nil {
			b.Fatal(err)
		}
		b.Run(file.Name(), func(b *testing.B) {
			for b.Loop() {
				goja.MustCompile(preludeName, string(source), true)
			}
		})
	}
}
