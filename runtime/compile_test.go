package runtime

import (
	"testing"
)

// FuzzCompile holds that no source makes the compilation panic, and that what it
// says of a syntax error lies in the source.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		"import a, { b as c } from 'x'\nexport const d: number = a + c", "export default 1\nexport { x as y } from './z'", "import\n/* c */ * as n\nfrom \"m\" with { type: 'json' }",
		"export default class {}\n", "}); (() => {", "for await (const x of y) {}", "import('x')", "const t = `${`import x`}`", "export type { A } from 'b'; export * as q from 'r'",
		"let a = /(?i:x)/dgv", "@d class A { accessor x = 1 }", "f<T>(x)", "#!/bin/x\nenum A {B}", "export =", "import type", "export", "import x = require('y')",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 200 {
			return
		}
		for _, compile := range []func() (*unit, *syntaxError){
			func() (*unit, *syntaxError) { return compile("a.ts", source, mode{}) },
			func() (*unit, *syntaxError) { return compileTransformed("a.ts", source, mode{}) },
			func() (*unit, *syntaxError) { return compile("a.ts", source, mode{session: true, interactive: true}) },
			func() (*unit, *syntaxError) { return compileModule("b.ts", source, false) },
			func() (*unit, *syntaxError) { return compileModule("b.ts", source, true) },
		} {
			u, failed := compile()
			if (u == nil) == (failed == nil) {
				t.Fatalf("%q: %v %v", source, u, failed)
			}
			if failed != nil {
				failed.report("a.ts")
			}
		}
	})
}
