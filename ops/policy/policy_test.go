package policy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"codemode/ops/policy"
)

func TestReasons(t *testing.T) {
	t.Parallel()
	git := func(tracked, uncertain bool) func() (bool, bool) {
		return func() (bool, bool) { return tracked, uncertain }
	}
	yes, no := func() bool { return true }, func() bool { return false }
	inside := policy.Facts{InGit: true, Tracked: git(false, false), Untracked: no}
	with := func(change func(*policy.Facts)) policy.Facts { f := inside; change(&f); return f }
	for _, tt := range []struct {
		name  string
		facts policy.Facts
		ask   policy.Ask
		want  string
	}{
		{"untracked directory inside", inside, policy.Ask{}, "[]"},
		{"tracked", with(func(f *policy.Facts) { f.Tracked = git(true, false) }), policy.Ask{}, "[tracked]"},
		{"uncertain", with(func(f *policy.Facts) { f.Tracked = git(false, true) }), policy.Ask{}, "[git-check-failed]"},
		{"tracked and uncertain and outside", with(func(f *policy.Facts) { f.Tracked, f.External = git(true, true), true }), policy.Ask{}, "[tracked external git-check-failed]"},
		{"no git", with(func(f *policy.Facts) { f.InGit = false }), policy.Ask{}, "[no-git]"},
		{"no git, but a root", with(func(f *policy.Facts) { f.InGit, f.Confined = false, true }), policy.Ask{}, "[]"},
		{"nested", with(func(f *policy.Facts) { f.Nested = true }), policy.Ask{}, "[nested-repository]"},
		{"file of a bare repository", with(func(f *policy.Facts) { f.Plain, f.InBare = true, true }), policy.Ask{}, "[nested-repository]"},
		{"tracked file", with(func(f *policy.Facts) { f.Plain, f.Tracked = true, git(true, false) }), policy.Ask{}, "[]"},
		{"tracked file, files", with(func(f *policy.Facts) { f.Plain, f.Tracked = true, git(true, false) }), policy.Ask{Files: true}, "[tracked]"},
		{"file without git, files", with(func(f *policy.Facts) { f.Plain, f.InGit = true, false }), policy.Ask{Files: true}, "[]"},
		{"file outside", with(func(f *policy.Facts) { f.Plain, f.External = true, true }), policy.Ask{}, "[external]"},
		{"untracked, asked", with(func(f *policy.Facts) { f.Untracked = yes }), policy.Ask{Untracked: true}, "[untracked]"},
		{"untracked file, asked", with(func(f *policy.Facts) { f.Plain, f.Untracked = true, yes }), policy.Ask{Untracked: true}, "[untracked]"},
		{"untracked, not asked", with(func(f *policy.Facts) { f.Untracked = yes }), policy.Ask{}, "[]"},
		{"overwritten file", with(func(f *policy.Facts) { f.Plain, f.Fate = true, policy.Overwritten }), policy.Ask{Replace: true}, "[replace]"},
		{"removed, replace", inside, policy.Ask{Replace: true}, "[]"},
		{"merged files", with(func(f *policy.Facts) { f.Merged, f.Fate, f.Tracked = true, policy.Overwritten, git(true, false) }), policy.Ask{}, "[]"},
		{"temporary", with(func(f *policy.Facts) { f.Temporary, f.External, f.InGit = true, true, false }), policy.Strict, "[]"},
		{"temporary, tracked", with(func(f *policy.Facts) { f.Temporary, f.External, f.Tracked = true, true, git(true, false) }), policy.Ask{}, "[tracked external]"},
		{"temporary, nested", with(func(f *policy.Facts) { f.Temporary, f.External, f.Nested = true, true, true }), policy.Ask{}, "[nested-repository]"},
	} {
		if got := fmt.Sprint(policy.Reasons(tt.facts, tt.ask)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestProtection(t *testing.T) {
	t.Parallel()
	p := policy.Protection{
		Bases: []string{"/home/me/proj"}, Control: func(name string) bool { return strings.EqualFold(name, ".git") },
		Globs: []string{"infra/**", "**/*.pem", "exact"},
		Paths: []policy.Guarded{
			{Path: "/", What: "the root"}, {Path: "/home/me", What: "home"}, {Path: "/home/me/proj", What: "the project"},
			{Path: "/home/me/.local/state/codemode", What: "the journal", Sealed: true},
		},
	}
	for path, protected := range map[string]bool{
		"/": true, "/home": true, "/home/me": true, "/home/me/proj": true, "/home/me/project": false, "/home/me/pro": false, "/home/me/proj/src": false,
		"/home/me/.local": true, "/home/me/.local/state/codemode": true, "/home/me/.local/state/codemode/x": true, "/home/me/.local/state/codemode2": false,
		"/home/me/proj/.git": true, "/home/me/proj/.git/HEAD": true, "/elsewhere/.GIT/x": true, "/home/me/proj/.gitignore": false,
		"/home/me/proj/infra": true, "/home/me/proj/infra/a/b": true, "/home/me/proj/infrared": false, "/home/me/infra/a": false,
		"/home/me/proj/a/k.pem": true, "/home/me/proj/a/k.pem/inside": true, "/home/me/proj/exact/deep/in": true, "/home/me/proj/x/exact": false,
	} {
		if why := p.Find(path); (why != "") != protected {
			t.Errorf("%s: %q, want protected %v", path, why, protected)
		}
	}
}

func TestCheckGlob(t *testing.T) {
	t.Parallel()
	for glob, ok := range map[string]bool{
		"**/*.{js,ts}": true, "infra/**": true, "a{b,c}/{d,e}*": true, "[a-z]?": true, "\\{a": true,
		"": false, "[a": false, "{a": false, strings.Repeat("{a,a}", 30) + "b": false, strings.Repeat("{", 20) + "a" + strings.Repeat(",b}", 20): true,
		"{" + strings.Repeat("a,", 300) + "}": false, strings.Repeat("**/", 20): false, "a//b": false, "./a": false, "a/../b": false, "a/": false,
		"{" + strings.Repeat("{a,a}", 30) + ",b}": false, "{{a,b}{c,d},e}": true, "a,b": true, "{a,b},{c,d}": true, strings.Repeat("{a,a},", 30): false, strings.Repeat("*a", 50): false, strings.Repeat("a", 2000): false,
	} {
		if err := policy.CheckGlob(glob); (err == nil) != ok {
			t.Errorf("%.60q: %v, want ok %v", glob, err, ok)
		}
	}
	// The worst that is let in is still quick.
	p := policy.Protection{Bases: []string{"/p"}, Control: func(string) bool { return false }}
	for _, glob := range []string{strings.Repeat("{a,a}", 8) + "b", strings.Repeat("**/", 6) + "b", strings.Repeat("*a", 40) + "b", strings.Repeat("**/", 6) + strings.Repeat("{a,a}", 8) + "b"} {
		if err := policy.CheckGlob(glob); err != nil {
			t.Errorf("%q: %v", glob, err)
		}
		p.Globs = append(p.Globs, glob)
	}
	began := time.Now()
	p.Find("/p/" + strings.Repeat("a/", 12) + strings.Repeat("a", 60))
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("matching took %v", took)
	} else {
		t.Log(took)
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"/plain/path-1.txt": "/plain/path-1.txt", "café/設計": "café/設計", "a\nb\tc\rd": `a\nb\tc\rd`, "\x1b[31m": `\x1b[31m`, "\xff": `\xff`, "\u0080": `\u0080`, "\x80": `\x80`,
		"r\u202etxt": `r\u202etxt`, "a\u200bb": `a\u200bb`, " x ": `\x20x\x20`, "a b": "a b", "a\u00a0b": `a\u00a0b`, `a\b`: `a\\b`, "\u2800": `\u2800`, "x\U000e0100": `x\U000e0100`,
	} {
		if got := policy.Printable(in); got != want {
			t.Errorf("Printable(%q) = %s, want %s", in, got, want)
		}
	}
}

// FuzzPrintable: whatever a name holds, what is shown is plain text that tells
// different names apart.
func FuzzPrintable(f *testing.F) {
	for _, seed := range []string{"a\\nb", "a\nb", "\xff\\xff", "\u202e", " ", "\\x20"} {
		f.Add(seed, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		pa, pb := policy.Printable(a), policy.Printable(b)
		if !utf8.ValidString(pa) || strings.ContainsAny(pa, "\n\r\t\x1b\u202e\u200b") {
			t.Errorf("Printable(%q) = %q", a, pa)
		}
		if pa == pb && a != b {
			t.Errorf("%q and %q both print as %s", a, b, pa)
		}
	})
}
