package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"codemode/ops/policy"
)

// boundary is what confines a connection.
type boundary struct {
	root     string // resolved; "" where nothing confines it
	byClient bool   // the root is one that the client offers
	dir      string // the working directory, where the boundary is the client's alone
	around   string // the same, if it lies inside the root
}

// drawBoundary brings together what the host and the client want: what both
// allow, and never more. Of several roots that the client offers, the innermost
// that holds the working directory counts, else the first. One that does not
// exist counts for nothing, but where a client offers roots, one must.
func drawBoundary(f *flags, offered []string) (boundary, error) {
	_, working, err := workingDirectory(f)
	if err != nil {
		return boundary{}, err
	}
	host := boundary{}
	if f.rootGiven {
		host.root = working
	}
	if len(offered) == 0 {
		return host, nil
	}
	var roots []string
	for _, root := range offered {
		real, err := filepath.EvalSymlinks(root)
		if err != nil {
			continue
		}
		if info, err := os.Stat(real); err == nil && info.IsDir() {
			roots = append(roots, real)
		}
	}
	if len(roots) == 0 {
		return boundary{}, errors.New("none of the client's roots is a directory here")
	}
	if chosen := innermost(roots, working); chosen != "" {
		switch {
		case f.rootGiven:
			return host, nil // what the host draws lies inside
		case chosen == working:
			return boundary{root: chosen, byClient: true, dir: working}, nil
		}
		return boundary{root: chosen, byClient: true, dir: working, around: working}, nil
	}
	if !f.rootGiven {
		return boundary{root: roots[0], byClient: true, dir: working}, nil
	}
	for _, root := range roots {
		if holds(working, root) {
			return boundary{root: root, byClient: true}, nil
		}
	}
	return boundary{}, fmt.Errorf("the client's roots lie outside --root %s", policy.Printable(working))
}

// innermost is the longest of the roots that hold a directory, or "".
func innermost(roots []string, dir string) string {
	found := ""
	for _, root := range roots {
		if holds(root, dir) && len(root) > len(found) {
			found = root
		}
	}
	return found
}

// holds reports whether a directory is another, or lies in it.
func holds(outer, inner string) bool {
	rel, err := filepath.Rel(outer, inner)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
