package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// A ModuleHost is a [Host] that gives scripts the files that they import. With a
// host that is none, only built-in modules can be imported.
type ModuleHost interface {
	// Module finds the file that specifier names: a path that begins with ./ or
	// ../ or /, as it stands in the file importer. Importer is the name that
	// Module returned for that file, or the name of the script. The name returned
	// identifies the file, is shown in stacks, and its ending says what it is.
	//
	// A specifier that is no such path is the name of a built-in module of the
	// host's own, without node: in front. Its source is the expression of a function,
	// which is given an object with call(tool, args), callSync(tool, args) and
	// require, and returns the exports. CallSync returns what the tool's promise
	// would resolve to and throws what it would reject with; the script stands still
	// meanwhile. The engine is as it is: of what polyfill/ adds there is only what
	// the script's own sources mention.
	//
	// Which files a script may have is the host's to decide; it must not give one
	// from outside the project. [ResolveModule] does the rest. Module may be
	// called while a Call is in flight.
	Module(specifier, importer string) (name, source string, err error)
}

// noModuleHost is what a host that is none says to any import.
const noModuleHost = "files cannot be imported here"

// moduleEndings are what may be left out at the end of a specifier.
var moduleEndings = []string{".ts", ".js", ".mjs", ".json"}

// ResolveModule finds the file that specifier names, as it stands in importer.
// It asks read for one candidate after another: the path itself, the path with
// each ending that may be left out, the .ts file that is written as .js, the
// index files of the directory. Read is given paths that are cleaned lexically,
// relative to the directory that importer is relative to; it returns an error
// that is [fs.ErrNotExist] where no regular file is, and any other error ends the
// search. Read is what decides whether a path may be read at all.
func ResolveModule(specifier, importer string, read func(path string) (string, error)) (name, source string, err error) {
	target := specifier
	if !path.IsAbs(target) {
		target = path.Join(path.Dir(importer), specifier)
	}
	for _, candidate := range moduleCandidates(path.Clean(target), strings.HasSuffix(specifier, "/")) {
		source, err = read(candidate)
		if err == nil {
			return candidate, source, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", "", err
		}
	}
	return "", "", fmt.Errorf("there is no such file: %s", target)
}

func moduleCandidates(target string, directory bool) []string {
	var candidates []string
	base := path.Base(target)
	if !directory && base != "." && base != ".." && base != "/" {
		ending := path.Ext(base)
		known := ending == ".mts" || ending == ".cjs" || ending == ".cts"
		for _, e := range moduleEndings {
			known = known || e == ending
		}
		if known {
			candidates = append(candidates, target)
		}
		if ending == ".js" || ending == ".mjs" { // TypeScript's own way of naming the file a .ts becomes
			candidates = append(candidates, strings.TrimSuffix(target, "js")+"ts")
		}
		for _, e := range moduleEndings {
			candidates = append(candidates, target+e)
		}
	}
	for _, e := range moduleEndings {
		candidates = append(candidates, path.Join(target, "index"+e))
	}
	return candidates
}
