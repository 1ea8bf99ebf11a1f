package runtime_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

// A moduleHost is a project in memory whose files can be imported.
type moduleHost struct {
	fakeHost
	files map[string]string
	asked []string
}

func (h *moduleHost) Module(specifier, importer string) (name, source string, err error) {
	h.asked = append(h.asked, specifier+" from "+importer)
	return runtime.ResolveModule(specifier, importer, func(path string) (string, error) {
		if strings.HasPrefix(path, "..") || strings.HasPrefix(path, "/") {
			return "", errors.New("that file lies outside of the project")
		}
		text, ok := h.files[path]
		if !ok {
			return "", fs.ErrNotExist
		}
		return text, nil
	})
}

var project = map[string]string{
	"lib/math.ts":      "export const twice = (n: number): number => n * 2;\nexport default function half(n: number) { return n / 2 }\nexport let count = 0;\nexport function inc() { count++ }\n",
	"lib/index.ts":     "export * from './math';\nexport { default as half } from './math.js';\nexport * as all from './math.ts';\n",
	"lib/data.json":    `{"name": "demo", "list": [1, 2]}`,
	"lib/bad.json":     `{"a": }`,
	"lib/plain.mjs":    "import { join } from 'path'; export const p = join('a', 'b');",
	"lib/common.js":    "const { twice } = require('./math'); module.exports = { four: twice(2), name: 'common' };",
	"lib/a.ts":         "import { b } from './b';\nexport function a() { return 'a' }\nexport const viaB = () => b();\n",
	"lib/b.ts":         "import { a } from './a';\nexport function b() { return a() + 'b' }\n",
	"lib/throws.ts":    "interface X { a: string }\n\nexport function fail(x: X) {\n\tthrow new RangeError(`bad ${x.a}`);\n}\n",
	"lib/syntax.ts":    "export const a = 1;\nexport const b: number = ;\n",
	"lib/top.ts":       "type T = string;\nnull.x;\n",
	"lib/effect.ts":    "globalThis.effects = (globalThis.effects ?? 0) + 1;",
	"lib/tools.ts":     "export const ask = async (n: number) => (await tools.echo({ n })).n;",
	"lib/types.ts":     "export interface Foo { a: number }\nexport type Bar = string;\n",
	"lib/await.ts":     "import { twice } from './math';\nexport const value: number = twice(await Promise.resolve(21));\nexport default await tools.echo({ a: 1 });\n",
	"lib/usesAwait.ts": "import { value } from './await';\nexport const more = value + 1;\n",
	"lib/group.ts":     "export const g = Object.groupBy([1, 2, 3], n => n % 2 ? 'odd' : 'even');",
	"lib/gen.ts":       "export function* count() { let i = 0; while (true) yield i++ }",
	"lib/lazy.ts":      "export const get = async () => (await import('./await')).value;",
	"lib/awaitbad.ts":  "export const a = 1;\n\nawait Promise.reject(new Error('late'));\n",
	"dir/index.js":     "export default 'index'",
	"name with é.ts":   "export const f = () => { throw new Error('é') }",
}

func runModules(source string) (runtime.Report, *moduleHost) {
	h := &moduleHost{files: project}
	r := runtime.Run(context.Background(), runtime.Script{Name: "main.ts", Source: source}, h, runtime.Options{Deadline: runtime.NewDeadline(20 * time.Second)})
	return r, h
}

