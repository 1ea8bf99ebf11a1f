package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing/fstest"

	"codemode/runtime"
)

// host gives scripts no tools, and the files of a project to import.
type host struct{ project fs.FS }

func (host) Tools() []runtime.Tool                             { return nil }
func (host) Call(context.Context, runtime.Call) runtime.Result { return runtime.Result{} }
func (host) Store(string, []byte) error                        { return errors.New("this host keeps nothing") }
func (host) Load(string) ([]byte, bool)                        { return nil, false }

func (h host) Module(specifier, importer string) (name, source string, err error) {
	return runtime.ResolveModule(specifier, importer, func(path string) (string, error) {
		text, err := fs.ReadFile(h.project, path) // fs.ErrNotExist: the next candidate is tried
		return string(text), err
	})
}

func Example_modules() {
	project := fstest.MapFS{"lib/greet.ts": {Data: []byte("export const greet = (name: string): string => `Hello, ${name}!`")}}
	script := runtime.Script{Name: "main.ts", Source: `import { greet } from "./lib/greet"; return greet("you")`}
	report := runtime.Run(context.Background(), script, host{project}, runtime.Options{})
	fmt.Println(report.OK, string(report.Value))
	// Output:
	// true "Hello, you!"
}
