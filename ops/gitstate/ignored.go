package gitstate

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// Ignored lists what Git ignores below the directory dir, which is absolute
// and resolved: absolute paths, a directory that is ignored as a whole by its
// own path alone. Where there is no worktree nothing is ignored. For searching
// only; it is no ground for a removal.
func (in *Inspector) Ignored(ctx context.Context, dir string) (map[string]struct{}, error) {
	ignored := map[string]struct{}{}
	r := worktree(in.search(ctx).around(dir))
	if r == nil {
		return ignored, nil
	}
	if err := in.mayAsk(r); err != nil {
		return nil, err
	}
	rel, ok := relative(r.holder, dir)
	if !ok {
		return nil, fmt.Errorf("%q is not below %q", dir, r.holder)
	}
	confined, err := r.confinedArgs()
	if err != nil {
		return nil, err
	}
	args := append(confined, "--no-optional-locks", "-c", "core.fsmonitor=false", "--literal-pathspecs",
		"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--full-name")
	if rel != "" {
		args = append(args, "--", rel)
	}
	out, err := in.git(ctx, r.holder, nil, maxIndex, args...)
	if err != nil {
		return nil, err
	}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		if len(name) > 0 {
			ignored[filepath.Join(r.holder, strings.TrimSuffix(string(name), "/"))] = struct{}{}
		}
	}
	return ignored, nil
}
