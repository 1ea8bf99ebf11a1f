package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// FuzzConfig holds that a configuration is understood whole or refused, that it is
// the same when it is written again, and that whatever a repository's file says
// never loosens what the person's says: it may start no command, name no temporary
// root and change no answer but for a stricter one.
func FuzzConfig(f *testing.F) {
	seeds := []string{
		"", "approve = \"allow\"\n", "approve = \"deny\"\nprotected = [\"infra/**\"]\n", "temporary = [\"/var/scratch\"]\n[ask]\nuntracked = true\n",
		"[ask]\nfiles = true\nreplace = false\n", "[[hooks.before_delete]]\nid = \"a\"\ncommand = [\"/bin/true\"]\ntimeout = \"5s\"\n",
		"[[hooks.before_delete]]\nid = \"b\"\nscript = \"keep.js\"\n", "[[hooks.before_delete]]\nid = \"c\"\nscript = \"../../outside.js\"\n",
		"Approve = \"allow\"\n", "approve = \"allow\"\nAPPROVE = \"deny\"\n", "approve = 1\n", "protected = [\"/x\"]\n", "protected = [\"a\\u0000\", \"[\"]\n",
		"hooks = {before_delete = [{id = \"x\", command = []}]}\n", "approve = '''allow'''\n", "\ufeffapprove = \"deny\"", "ask.files = true\nask.untracked = false\n", "approve = \"allow\"\x00",
	}
	for i, person := range seeds {
		f.Add(person, seeds[(i+1)%len(seeds)])
		f.Add("approve = \"ask\"\n", person)
	}
	project := f.TempDir()
	write := func(t testing.TB, name, text string) {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(project, ".codemode"), 0o700); err != nil {
		f.Fatal(err)
	}
	write(f, ".codemode/keep.js", "return 1")
	write(f, "outside.js", "return 1")
	f.Fuzz(func(t *testing.T, personal, repositorys string) {
		write(t, "config.toml", personal)
		write(t, ".codemode/config.toml", repositorys)
		person, err := readPersonal(filepath.Join(project, "config.toml"), true)
		defer person.close()
		if err != nil {
			return
		}
		sameAgain(t, person)
		alone, both := settings{}, settings{}
		given := &flags{approve: choice{value: "ask"}}
		if alone.join(given, person, nil) != nil {
			return
		}
		repository, err := readRepository(project)
		defer repository.close()
		if err != nil {
			return
		}
		sameAgain(t, repository)
		if both.join(given, person, []*source{repository}) != nil {
			return
		}
		if strictest(both.approve, alone.approve) != both.approve {
			t.Errorf("the person says %s, and with the repository's file it is %s", alone.approve, both.approve)
		}
		if both.ask.Or(alone.ask) != both.ask {
			t.Errorf("the person asks for %+v, and with the repository's file for %+v", alone.ask, both.ask)
		}
		if !slices.Equal(both.temporary, alone.temporary) {
			t.Errorf("temporary roots were %q, and are %q", alone.temporary, both.temporary)
		}
		if len(both.protected) < len(alone.protected) || !slices.Equal(both.protected[:len(alone.protected)], alone.protected) {
			t.Errorf("protected was %q, and is %q", alone.protected, both.protected)
		}
		if len(both.hooks) < len(alone.hooks) {
			t.Errorf("%d hooks were there, and %d are", len(alone.hooks), len(both.hooks))
		}
		for i, h := range alone.hooks {
			if both.hooks[i].ID() != h.ID() {
				t.Errorf("hook %d was %s, and is %s", i, h.ID(), both.hooks[i].ID())
			}
		}
		for _, h := range repository.config.Hooks.BeforeDelete {
			if h.Command != nil {
				t.Errorf("the repository starts %q", h.Command)
			}
		}
	})
}

// sameAgain writes what was read and reads it anew.
func sameAgain(t *testing.T, s *source) {
	t.Helper()
	data, err := toml.Marshal(s.config)
	if err != nil {
		t.Fatalf("%q cannot be written: %v", s.text, err)
	}
	again := source{name: s.name, repository: s.repository}
	if err := again.decode(data); err != nil {
		t.Fatalf("%q was taken, and written again as %q: %v", s.text, data, err)
	}
	data2, err := toml.Marshal(again.config)
	if err != nil || !reflect.DeepEqual(data, data2) {
		t.Errorf("%q is\n%s\nand when it is read again\n%s", s.text, data, data2)
	}
}
