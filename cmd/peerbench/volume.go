package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// A kind is a kind of file system that files are measured on.
type kind string

const (
	onTmpfs   kind = "tmpfs"
	onExt4    kind = "ext4"    // with a journal, as ext4 comes
	onDiscard kind = "discard" // the machine's own disk, where it is ext4 without a journal that waits for the disk at each unlink
	onXFS     kind = "XFS"     // where files can share blocks
)

// A volume is a file system, or a folder of one, that this run has for itself.
// The machine's own disk would not do: on one that discards synchronously an
// unlink is ten times as dear, and creation after mass deletion gets slow for
// minutes. Where that is just what is to be measured, no image would do: what a
// loop device discards it discards one after the other.
type volume struct {
	project string         // a Git repository without a file, where the work is done
	masters map[string]int // the entries of each tree that lies in masters, by its name
	release func() error   // gives the volume back
}

// volume makes a volume when it is first asked for one of its kind.
func (l *lab) volume(k kind) (*volume, error) {
	if v, ok := l.volumes[k]; ok {
		return v, nil
	}
	if err := l.missing[k]; err != nil {
		return nil, err
	}
	v, err := l.newVolume(k)
	if err != nil {
		l.missing[k] = err
		return nil, err
	}
	l.volumes[k] = v
	return v, nil
}

func (l *lab) newVolume(k kind) (*volume, error) {
	dir, release, err := l.mount(k)
	if err != nil {
		return nil, err
	}
	v := &volume{project: filepath.Join(dir, "project"), masters: map[string]int{}, release: release}
	if err := l.repository(v.project); err != nil {
		return nil, errors.Join(err, release())
	}
	return v, nil
}

// repository makes an empty one.
func (l *lab) repository(dir string) error {
	if out, err := exec.CommandContext(l.ctx, "git", "init", "-q", dir).CombinedOutput(); err != nil {
		return failure(fmt.Errorf("git init: %w", err), out)
	}
	return nil
}

// on is what a bench needs that works on volumes.
func on(kinds ...kind) func(*lab) error {
	return func(l *lab) error {
		for _, k := range kinds {
			if _, err := l.volume(k); err != nil {
				return fmt.Errorf("no %s: %w", k, err)
			}
		}
		return nil
	}
}

// master is a tree that is laid out once, to be copied from.
func (v *volume) master(t tree) (dir string, entries int, err error) {
	dir = filepath.Join(v.project, "masters", t.name)
	if n, ok := v.masters[t.name]; ok {
		return dir, n, nil
	}
	if err := t.plant(dir); err != nil {
		return "", 0, err
	}
	n, err := count(dir)
	v.masters[t.name] = n
	return dir, n, err
}

// settle lets come to rest what the preparation of a sample has begun.
func (v *volume) settle(ctx context.Context) error {
	if err := syncVolume(v.project); err != nil {
		return err
	}
	return pause(ctx, settling)
}

// count is how many entries a tree has, its top included.
func count(dir string) (n int, err error) {
	err = filepath.WalkDir(dir, func(string, fs.DirEntry, error) error { n++; return nil })
	if _, statErr := os.Lstat(dir); statErr != nil {
		return 0, statErr
	}
	return n, err
}
