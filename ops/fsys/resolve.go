package fsys

import "strings"

// Place is where an object is or would be: a directory that exists and is held
// open, and a name in it. Parents are resolved through links, the name is not.
// Close it when done.
type Place struct {
	// Path is the resolved absolute path: no component but the last is a link.
	Path string
	// Name is the last component; empty for the root itself.
	Name string
	// Missing are the directories between the held one and Name that do not
	// exist yet, outermost first.
	Missing []string
	// Ancestors are the identities of the directories that exist above the
	// object, outermost first.
	Ancestors []Identity

	dir *dir
}

// ParentPath is the resolved path of the directory that holds the object.
func (p *Place) ParentPath() string {
	if i := strings.LastIndexByte(p.Path, '/'); i > 0 {
		return p.Path[:i]
	}
	return "/"
}

// Beside is the place of another name in the same directory. It shares the held
// directory, which closing either lets go of.
func (p *Place) Beside(name string) *Place {
	return &Place{Path: join(p.ParentPath(), name), Name: name, Ancestors: p.Ancestors, dir: p.dir}
}

// Contains reports whether the object at path lies below the directory dir.
// Both are cleaned absolute paths.
func Contains(dir, path string) bool {
	if dir == "/" {
		return path != "/" && strings.HasPrefix(path, "/")
	}
	return len(path) > len(dir) && path[len(dir)] == '/' && strings.HasPrefix(path, dir)
}

func join(dir, name string) string {
	switch {
	case name == "":
		return dir
	case dir == "":
		return name
	case dir == "/":
		return "/" + name
	}
	return dir + "/" + name
}
