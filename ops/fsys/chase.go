package fsys

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Chase follows an absolute path through all links, those among its parents
// included. The hops are every link on the way, each with resolved parents,
// and last the object itself: to remove any of them would cut the way. Where
// it ends early, the last hop is what could not be looked at.
//
// With a directory within, nothing outside of it is even looked at; a way that
// leaves it is [ErrOutside].
func Chase(path, within string) (hops []string, err error) {
	separator := string(filepath.Separator)
	top := filepath.VolumeName(path) + separator
	at, links := top, 0
	todo := strings.Split(strings.TrimPrefix(path, filepath.VolumeName(path)), separator)
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		if within != "" && next != within && !strings.HasPrefix(next, within+separator) {
			if !strings.HasPrefix(within, strings.TrimSuffix(next, separator)+separator) {
				return hops, ErrOutside
			}
			at = next // a parent of within is no secret, and resolved
			continue
		}
		fi, err := os.Lstat(next)
		if err != nil {
			return append(hops, next), err
		}
		if fi.Mode()&os.ModeSymlink == 0 {
			at = next
			continue
		}
		hops = append(hops, next)
		if links++; links > 40 {
			return hops, errors.New("is a loop of symbolic links")
		}
		text, err := os.Readlink(next)
		if err != nil {
			return hops, err
		}
		if filepath.IsAbs(text) {
			at = top
			text = strings.TrimPrefix(text, filepath.VolumeName(text))
		}
		todo = append(strings.Split(text, separator), todo...)
	}
	if within != "" && at != within && !strings.HasPrefix(at, within+separator) {
		return hops, ErrOutside
	}
	return append(hops, at), nil
}
