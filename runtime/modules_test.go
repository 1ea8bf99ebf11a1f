package runtime_test

import (
	"strings"
	"testing"
)

func TestRequireKnowsBuiltInModulesOnly(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"return require('util').format('%s=%d', 'a', 1)", `"a=1"`},
		{"return require('node:util').inspect({a: {b: {c: {d: 1}}}}, {depth: 0})", `"{ a: [Object] }"`},
		{"return require('buffer').Buffer === Buffer", `true`},
		{"Buffer = 1; return Buffer", `1`},
		{"return [Buffer.from('héllo', 'utf8').toString('base64'), Buffer.byteLength('é')]", `["aMOpbGxv",2]`},
		{"return Buffer.from('aGk_', 'base64url').toString('hex')", `"68693f"`},
		{"return Buffer.from('ff00', 'hex').toString('latin1')", `"ÿ\u0000"`},
		{"return Buffer.concat([Buffer.from('a'), Buffer.from([98, 99])]).toString()", `"abc"`},
		{"return Buffer.from('abcabc').indexOf('ca')", `2`},
		{"return Buffer.from('abc').equals(Buffer.from('abc'))", `true`},
		{"return Buffer.isBuffer(Buffer.alloc(3)) && Buffer.alloc(3).fill('ab').toString()", `"aba"`},
		{"return Buffer.from('hello').slice(1, 3).toString()", `"el"`},
		{"return [Buffer.from('x')]", `[{"type":"Buffer","data":[120]}]`},
		{"return [typeof process, typeof fetch, typeof Deno, typeof module, typeof global]", `["undefined","undefined","undefined","undefined","undefined"]`},
	} {
		if got := value(t, tt.source); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.source, got, tt.want)
		}
	}
	for _, name := range []string{"'fs'", "'./x'", "'/etc/passwd'", "'../../etc/passwd'", "''", "'node:child_process'", "'constructor'", "'__proto__'", "{}"} {
		r, _ := run(t, "require("+name+")")
		if r.OK || !strings.Contains(r.Error.Message, "require: ") {
			t.Errorf("require(%s): %+v", name, r.Error)
		}
	}
}
