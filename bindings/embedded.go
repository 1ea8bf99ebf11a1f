package bindings

import (
	"fmt"
	"io/fs"

	"codemode/runtime"
)

// embedded finds what a script imports that lies in files of the host's own: it
// reaches those, and neither the project nor anything else.
func embedded(files fs.FS, specifier, importer string) (name, source string, err error) {
	return runtime.ResolveModule(specifier, importer, func(path string) (string, error) {
		if !fs.ValidPath(path) {
			return "", fmt.Errorf("%s lies outside the scripts that come with the program; a built-in script imports only those", path)
		}
		if info, err := fs.Stat(files, path); err != nil || info.IsDir() {
			return "", fs.ErrNotExist
		}
		text, err := fs.ReadFile(files, path)
		return string(text), err
	})
}
