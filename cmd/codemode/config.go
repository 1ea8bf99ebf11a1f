package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
	"codemode/ops/wording"
	"codemode/runtime"
)

// maxConfig bounds a configuration file or a hook script.
const maxConfig = 1 << 20

// fileConfig is a configuration file as it is written. There are two: the
// person's and the repository's; tighten.go says how they come together.
type fileConfig struct {
	Approve   *string      `toml:"approve"`
	Protected []string     `toml:"protected"`
	Temporary []string     `toml:"temporary"`
	Ask       policy.Ask   `toml:"ask"`
	Hooks     hooksSection `toml:"hooks"`
}

type hooksSection struct {
	BeforeDelete []hookConfig `toml:"before_delete"`
}

type hookConfig struct {
	ID      string   `toml:"id"`
	Command []string `toml:"command"`
	Script  string   `toml:"script"`
	Timeout string   `toml:"timeout"`
}

// source is a configuration file and the folder that its hook scripts are
// looked for in.
type source struct {
	name       string // for messages
	config     fileConfig
	text       []byte
	scripts    *os.Root // nil: the file does not exist
	repository bool
}

func (s *source) close() {
	if s.scripts != nil {
		s.scripts.Close()
	}
}

// readPersonal reads the person's file. Only the default one may be missing.
func readPersonal(path string, required bool) (*source, error) {
	s := &source{name: path}
	absent, err := missing(path)
	if absent && !required {
		return s, nil
	}
	if err != nil {
		return nil, misuse("configuration %s: %s", policy.Printable(path), policy.Printable(reason(err).Error()))
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && !absent {
		err = errors.New("it is a link that leads nowhere, and what it named may have been a protection; put the file back or remove the link")
	}
	if err != nil {
		return nil, misuse("configuration %s: %v", policy.Printable(path), reason(err))
	}
	if info.IsDir() {
		return nil, misuse("configuration %s: it is a directory", policy.Printable(path))
	}
	data, err := readPlain(path)
	if err != nil {
		return nil, misuse("configuration %s: %v", policy.Printable(path), reason(err))
	}
	if s.scripts, err = os.OpenRoot(filepath.Dir(path)); err != nil {
		return nil, misuse("configuration %s: %v", policy.Printable(path), reason(err))
	}
	return s, s.decode(data)
}

// readRepository reads .codemode/config.toml of a project. The project's files
// are not trusted: no link leads out of the project, and nothing but a regular
// file is opened, since a pipe would block.
func readRepository(project string) (*source, error) {
	s := &source{name: filepath.Join(project, ".codemode", "config.toml"), repository: true}
	fail := func(err error) (*source, error) {
		return nil, misuse("configuration %s: %v", policy.Printable(s.name), reason(err))
	}
	root, err := os.OpenRoot(project)
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	const inside = ".codemode/config.toml"
	// Only what is certainly absent counts as absent. A link that leads nowhere
	// or out is a broken configuration.
	if _, err := root.Lstat(inside); errors.Is(err, fs.ErrNotExist) {
		if _, err := root.Lstat(".codemode"); err == nil {
			if _, err := root.Stat(".codemode"); err != nil {
				return fail(err)
			}
		}
		return s, nil
	}
	data, err := readRegular(root, inside)
	if err != nil {
		return fail(err)
	}
	if s.scripts, err = root.OpenRoot(".codemode"); err != nil {
		return fail(err)
	}
	return s, s.decode(data)
}

// readPlain reads a regular file of the person's; a pipe might block for ever.
func readPlain(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	return readLimited(os.Open(path))
}

// readRegular reads a regular file beneath root.
func readRegular(root *os.Root, name string) ([]byte, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	return readLimited(root.Open(name))
}

// readLimited reads and closes a file that was just opened.
func readLimited(f *os.File, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err == nil && len(data) > maxConfig {
		return nil, fmt.Errorf("it is larger than %s", wording.Bytes(maxConfig))
	}
	return data, err
}

// reason strips what the message around it says already.
func reason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// decode reads the file strictly: whatever is not understood might have been a
// protection, so that nothing may run without it.
func (s *source) decode(data []byte) error {
	s.text = data
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&s.config)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		first := &unknown.Errors[0]
		line, _ := first.Position()
		return s.unknownKey(line, strings.Join(first.Key(), "."))
	case errors.As(err, &wrong):
		return s.wrongSyntax(wrong)
	case err != nil:
		return s.wrong(0, "%s", policy.Printable(err.Error()))
	}
	if err := s.checkSpelling(); err != nil {
		return err
	}
	return s.checkValues()
}

