package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/gitstate"
	"codemode/ops/policy"
	"codemode/runtime"
)

// settings is what the host decides: its flags, the person's file and, as far
// as it tightens, the repository's.
type settings struct {
	approve   string // ask, deny or allow
	approveBy string // who said so, for messages
	ask       policy.Ask
	protected []string
	temporary []string
	hooks     []ops.Hook
	engine    runtime.Engine
	sealed    []string // the files and folders that this came from
}

// strictness orders the answers to a question for approval.
var strictness = []string{"allow", "ask", "deny"}

func strictest(a, b string) string {
	return strictness[max(slices.Index(strictness, a), slices.Index(strictness, b))]
}

// loadSettings reads both configuration files and brings them and the flags
// together. dir is the working directory or the root, resolved.
func (p *program) loadSettings(ctx context.Context, f *flags, dir string, git *gitstate.Inspector, engine runtime.Engine) (settings, error) {
	folder, err := p.env.configDir()
	if err != nil {
		return settings{}, misuse("%v", err)
	}
	path := filepath.Join(folder, "config.toml")
	set := settings{engine: engine}
	set.seal(folder)
	set.seal(path) // also where --config names another: the next run reads it
	if f.configGiven {
		if path, err = filepath.Abs(f.config); err != nil {
			return settings{}, misuse("--config: %v", err)
		}
		set.seal(path)
	}
	person, err := readPersonal(path, f.configGiven)
	if err != nil {
		return settings{}, err
	}
	defer person.close()
	dirs := projects(dir, git.Project(ctx, dir).Root, f.rootGiven)
	if f.around != "" {
		dirs = append(dirs, projects(f.around, git.Project(ctx, f.around).Root, false)...)
	}
	slices.Sort(dirs)
	repositories, err := readProjects(slices.Compact(dirs))
	defer func() {
		for _, r := range repositories {
			r.close()
		}
	}()
	if err != nil {
		return settings{}, err
	}
	if err := set.join(f, person, repositories); err != nil {
		return settings{}, err
	}
	return set, set.addHookFlag(f)
}

// projects are the directories whose .codemode counts: the project, and a
// confined root in it, too. Both can only tighten.
func projects(dir, worktree string, confined bool) []string {
	switch {
	case worktree == "" || worktree == dir:
		return []string{dir}
	case confined:
		return []string{worktree, dir}
	}
	return []string{worktree}
}

func readProjects(dirs []string) (list []*source, err error) {
	for _, dir := range dirs {
		r, err := readRepository(dir)
		if err != nil {
			return list, err
		}
		list = append(list, r)
	}
	return list, nil
}

// join applies the one rule: the flags and the person's file say what is
// allowed, the repository's file can only take away from that.
func (set *settings) join(f *flags, person *source, repositories []*source) error {
	set.approve, set.approveBy = f.approve.value, "--approve "+f.approve.value
	if said := person.config.Approve; said != nil && !f.approveGiven {
		set.approve, set.approveBy = *said, person.says(*said)
	}
	set.ask = person.config.Ask
	for _, repository := range repositories {
		if said := repository.config.Approve; said != nil && strictest(set.approve, *said) != set.approve {
			set.approve, set.approveBy = *said, repository.says(*said)
		}
		set.ask = set.ask.Or(repository.config.Ask)
		if len(repository.config.Temporary) > 0 {
			return repository.wrong(0, "temporary: a repository cannot say where nothing is asked; only your own configuration can")
		}
	}
	if f.strict {
		set.ask = policy.Strict
	}
	set.temporary = person.config.Temporary
	for _, from := range append([]*source{person}, repositories...) {
		set.protected = append(set.protected, from.config.Protected...)
		hooks, err := from.hooks(set.engine)
		if err != nil {
			return err
		}
		set.hooks = append(set.hooks, hooks...)
	}
	set.sealHooks(person)
	return nil
}

// says quotes what a file says about approval.
func (s *source) says(approve string) string {
	return fmt.Sprintf("approve = %q in %s", approve, policy.Printable(s.name))
}

// addHookFlag adds the script hook of --hooks, after all others.
func (set *settings) addHookFlag(f *flags) error {
	if !f.hooksGiven {
		return nil
	}
	path, err := filepath.Abs(f.hooks)
	if err != nil {
		return misuse("--hooks: %v", err)
	}
	beside := &source{name: path}
	code, err := beside.readScript(path)
	if err != nil {
		return misuse("--hooks %s: %v", policy.Printable(f.hooks), reason(err))
	}
	id := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	set.hooks = append(set.hooks, bindings.ScriptHook(id, filepath.Base(path), code, 0, set.engine))
	set.seal(path)
	return nil
}