func TestImports(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"import half, { twice } from './lib/math'; return [twice(2), half(4)]", `[4,2]`},
		{"import { twice, half, all } from './lib'; return [twice(1), half(4), all.twice(5)]", `[2,2,10]`},
		{"import { twice } from './lib/index.js'; return twice(3)", `6`},
		{"import data from './lib/data.json'; return data.list", `[1,2]`},
		{"import data, { name } from './lib/data' with { type: 'json' }; return [data.name, name]", `["demo","demo"]`},
		{"import { p } from './lib/plain.mjs'; return p", `"a/b"`},
		{"import c, { four } from './lib/common'; return [c.name, four, require('./lib/common').four]", `["common",4,4]`},
		{"import { a, viaB } from './lib/a'; return [a(), viaB()]", `["a","ab"]`},
		{"import * as m from './lib/math';\nm.inc(); m.inc();\nreturn [m.count, Object.keys(m).sort()]", `[2,["count","default","inc","twice"]]`},
		{"import { count, inc } from './lib/math'; inc(); return count", `1`},
		{"import './lib/effect'; import './lib/effect.ts'; require('./lib/effect'); await import('./lib/effect'); return effects", `1`},
		{"import { ask } from './lib/tools'; return await ask(7)", `7`},
		{"import type { Foo } from './lib/nowhere'; import { Bar } from './lib/alsonowhere'; const x: Bar = 'a'; return x", `"a"`},
		{"const { twice } = await import('./lib/math'); const m = './lib/da' + 'ta.json'; return [twice(4), (await import(m)).default.name]", `[8,"demo"]`},
		{"try { await import('./lib/nope') } catch (e) { return e.message }", `"require: './lib/nope', from main.ts: there is no such file: lib/nope"`},
		{"try { await import('../outside') } catch (e) { return e.message }", `"require: '../outside', from main.ts: that file lies outside of the project"`},
		{"import index from './dir'; import same from './dir/'; return [index, same]", `["index","index"]`},
		{"import { value } from './lib/await'; import { more } from './lib/usesAwait'; return [value, more]", `[42,43]`},
		{"const m = await import('./lib/usesAwait'); return [m.more, (await import('./lib/await')).default, typeof m.then]", `[43,{"a":1},"undefined"]`},
		{"import { more } from './lib/usesAwait'; import './lib/effect'; const again = await import('./lib/usesAwait'); return [more, again.more, effects]", `[43,43,1]`},
		{"import { count } from './lib/gen'; return count().map(x => x * 2).take(2).toArray()", `[0,2]`},
		{"import { get } from './lib/lazy'; return await get()", `42`},
		{"import { g } from './lib/group'; return g", `{"odd":[1,3],"even":[2]}`},
		{"export { twice } from './lib/math'; export * from './lib/effect'; export const x = 1; return [x, effects]", `[1,1]`},
	} {
		r, _ := runModules(tt.source)
		if !r.OK {
			t.Errorf("%s\nfailed: %s\n%s", tt.source, r.Error.Message, r.Error.Stack)
		} else if string(r.Value) != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.source, r.Value, tt.want)
		}
	}
}

// TestImportErrors holds that errors name the file they come from, and the place
// in it.
func TestImportErrors(t *testing.T) {
	for _, tt := range []struct{ source, message, stack string }{
		{"import { fail } from './lib/throws';\nfail({ a: 'x' })", "RangeError: bad x", "    at fail (lib/throws.ts:4:8)\n    at main.ts:2:1"},
		{"const a = 1\n  import b from './lib/syntax'; b", "SyntaxError: Unexpected token ';' at lib/syntax.ts:2:26\n    export const b: number = ;\n                             ^", "    at main.ts:2:3"},
		{"import './lib/top'", "TypeError: Cannot read property 'x' of undefined", "    at lib/top.ts:2:6\n    at main.ts:1:1"},
		{"import x from './lib/bad.json'; return x", "SyntaxError: lib/bad.json: Unexpected token '}', \"{\"a\": }\" is not valid JSON", "    at main.ts:1:1"},
		{"import x from 'left-pad'; x()", "TypeError: require: there is no module 'left-pad'; a script has assert", "    at main.ts:1:1"},
		{"import x from 'https://e.com/x.js'; x()", "TypeError: require: there is no module 'https://e.com/x.js'", ""},
		{"import x from './lib/nope'; x()", "TypeError: require: './lib/nope', from main.ts: there is no such file: lib/nope", "    at main.ts:1:1"},
		{"import x from '/etc/passwd'; x()", "TypeError: require: '/etc/passwd', from main.ts: that file lies outside of the project", ""},
		{"import { f } from './name with é'; f()", "é", "    at f (name with é.ts:1:32)\n    at main.ts:1:36"},
		{"import './lib/awaitbad'; return 1", "late", "    at lib/awaitbad.ts:3:22"},
		{"await import('./lib/awaitbad')", "late", "    at lib/awaitbad.ts:3:22"},
		{"require('./lib/await')", "TypeError: require: 'lib/await.ts' awaits at its top level; import it, or use import()", "    at main.ts:1:8"},
	} {
		r, _ := runModules(tt.source)
		if r.OK || !strings.HasPrefix(r.Error.Message, tt.message) || !strings.HasPrefix(r.Error.Stack, tt.stack) {
			t.Errorf("%s\n got %q\n     %q\nwant %q\n     %q", tt.source, r.Error.Message, r.Error.Stack, tt.message, tt.stack)
		}
	}
}

// TestHostWithoutModules holds that a host that gives no files is told apart.
func TestHostWithoutModules(t *testing.T) {
	r, _ := run(t, "import x from './x'; x()")
	if r.OK || !strings.Contains(r.Error.Message, "files cannot be imported here") {
		t.Errorf("got %+v", r.Error)
	}
}
