package runtime_test

import (
	"context"
	"testing"
	"time"

	"codemode/runtime"
)

// TestMeta holds what a script and a module know of their own files.
func TestMeta(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"lib/where.ts": "export const meta = { ...import.meta }; export const names = [__filename, __dirname];",
		"lib/old.js":   "module.exports = [__filename, __dirname];",
	}
	for _, tt := range []struct{ source, file, want string }{
		{"return [import.meta.url, import.meta.filename, import.meta.dirname]", "/p/a b/s.ts", `["file:///p/a%20b/s.ts","/p/a b/s.ts","/p/a b"]`},
		{"return [__filename, __dirname]", "/p/s.js", `["/p/s.js","/p"]`},
		{"import { fileURLToPath } from 'url'; const __filename: string = fileURLToPath(import.meta.url); return __filename", "/p/s.ts", `"/p/s.ts"`},
		{"return [import.meta.url === undefined, typeof __filename]", "", `[true,"undefined"]`},
		{"import { meta, names } from './lib/where'; return [meta.filename, meta.dirname, names]", "/p/s.js", `["lib/where.ts","lib",["lib/where.ts","lib"]]`},
		{"return require('./lib/old')", "/p/s.js", `["lib/old.js","lib"]`},
	} {
		script := runtime.Script{Name: "main.ts", Source: tt.source, File: tt.file}
		r := execute(context.Background(), script, &moduleHost{files: files}, runtime.Options{Deadline: runtime.NewDeadline(20 * time.Second)})
		if string(r.Value) != tt.want {
			t.Errorf("%s\n got %s %v\nwant %s", tt.source, r.Value, r.Error, tt.want)
		}
	}
}
