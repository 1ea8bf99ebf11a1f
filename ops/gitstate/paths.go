package gitstate

import (
	"errors"
	"os"
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

// chase follows a path to the object it leads to. The hops are every link on
// the way, each with resolved parents, and the object itself: removing any of
// them would cut the way.
func chase(path string) (hops []string, err error) {
	for range 40 {
		path, err = resolveParents(path)
		if err != nil {
			return hops, err
		}
		hops = append(hops, path)
		fi, err := os.Lstat(path)
		if err != nil {
			return hops, err
		}
		if fi.Mode()&os.ModeSymlink == 0 {
			return hops, nil
		}
		text, err := os.Readlink(path)
		if err != nil {
			return hops, err
		}
		path = join(filepath.Dir(path), text)
	}
	return hops, errors.New("is a loop of symbolic links")
}

// resolveParents resolves all of path but its last component. A path that ends
// in a slash, "." or ".." has no such component and is resolved as a whole.
func resolveParents(path string) (string, error) {
	dir, base := filepath.Split(path)
	if base == "" || base == "." || base == ".." {
		return filepath.EvalSymlinks(path)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	return join(dir, base), nil
}
