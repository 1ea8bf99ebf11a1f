package ops

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"codemode/ops/fsys"
)

// spot is a path of a request, found on disk.
type spot struct {
	*fsys.Place
	directory bool // the path ends in a slash: it must be a directory
}

// resolve finds the place that a path names. Parents are followed through
// links, the last component is not. It may be near one that is known, see
// [fsys.Root.ResolveNear].
func (s *Session) resolve(path string, near *fsys.Place) (spot, error) {
	if err := s.unambiguous(path); err != nil {
		return spot{}, err
	}
	place, err := s.root.ResolveNear(s.fromRoot(path), near)
	if err != nil {
		return spot{}, err
	}
	return spot{place, strings.HasSuffix(path, "/") || strings.HasSuffix(path, "/.")}, nil
}

// fromRoot spells a path relative to the session's root.
func (s *Session) fromRoot(path string) string {
	if s.cfg.Root != "" {
		return s.insideRoot(path)
	}
	return s.shown(path)
}

// insideRoot spells a path relative to the confined root. A leading slash is
// stripped, unless the path spells the root itself: clients that know the root
// send absolute paths.
func (s *Session) insideRoot(path string) string {
	rel := strings.TrimLeft(path, "/")
	if filepath.IsAbs(path) {
		clean := filepath.Clean(path)
		for _, root := range []string{s.root.Path(), s.dir} {
			if clean == root || fsys.Contains(root, clean) {
				rel = strings.TrimPrefix(strings.TrimPrefix(clean, root), "/")
				break
			}
		}
	}
	if rel = filepath.Clean(rel); rel == "." {
		return ""
	}
	return rel
}

// unambiguous refuses a path in which ".." follows a link that leads
// elsewhere: read as text it names another object than the kernel would take.
// In a confined session it also refuses a path that climbs out of the root.
func (s *Session) unambiguous(path string) error {
	if !strings.Contains(path, "..") {
		return nil
	}
	base := ""
	if s.cfg.Root == "" && !filepath.IsAbs(path) {
		base = s.dir
	}
	var at []string
	for _, part := range strings.Split(base+"/"+path, "/") {
		switch part {
		case "", ".":
		case "..":
			if len(at) == 0 {
				if s.cfg.Root != "" {
					return outside(s.shown(path))
				}
				continue
			}
			if err := s.sameParent("/"+strings.Join(at, "/"), path); err != nil {
				return err
			}
			at = at[:len(at)-1]
		default:
			at = append(at, part)
		}
	}
	return nil
}

func outside(path string) error {
	return refuse(OutsideRoot, "%s leads outside the root; paths are relative to it", show(path))
}

func (s *Session) sameParent(link, path string) error {
	place, err := s.root.Resolve(link, false)
	if err != nil {
		if errors.Is(err, fsys.ErrOutside) {
			return err
		}
		return nil // whatever is wrong will be met again
	}
	defer place.Close()
	if info, err := place.Stat(); err != nil || info.Kind != fsys.Symlink {
		return nil
	}
	real, err := s.root.Resolve(link, true)
	if err != nil {
		if errors.Is(err, fsys.ErrOutside) {
			return err
		}
		return nil
	}
	defer real.Close()
	if real.ParentPath() == place.ParentPath() {
		return nil
	}
	return refuse(InvalidArguments, "%s is ambiguous: %s is a symbolic link, so that \"..\" behind it means %s or %s; write the path without it",
		show(path), show(place.Path), show(place.ParentPath()), show(real.ParentPath()))
}

// absent explains that nothing is at path.
func (s *Session) absent(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	hint := "check the spelling; list shows what is there"
	switch {
	case strings.HasPrefix(path, "~"):
		hint = "~ is an ordinary character here and is not expanded; write the whole path"
	case strings.ContainsAny(path, "*?"):
		hint = "* and ? are ordinary characters here; find names with glob"
	case strings.Contains(path, "$"):
		hint = "$ is an ordinary character here and nothing is expanded"
	case strings.Contains(path, "%"):
		hint = "% is an ordinary character here and nothing is decoded"
	case strings.TrimSpace(path) != path && s.exists(strings.TrimSpace(path)):
		hint = "there is one without the blanks or line ends at the ends of the name; name it exactly"
	}
	return &Error{Code: "ENOENT", Message: show(s.shown(path)) + " does not exist; " + hint, cause: err}
}

func (s *Session) exists(path string) bool {
	if path == "" {
		return false
	}
	place, err := s.root.Resolve(s.fromRoot(path), false)
	if err != nil {
		return false
	}
	defer place.Close()
	_, err = place.Stat()
	return err == nil
}

// resolveLoosely resolves the part of a host's path that exists and keeps the rest.
func resolveLoosely(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
