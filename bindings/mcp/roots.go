//lint:file-ignore SA1019 The revisions of the protocol that are served have roots and logging, see versions.

package mcp

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"codemode/ops/policy"
)

// rootsWait is how long a client may think about its roots.
const rootsWait = 10 * time.Second

// roots asks the client for its roots. A client that has them and does not say
// which, or whose answer is not clear, is an error: a boundary that is not known
// must not be taken for none.
func (c *connection) roots(ctx context.Context) ([]string, error) {
	params := c.ss.InitializeParams()
	if params == nil || params.Capabilities == nil || params.Capabilities.RootsV2 == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, rootsWait)
	defer cancel()
	type answer struct {
		uris []string
		err  error
	}
	given := make(chan answer, 1)
	go func() {
		result, err := c.ss.ListRoots(ctx, nil)
		a := answer{err: err}
		if err == nil {
			for _, r := range result.Roots {
				if r == nil {
					a.err = fmt.Errorf("one of them is null")
					break
				}
				a.uris = append(a.uris, r.URI)
			}
		}
		given <- a
	}()
	var a answer
	select {
	case a = <-given:
	case <-ctx.Done():
		a.err = ctx.Err()
	}
	if a.err != nil {
		return nil, fmt.Errorf("the client has roots and did not say which, so that nothing is done: %w", a.err)
	}
	var list []string
	for _, uri := range a.uris {
		path, err := rootPath(uri)
		if err != nil {
			return nil, fmt.Errorf("the client's root %s makes no sense, so that nothing is done: %w", policy.Printable(uri), err)
		}
		list = append(list, path)
	}
	return list, nil
}

// rootPath is the directory that a file URI names. Escapes stand for bytes.
func rootPath(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", err
	}
	switch {
	case u.Scheme != "file":
		return "", fmt.Errorf("it is no file URI")
	case u.Host != "" && u.Host != "localhost", u.User != nil:
		return "", fmt.Errorf("it is on another machine")
	case u.RawQuery != "" || u.Fragment != "" || u.Opaque != "":
		return "", fmt.Errorf("it has more than a path; ? and # in names are written %%3F and %%23")
	case strings.ContainsRune(u.Path, 0):
		return "", fmt.Errorf("it contains a NUL byte")
	case !strings.HasPrefix(u.Path, "/"):
		return "", fmt.Errorf("its path is not absolute")
	}
	return filepath.Clean(filepath.FromSlash(u.Path)), nil
}
