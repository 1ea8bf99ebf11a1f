package gitstate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	gitconfig "github.com/go-git/go-git/v5/plumbing/format/config"
)

// settings are the parts of a repository's config that decide what is tracked
// where.
type settings struct {
	worktrees      []string // core.worktree, every value given, the last one counts for git
	ignoreCase     bool
	bare           tristate
	worktreeConfig bool
	objectFormat   string
	odd            string // not empty: something that a git of today refuses or that we do not know
}

// tristate is a boolean that may be left out.
type tristate int

const (
	unset tristate = iota
	yes
	no // or said in a way that is not clear
)

// setting is one line of a config file with section and key in lower case.
type setting struct {
	name  string // "core.worktree", "extensions.objectformat"
	value string
	bare  bool // no "=" at all, which means true
}

// readSettings parses a config file. A missing file is an empty one, as it is
// for git.
func (in *Inspector) readSettings(ctx context.Context, path string) (settings, error) {
	data, _, err := readRegular(path, maxConfig)
	if absent(err) {
		return interpret(nil), nil
	}
	if err != nil {
		return interpret(nil), fmt.Errorf("%q cannot be read (%s)", path, reason(err))
	}
	key := sha256.Sum256(data)
	in.mu.Lock()
	s, ok := in.configs[key]
	in.mu.Unlock()
	if ok {
		return s, nil
	}
	list, err := parseConfig(data)
	if err != nil { // it refuses a few spellings that git takes
		var gitErr error
		if list, gitErr = in.gitParseConfig(ctx, data); gitErr != nil {
			return interpret(nil), fmt.Errorf("%q cannot be parsed (%q), nor by git (%w)", path, err.Error(), gitErr)
		}
	}
	s = interpret(list)
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.configs) >= maxConfigs {
		clear(in.configs)
	}
	in.configs[key] = s
	return s, nil
}

// maxConfigs bounds how many parsed configs are kept.
const maxConfigs = 64

// parseConfig reads a config file with go-git's parser. It fails where that
// parser is known to read something else than git does.
func parseConfig(data []byte) (list []setting, err error) {
	if bytes.Contains(data, []byte("\\\n")) || bytes.Contains(data, []byte("\\\r\n")) {
		return nil, errors.New("a value goes on over several lines")
	}
	defer func() { // a stranger's file and a stranger's parser
		if p := recover(); p != nil {
			list, err = nil, fmt.Errorf("the parser failed: %q", fmt.Sprint(p))
		}
	}()
	var c gitconfig.Config
	if err := gitconfig.NewDecoder(bytes.NewReader(data)).Decode(&c); err != nil {
		return nil, err
	}
	for _, s := range c.Sections {
		for _, o := range s.Options {
			list = append(list, setting{
				name:  strings.ToLower(s.Name + "." + o.Key),
				value: o.Value,
				bare:  o.Value == "", // the parser does not tell "key" from "key ="
			})
		}
	}
	return list, nil
}

func interpret(list []setting) settings {
	s := settings{objectFormat: "sha1"}
	for _, o := range list {
		switch o.name {
		case "core.worktree":
			s.worktrees = append(s.worktrees, o.value)
		case "core.ignorecase":
			s.ignoreCase = s.ignoreCase || !isFalse(o.value) || o.bare
		case "core.bare":
			// Only trusted when it is said plainly and never contradicted: it is
			// the one setting here that makes less count as tracked.
			if isTrue(o.value) && s.bare != no {
				s.bare = yes
			} else {
				s.bare = no
			}
		case "core.repositoryformatversion":
			if o.value != "0" && o.value != "1" {
				s.odd = fmt.Sprintf("core.repositoryFormatVersion is %q", o.value)
			}
		default:
			if ext, ok := strings.CutPrefix(o.name, "extensions."); ok {
				s.extension(ext, o)
			}
		}
	}
	return s
}

func (s *settings) extension(name string, o setting) {
	switch name {
	case "noop", "noop-v1", "preciousobjects", "partialclone", "relativeworktrees", "refstorage", "compatobjectformat":
		// None of them changes the index or where it lies.
	case "worktreeconfig":
		s.worktreeConfig = s.worktreeConfig || !isFalse(o.value) || o.bare
	case "objectformat":
		s.objectFormat = strings.ToLower(o.value)
		if s.objectFormat != "sha1" && s.objectFormat != "sha256" {
			s.odd = fmt.Sprintf("extensions.objectFormat is %q", o.value)
		}
	default:
		s.odd = fmt.Sprintf("extensions.%s is not known", strings.Trim(fmt.Sprintf("%q", name), `"`))
	}
}

func isTrue(v string) bool {
	switch strings.ToLower(v) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

func isFalse(v string) bool {
	switch strings.ToLower(v) {
	case "false", "no", "off", "0", "":
		return true
	}
	return false
}

// configFiles are the files that decide about a repository.
func configFiles(gitDir, common string) []string {
	return []string{filepath.Join(common, "config"), filepath.Join(gitDir, "config.worktree")}
}
