package bindings

import (
	"path/filepath"

	"codemode/runtime"
)

// Module implements [runtime.ModuleHost]: a script may import the files of its
// project. Which those are is the session's to say, see [ops.Session.Source].
func (h *host) Module(specifier, importer string) (name, source string, err error) {
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
