package fsys

import (
	"strings"

	"golang.org/x/sys/unix"
)

// upwards is the way from a directory to those around it; it also bounds how
// deep a directory may lie to be found the short way.
var upwards = strings.Repeat("../", 32)

// straight is Resolve for a path that has no link among its parents, which all
// exist: the usual one. The kernel walks it at once, refusing links, and what
// lies around the directory that it came to is asked of that directory, so that
// these are its real ancestors. It answers nil where the long way has to be
// gone: there is more to find out, or something to explain.
//
// Nothing is lost by that against [resolver]: each takes the directories that
// are there as it passes, and holds the last one.
//
// What is known of a place near, if any, is not asked again: a directory is held
// once, and once it is met on the way up its own ancestors are known.
func (r *Root) straight(path string, near *Place) *Place {
	path = strings.TrimLeft(path, "/")
	for _, unclean := range []string{"..", "//", "/./"} {
		if strings.Contains("/"+path+"/", unclean) {
			return nil
		}
	}
	slash := strings.LastIndexByte(path, '/')
	if slash < 0 {
		return nil
	}
	parents, name := path[:slash], path[slash+1:]
	depth := strings.Count(parents, "/") + 1
	if depth > len(upwards)/3 {
		return nil
	}
	dirPath := join(r.path, parents)
	if near != nil && (near.Name == "" || len(near.Missing) > 0) {
		near = nil
	}
	if near != nil && near.ParentPath() == dirPath {
		return near.Beside(name)
	}
	fd, err := unix.Openat2(r.fd, parents, &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_NO_SYMLINKS,
	})
	if err != nil {
		return nil
	}
	shared := 0
	if near != nil {
		shared = sharedDepth(strings.Split(parents, "/"), strings.Split(r.Below(near.ParentPath()), "/"))
	}
	ids, mount := r.ancestors(fd, depth, near, shared)
	if ids == nil {
		unix.Close(fd)
		return nil
	}
	return &Place{Path: join(dirPath, name), Name: name, Ancestors: ids, dir: &dir{fd: fd, mount: mount}}
}

// sharedDepth is how many components two paths begin with alike.
func sharedDepth(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// ancestors are the identities of the directories from the root down to the one
// that is open, which lies depth below, and the mount that it is on. Down to a
// shared depth they have the names of those of another place: when the deepest
// of these is the same directory, so are the others.
func (r *Root) ancestors(fd, depth int, near *Place, shared int) ([]Identity, uint64) {
	info, err := statAt(fd, "")
	if err != nil {
		return nil, 0
	}
	ids := make([]Identity, depth+1)
	ids[depth] = info.Identity
	at := depth
	for ; at > shared; at-- {
		var st unix.Stat_t
		if err := unix.Fstatat(fd, upwards[:3*(depth-at)+2], &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return nil, 0
		}
		ids[at-1] = Identity{Dev: uint64(st.Dev), Ino: st.Ino}
	}
	known := []Identity{r.id}
	if near != nil {
		known = near.Ancestors
	}
	if ids[at] != known[at] {
		return nil, 0
	}
	copy(ids, known[:at])
	return ids, info.Mount
}
