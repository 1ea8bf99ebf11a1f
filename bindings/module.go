package bindings

import (
	"errors"
	"path/filepath"
	"strings"

	"codemode/runtime"
)

// Module implements [runtime.ModuleHost]: a script may import node:fs, and the
// files of its project. Which those are is the session's to say, see
// [ops.Session.Source].
func (h *host) Module(specifier, importer string) (name, source string, err error) {
	if !strings.HasPrefix(specifier, ".") && !strings.HasPrefix(specifier, "/") {
		source, ok := builtinModule(specifier)
		if !ok {
			return "", "", errors.New("the host has fs and fs/promises")
		}
		return specifier, source, nil
	}
	if importer == h.script || importer == "" {
		importer = h.path
		if importer == "" {
			importer = "script"
		}
	}
	if h.modules != nil {
		return embedded(h.modules, specifier, importer)
	}
	if !filepath.IsAbs(importer) {
		importer = filepath.Join(h.session.Dir(), importer)
	}
	return runtime.ResolveModule(specifier, importer, h.session.Source)
}
