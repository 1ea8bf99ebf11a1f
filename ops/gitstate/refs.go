package gitstate

import (
	"bytes"
	"io/fs"
	"path/filepath"
)

// unborn reports whether a repository certainly has no commit yet: its HEAD
// names a branch and there is no ref of any kind. Only then is a missing index
// what it should be; otherwise somebody deleted it, and git would say that
// nothing is tracked.
func unborn(r *repository) bool {
	if r.head != headSymbolic {
		return false
	}
	for _, dir := range []string{r.gitDir, r.commonDir} {
		if _, err := lstat(filepath.Join(dir, "reftable")); !absent(err) {
			return false
		}
		if !emptyRefs(filepath.Join(dir, "refs")) {
			return false
		}
	}
	return emptyPacked(filepath.Join(r.commonDir, "packed-refs"))
}

// emptyPacked reports whether the file of packed refs is missing or has nothing
// but comments.
func emptyPacked(path string) bool {
	data, _, err := readRegular(path, maxConfig)
	if err != nil {
		_, lerr := lstat(path)
		return absent(err) && absent(lerr)
	}
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// emptyRefs reports whether there are only directories below path.
func emptyRefs(path string) bool {
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return fs.ErrExist
		}
		return nil
	})
	return err == nil || absent(err)
}
