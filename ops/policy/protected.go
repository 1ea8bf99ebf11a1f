package policy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Guarded is one protected path.
type Guarded struct {
	Path   string // resolved and absolute
	What   string // for the message: "the project root"
	Sealed bool   // everything inside is protected too
}

// Protection is what can never be deleted, moved or overwritten.
type Protection struct {
	Paths []Guarded
	Globs []string // relative to each of Bases
	// Bases are resolved directories: the project root, a confined root.
	Bases []string
	// Control reports whether a name is Git's (".git" in any spelling that
	// some file system takes for it).
	Control func(name string) bool
}

// Limits of globs: matching tries every combination of what braces offer and
// of where a ** may end.
const (
	maxGlob         = 1000 // bytes
	maxAlternatives = 256  // combinations of braces
	maxDoubleStars  = 6
	maxStars        = 40
)

// CheckGlob says what is wrong with a pattern, if anything.
func CheckGlob(pattern string) error {
	switch {
	case pattern == "":
		return errors.New("an empty pattern matches nothing")
	case len(pattern) > maxGlob:
		return fmt.Errorf("a pattern of %d bytes is too long", len(pattern))
	case !clean(pattern):
		return fmt.Errorf("%q never matches: leave out //, . and .. and a slash at the end", pattern)
	case !doublestar.ValidatePattern(pattern):
		return fmt.Errorf("%q is not a valid pattern; there are *, **, ?, [a-z] and {a,b}", pattern)
	case alternatives(pattern) > maxAlternatives:
		return fmt.Errorf("the braces of %q stand for too many patterns", pattern)
	case strings.Count(pattern, "**") > maxDoubleStars || strings.Count(pattern, "*") > maxStars:
		return fmt.Errorf("%q has too many stars", pattern)
	}
	return nil
}

// clean reports whether a pattern is spelled like the paths it is held against.
func clean(pattern string) bool {
	for part := range strings.SplitSeq(strings.TrimPrefix(pattern, "/"), "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// alternatives is how many patterns the braces of a valid pattern stand for,
// counted up to a little beyond the limit.
func alternatives(pattern string) int {
	n, _ := sequence(pattern, 0, false)
	return n
}

// sequence counts from at to the end of an alternative: what stands behind one
// another multiplies.
func sequence(pattern string, at int, inside bool) (count, end int) {
	count = 1
	for at < len(pattern) {
		switch pattern[at] {
		case '\\':
			at++
		case ',', '}':
			if inside {
				return count, at
			}
		case '{':
			sum, n := 0, 0
			for at < len(pattern) && pattern[at] != '}' {
				n, at = sequence(pattern, at+1, true)
				sum = min(sum+n, maxAlternatives+1)
			}
			count = min(count*sum, maxAlternatives+1)
		}
		at++
	}
	return count, at
}

// Find returns why the object at the resolved absolute path is protected, or
// "". An object is protected if it is a protected path, contains one, or lies
// inside a sealed one.
func (p *Protection) Find(path string) string {
	for _, part := range strings.Split(path, "/") {
		if p.Control(part) {
			return "it is, or lies inside, Git control data"
		}
	}
	for _, g := range p.Paths {
		switch {
		case path == g.Path:
			return "it is " + g.What
		case below(path, g.Path):
			return "it contains " + g.What + " (" + Printable(g.Path) + ")"
		case g.Sealed && below(g.Path, path):
			return "it lies inside " + g.What + " (" + Printable(g.Path) + ")"
		}
	}
	return p.FindGlob(path)
}

// FindGlob is the part of [Protection.Find] that concerns the host's globs. It
// is asked again for every entry of a tree.
func (p *Protection) FindGlob(path string) string {
	if len(p.Globs) == 0 {
		return ""
	}
	for _, base := range p.Bases {
		if rel, inside := strings.CutPrefix(path, strings.TrimSuffix(base, "/")+"/"); inside {
			if glob := p.matching(rel); glob != "" {
				return fmt.Sprintf("it matches the protected glob %q", glob)
			}
		}
	}
	return ""
}

// matching returns the glob that matches a relative path, or a directory that
// it lies in, or "".
func (p *Protection) matching(rel string) string {
	for _, glob := range p.Globs {
		// What lies inside something protected is protected with it.
		for at := 0; at >= 0 && at <= len(rel); {
			end := strings.IndexByte(rel[at:], '/')
			prefix := rel
			if end >= 0 {
				prefix = rel[:at+end]
			}
			if ok, _ := doublestar.Match(glob, prefix); ok {
				return glob
			}
			if end < 0 {
				break
			}
			at += end + 1
		}
	}
	return ""
}

// below reports whether path lies below dir.
func below(dir, path string) bool {
	if dir == "/" {
		return path != "/"
	}
	return len(path) > len(dir) && path[len(dir)] == '/' && strings.HasPrefix(path, dir)
}
