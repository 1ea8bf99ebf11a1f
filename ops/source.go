package ops

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"codemode/ops/fsys"
)

// maxSource bounds a file that a script imports.
const maxSource = 1 << 20

// Source reads a file that a script imports: a regular file of the project, or
// of the root that confines the session; links that lead elsewhere are refused.
// Where there is no such file the error is [fs.ErrNotExist].
func (s *Session) Source(path string) (string, error) {
	if err := s.open(); err != nil {
		return "", err
	}
	if err := checkPath("path", path); err != nil {
		return "", err
	}
	at, err := s.root.Resolve(s.fromRoot(path), true)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fs.ErrNotExist
	}
	if err != nil {
		return "", asError(err)
	}
	defer at.Close()
	if info, err := at.Stat(); err != nil || info.Kind == fsys.Directory {
		return "", fs.ErrNotExist
	}
	project := s.git.Project(context.Background(), s.cwd).Root
	if project == "" || s.cfg.Root != "" {
		project = s.cwd
	}
	if !fsys.Contains(project, at.Path) {
		return "", refuse(OutsideRoot, "%s lies outside the project %s; only files of the project can be imported", show(filepath.Clean(path)), show(project))
	}
	file, _, err := at.Open()
	if err != nil {
		return "", asError(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxSource+1))
	if err != nil {
		return "", asError(err)
	}
	if len(data) > maxSource {
		return "", refuse("EFBIG", "%s is larger than 1 MiB, too large to be imported", show(path))
	}
	return string(data), nil
}
