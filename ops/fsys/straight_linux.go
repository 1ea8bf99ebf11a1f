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
func (r *Root) straight(path string) *Place {
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
	fd, err := unix.Openat2(r.fd, parents, &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_NO_SYMLINKS,
	})
	if err != nil {
		return nil
	}
	ids, mount := r.ancestors(fd, depth)
	if ids == nil {
		unix.Close(fd)
		return nil
	}
	return &Place{Path: join(join(r.path, parents), name), Name: name, Ancestors: ids, dir: &dir{fd: fd, mount: mount}}
}

// ancestors are the identities of the directories from the root down to the one
// that is open, which lies depth below, and the mount that it is on.
func (r *Root) ancestors(fd, depth int) ([]Identity, uint64) {
	info, err := statAt(fd, "")
	if err != nil {
		return nil, 0
	}
	ids := make([]Identity, depth+1)
	ids[depth] = info.Identity
	for i := range depth {
		var st unix.Stat_t
		if err := unix.Fstatat(fd, upwards[:3*i+2], &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return nil, 0
		}
		ids[depth-1-i] = Identity{Dev: st.Dev, Ino: st.Ino}
	}
	if ids[0] != r.id {
		return nil, 0
	}
	return ids, info.Mount
}
