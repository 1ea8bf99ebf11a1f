package runtime_test

import (
	"fmt"
	"strings"
	"testing"
)

// typedScript is 50 lines of TypeScript with what scripts have of it.
var typedScript = `interface Hit { path: string; line: number; text: string }
type Kind = 'a' | 'b';
` + strings.Repeat(`async function* walk%d(xs: readonly string[]): AsyncGenerator<Hit> {
	for (const [i, text] of xs.entries()) {
		if (text.length > %d) yield { path: 'p', line: i + 1, text: text.trim() } as Hit;
	}
}
class Counter%d<T extends string> {
	private seen = new Map<T, number>();
	constructor(public readonly kind: Kind = 'a') {}
	add(x: T): this { this.seen.set(x, (this.seen.get(x) ?? 0) + 1); return this; }
	get total(): number { return [...this.seen.values()].reduce((a, b) => a + b, 0); }
}
const c%d = new Counter%d<string>('b');
for await (const { text } of walk%d(['abc', 'de'])) c%d.add(text);
`, 4) + "return 1"

func benchTyped(n int) string {
	i := 0
	s := typedScript
	for strings.Contains(s, "%d") {
		s = strings.Replace(s, "%d", fmt.Sprint(i/7), 1)
		i++
	}
	return fmt.Sprintf("// %d\n%s", n, s)
}

// BenchmarkTypeScript is a run of 50 lines of TypeScript that are not in the cache:
// the transform, two parses, the compilation and the run itself.
func BenchmarkTypeScript(b *testing.B) {
	h := &fakeHost{}
	n := 0
	for b.Loop() {
		n++
		runBench(b, h, benchTyped(n))
	}
}

// BenchmarkTypeScriptCached is the same for a script that was compiled before.
func BenchmarkTypeScriptCached(b *testing.B) { benchmark(b, benchTyped(0)) }

// BenchmarkPlain is a run of a script of 50 lines that needs no transform.
func BenchmarkPlain(b *testing.B) {
	h := &fakeHost{}
	n := 0
	for b.Loop() {
		n++
		runBench(b, h, fmt.Sprintf("// %d\n", n)+strings.Repeat("const f = (a, b) => { const { x = 1, ...rest } = a ?? {}; return [x, rest, `${b}`] }\n", 1)+strings.Repeat("f({x: 2, y: 3}, [1, 2].map(x => x * 2).join())\n", 48)+"return 1")
	}
}

// BenchmarkPolyfills is a run with each part of the polyfills: what a script pays
// that mentions it.
func BenchmarkPolyfills(b *testing.B) {
	for _, word := range []string{"", "groupBy", "fromAsync", "Iterator", "WeakRef", "TextEncoder", "structuredClone", "AbortController", "URL", "Intl", "localeCompare", "crypto", "eval"} {
		b.Run(word, func(b *testing.B) { benchmark(b, "// "+word) })
	}
}
