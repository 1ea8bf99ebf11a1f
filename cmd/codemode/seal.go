package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// What a run's settings came from is sealed: a script that could rewrite it
// would have other settings the next time.

// maxLinks bounds how far a chain of links is followed; the system gives up
// about there, too.
const maxLinks = 40

// seal protects a file or folder, existing or not, by its name and by the name
// of every link on the way to what it stands for. Dotfile managers make such
// chains, and putting something else at any of them changes the file.
func (set *settings) seal(path string) {
	for range maxLinks {
		set.sealed = append(set.sealed, path)
		text, err := os.Readlink(path)
		if err != nil {
			return // no link, or nothing there
		}
		if !filepath.IsAbs(text) {
			// From where the link really lies: its folder may be a link as well.
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return
			}
			text = filepath.Join(folder, text)
		}
		path = text
	}
}

// sealHooks protects what the person's hooks consist of: a script that could
// rewrite a hook would have no hook the next time.
func (set *settings) sealHooks(person *source) {
	for _, h := range person.config.Hooks.BeforeDelete {
		if h.Script != "" {
			set.seal(person.beside(h.Script))
		}
		if len(h.Command) == 0 {
			continue
		}
		if program, err := exec.LookPath(h.Command[0]); err == nil && filepath.IsAbs(program) {
			set.seal(program)
		} else if filepath.IsAbs(h.Command[0]) {
			set.seal(h.Command[0])
		}
		// In ["/bin/sh", "/home/me/may-delete.sh"] the file is the hook.
		for _, arg := range h.Command[1:] {
			if info, err := os.Stat(arg); err == nil && filepath.IsAbs(arg) && info.Mode().IsRegular() {
				set.seal(arg)
			}
		}
	}
}

// missing reports whether there is certainly nothing at path: neither a link
// that leads nowhere nor one above it, which would be a broken configuration.
func missing(path string) (bool, error) {
	_, err := os.Lstat(path)
	if err == nil {
		return false, nil
	}
	for errors.Is(err, fs.ErrNotExist) {
		parent := filepath.Dir(path)
		if parent == path {
			return true, nil
		}
		path = parent
		if _, err = os.Lstat(path); err == nil {
			_, err = os.Stat(path)
			if errors.Is(err, fs.ErrNotExist) {
				err = errors.New(path + " is a link that leads nowhere")
			}
			return err == nil, err
		}
	}
	return false, err
}
