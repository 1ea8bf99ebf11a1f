package gitstate

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"codemode/ops/fsys"
)

var errGitfile = errors.New(`does not say "gitdir: " and a path`)

// parseGitfile reads the content of a ".git" file. Git is exact about it, and
// so is this: one blank after the colon, and only line ends are cut off, so the
// path may hold blanks and even line breaks.
func parseGitfile(data []byte) (string, error) {
	rest, ok := bytes.CutPrefix(data, []byte("gitdir: "))
	if !ok {
		return "", errGitfile
	}
	return pointer(rest)
}

// pointer is a path written in a file, without the line end.
func pointer(data []byte) (string, error) {
	path := string(bytes.TrimRight(data, "\r\n"))
	if path == "" {
		return "", errors.New("names no path")
	}
	if strings.ContainsRune(path, 0) {
		return "", errors.New("holds a NUL byte")
	}
	return path, nil
}

// readGitfile returns the hops from a ".git" file to the git dir. A relative
// path starts at the directory that holds the entry, also when the entry is a
// link to a file elsewhere.
func readGitfile(file, holder, within string) ([]string, error) {
	data, _, err := readRegular(file, maxPointer)
	if err != nil {
		return nil, err
	}
	to, err := parseGitfile(data)
	if err != nil {
		return nil, err
	}
	return chaseDir(join(holder, to), within)
}

// commonDir returns the hops to the directory that linked worktrees share; none
// when the git dir stands for itself.
func commonDir(gitDir, within string) ([]string, error) {
	path := filepath.Join(gitDir, "commondir")
	if _, err := lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the usual case, for one system call
	}
	data, _, err := readRegular(path, maxPointer)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("is a link that leads nowhere")
	}
	if err != nil {
		return nil, err
	}
	to, err := pointer(data)
	if err != nil {
		return nil, err
	}
	return chaseDir(join(gitDir, to), within)
}

func chaseDir(path, within string) ([]string, error) {
	hops, err := fsys.Chase(path, within)
	if err != nil {
		return hops, err
	}
	if !isDirectory(hops[len(hops)-1]) {
		return hops, errors.New("leads to something that is not a directory")
	}
	return hops, nil
}

// head is what a HEAD file says.
type head int

const (
	headInvalid  head = iota
	headSymbolic      // names a branch
	headDetached      // names a commit
)

// readHead tells whether Git would take the HEAD of a git dir.
func readHead(gitDir string) head {
	path := filepath.Join(gitDir, "HEAD")
	if text, err := os.Readlink(path); err == nil {
		if strings.HasPrefix(text, "refs/") {
			return headSymbolic
		}
		return headInvalid
	}
	data, _, err := readRegular(path, maxHead)
	if err != nil {
		return headInvalid
	}
	return parseHead(data)
}

func parseHead(data []byte) head {
	if rest, ok := bytes.CutPrefix(data, []byte("ref:")); ok {
		if bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n\v\f"), []byte("refs/")) {
			return headSymbolic
		}
		return headInvalid
	}
	const sha1Digits = 40 // a longer SHA-256 name begins with as many
	if len(data) < sha1Digits {
		return headInvalid
	}
	for _, c := range data[:sha1Digits] {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return headInvalid
		}
	}
	return headDetached
}
