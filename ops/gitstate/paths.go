package gitstate

import (
	"path/filepath"
	"strings"
)

const separator = string(filepath.Separator)

// join puts two paths together and leaves ".." for the kernel: behind a
// symbolic link it means something else than in the text.
func join(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	if strings.HasSuffix(dir, separator) {
		return dir + path
	}
	return dir + separator + path
}

// relative returns path as seen from root, in Git's spelling, and whether it
// lies at or below root. For root itself that is "".
func relative(root, path string) (string, bool) {
	if rel, ok := relativeBytes(root, path); ok {
		return filepath.ToSlash(rel), true
	}
	if foldNames {
		if rel, ok := relativeFolded(root, path); ok {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// relativeFolded compares component by component: folding may change how long
// a text is.
func relativeFolded(root, path string) (string, bool) {
	rest := path
	for want := strings.TrimSuffix(root, separator); want != ""; {
		var a, b string
		a, want, _ = strings.Cut(want, separator)
		b, rest, _ = strings.Cut(rest, separator)
		if fold(a) != fold(b) {
			return "", false
		}
	}
	return strings.TrimPrefix(rest, separator), true
}

func relativeBytes(root, path string) (string, bool) {
	if path == root {
		return "", true
	}
	if !strings.HasSuffix(root, separator) {
		root += separator
	}
	return strings.CutPrefix(path, root)
}