// checkValues finds what is of the right type and means nothing. A protection
// that cannot work must not pass for one.
func (s *source) checkValues() error {
	if a := s.config.Approve; a != nil && !slices.Contains(strictness, *a) {
		return s.wrong(s.line("approve"), `approve must be "ask", "deny" or "allow", not %q`, *a)
	}
	for _, glob := range s.config.Protected {
		if strings.HasPrefix(glob, "/") || strings.HasPrefix(glob, "./") || strings.HasPrefix(glob, "../") || strings.HasSuffix(glob, "/") || glob == "" {
			return s.wrong(s.line(glob), "the protected glob %q can never match: write it relative to the project, without ./ before and / behind it", glob)
		}
		if err := policy.CheckGlob(glob); err != nil {
			return s.wrong(s.line(glob), "protected: %v", err)
		}
	}
	for _, dir := range s.config.Temporary {
		if !filepath.IsAbs(dir) {
			return s.wrong(s.line(dir), "temporary: %q is not an absolute path; nothing is expanded here", dir)
		}
	}
	return nil
}

// line is where text stands first in the file; 0 if it is spelled otherwise.
func (s *source) line(text string) int {
	at := bytes.Index(s.text, []byte(text))
	if at < 0 || text == "" {
		return 0
	}
	return bytes.Count(s.text[:at], []byte("\n")) + 1
}

func (s *source) wrong(line int, format string, args ...any) error {
	place := policy.Printable(s.name)
	if line > 0 {
		place = fmt.Sprintf("%s:%d", place, line)
	}
	return misuse("configuration %s: "+format, append([]any{place}, args...)...)
}

// checkSpelling refuses keys that differ from ours in case: the decoder takes
// them, so that of two spellings one would silently lose.
func (s *source) checkSpelling() error {
	var all map[string]any
	if err := toml.Unmarshal(s.text, &all); err != nil {
		return s.wrong(0, "%s", policy.Printable(err.Error()))
	}
	var check func(v any) string
	check = func(v any) string {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				if key != strings.ToLower(key) {
					return key
				}
				if bad := check(value); bad != "" {
					return bad
				}
			}
		case []any:
			for _, value := range v {
				if bad := check(value); bad != "" {
					return bad
				}
			}
		}
		return ""
	}
	if bad := check(all); bad != "" {
		return s.wrong(s.line(bad), "unknown key %s; keys are written in lower case", policy.Printable(bad))
	}
	return nil
}

// hooks makes the hooks of the file, in its order.
func (s *source) hooks(engine runtime.Engine) ([]ops.Hook, error) {
	var hooks []ops.Hook
	seen := map[string]bool{}
	for i, h := range s.config.Hooks.BeforeDelete {
		fail := func(format string, args ...any) ([]ops.Hook, error) {
			what := fmt.Sprintf("hook %d", i+1)
			if h.ID != "" {
				what = "hook " + policy.Printable(h.ID)
			}
			return nil, s.wrong(s.line(`"`+h.ID+`"`), what+": "+format, args...)
		}
		switch {
		case h.ID == "":
			return fail("it has no id")
		case seen[h.ID]:
			return fail("the id is used twice")
		case h.Command != nil && s.repository:
			return fail("a repository can start no command, since everybody who clones it would run it; use a script hook, or put the command into your own configuration")
		case (h.Script != "") == (h.Command != nil):
			both := "neither a command nor a script"
			if h.Script != "" {
				both = "both a command and a script"
			}
			return fail("it has %s; exactly one of them is needed", both)
		case h.Command != nil && (len(h.Command) == 0 || h.Command[0] == ""):
			return fail("the command is empty")
		case len(h.Command) > 0 && strings.ContainsRune(h.Command[0], filepath.Separator) && !filepath.IsAbs(h.Command[0]):
			return fail("the command %s is a relative path, which any project could fill; give its absolute path", policy.Printable(h.Command[0]))
		}
		seen[h.ID] = true
		var timeout time.Duration // 0: the default
		if h.Timeout != "" {
			var err error
			if timeout, err = time.ParseDuration(h.Timeout); err != nil || timeout <= 0 {
				return fail("timeout must be a time such as \"5s\", not %q", h.Timeout)
			}
		}
		if h.Command != nil {
			hooks = append(hooks, ops.CommandHook(h.ID, h.Command, timeout))
			continue
		}
		code, err := s.readScript(h.Script)
		if err != nil {
			return fail("script %s: %v", policy.Printable(h.Script), reason(err))
		}
		hooks = append(hooks, bindings.ScriptHook(h.ID, h.Script, code, timeout, engine))
	}
	return hooks, nil
}

// readScript reads a hook script beside the file. The person's own may be a
// link to anywhere, as dotfile managers make them; a repository's may not.
func (s *source) readScript(name string) (string, error) {
	if s.repository {
		data, err := readRegular(s.scripts, name)
		return string(data), err
	}
	data, err := readPlain(s.beside(name))
	return string(data), err
}

// beside is the path of something that the file names: relative names start
// from its folder.
func (s *source) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(s.name), name)
}
