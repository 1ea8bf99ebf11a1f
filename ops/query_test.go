package ops_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/ops"
	"codemode/ops/opstest"
)

const shop = `
mkdir -p proj/a/b proj/.hid out
printf 'one\ntwo é needle\r\nthree needle needle\n' > proj/a/t.txt
printf 'needle' > proj/a/b/deep.js
printf 'x\0needle' > proj/bin
printf '\xff\xfe' > proj/raw
touch "proj/$(printf 'caf\xe9')"
ln -s a proj/la; ln -s a/t.txt proj/lf; ln -s none proj/lb; ln -s ../out proj/lo
mkfifo proj/pipe
printf k > out/k
chmod 640 proj/a/t.txt
`

// answers runs queries in a session and compares the JSON, with the paths of
// the world put back to $W.
func answers(t *testing.T, w opstest.World, s *ops.Session, cases [][2]string) {
	t.Helper()
	for _, c := range cases {
		tool, args, _ := strings.Cut(c[0], " ")
		got, err := s.Query(t.Context(), tool, []byte(w.Expand(args)), "")
		text := strings.ReplaceAll(string(got), w.W, "$W")
		if err != nil {
			var e *ops.Error
			if !errors.As(err, &e) {
				t.Fatalf("%s: %T is no *ops.Error", c[0], err)
			}
			text = string(e.Code)
		}
		if !strings.Contains(text, c[1]) {
			t.Errorf("%s\n got %s (%v)\nwant %s", c[0], text, err, c[1])
		}
	}
}

func TestReadingTools(t *testing.T) {
	t.Parallel()
	w, s := open(t, shop, ops.Config{})
	answers(t, w, s, [][2]string{
		{`stat {"path":"a/t.txt"}`, `{"name":"t.txt","path":"a/t.txt","kind":"file","size":39,"mode":416,"mtime":"`},
		{`stat {"path":"lf"}`, `"kind":"symlink","size":7,"mode":511,`},
		{`stat {"path":"lf"}`, `"link":"a/t.txt"}`},
		{`stat {"path":"caf\udce9"}`, `{"name":"caf\udce9","path":"caf\udce9"`},
		{`stat {"path":"pipe"}`, `"kind":"fifo"`},
		{`stat {"path":"none"}`, `ENOENT`},
		{`stat {"path":"lf","follow":true}`, `{"name":"t.txt","path":"lf","kind":"file","size":39,"mode":416,"mtime":"`},
		{`stat {"path":"lf","follow":true}`, `"real":"$W/proj/a/t.txt","access":"rw`},
		{`stat {"path":"la/b/../t.txt","follow":true}`, `"real":"$W/proj/a/t.txt"`},
		{`stat {"path":"la","follow":true}`, `"kind":"directory"`},
		{`stat {"path":"la","follow":true}`, `"access":"rwx"`},
		{`stat {"path":".","follow":true}`, `"real":"$W/proj","access":"rwx"`},
		{`stat {"path":"/","follow":true}`, `"real":"/","access":"r`},
		{`stat {"path":"lb","follow":true}`, `ENOENT`},
		{`stat {"path":"lf","follow":false}`, `"kind":"symlink"`},
		{`stat {"path":"lf","follow":"true"}`, `INVALID_ARGUMENTS`},
		{`stat {"path":"lb/x"}`, `ENOENT`},
		{`stat {"path":"lf/"}`, `ENOTDIR`},
		{`stat {}`, `INVALID_ARGUMENTS`},
		{`stat {"path":"a","followed":true}`, `INVALID_ARGUMENTS`},
		{`list {"path":"a"}`, `{"path":"a","entries":[{"name":"b","path":"a/b","kind":"directory",`},
		{`list {"path":"a"}`, `"truncated":false}`},
		{`list {"path":"la"}`, `{"path":"la","entries":[{"name":"b","path":"la/b"`},
		{`list {"path":"$W/proj/a/"}`, `{"path":"$W/proj/a","entries":[{"name":"b","path":"$W/proj/a/b"`},
		{`stat {"path":"./a/../a"}`, `{"name":"a","path":"a"`},
		{`stat {"path":"../out"}`, `{"name":"out","path":"../out"`},
		{`list {"path":"."}`, `{"path":".","entries":[{"name":".git","path":".git"`},
		{`list {"path":".","limit":2}`, `"truncated":true}`},
		{`list {"path":"a","recursive":true}`, `"path":"a/b/deep.js"`},
		{`list {"path":"lf"}`, `ENOTDIR`},
		{`list {"path":"pipe"}`, `ENOTDIR`},
		{`list {"path":"a","limit":0}`, `INVALID_ARGUMENTS`},
		{`list {"path":"a","limit":1.5}`, `INVALID_ARGUMENTS`},
		{`list {"path":"a","recursive":"true"}`, `INVALID_ARGUMENTS`},
		{`read {"path":"a/b/deep.js"}`, `{"path":"a/b/deep.js","size":6,"text":"needle"}`},
		{`read {"path":"lf","offset":4,"limit":3}`, `"size":39,"text":"two","truncated":true}`},
		{`read {"path":"a/t.txt","offset":8,"limit":1}`, `"text":"","truncated":true}`},
		{`read {"path":"raw"}`, `"size":2,"bytes":"//4="}`},
		{`read {"path":"a/b/deep.js","encoding":"base64"}`, `"bytes":"bmVlZGxl"}`},
		{`read {"path":"a/t.txt","offset":1000}`, `"text":""}`},
		{`read {"path":"a"}`, `EISDIR`},
		{`read {"path":"pipe"}`, `INVALID_FILE_TYPE`},
		{`read {"path":"/dev/zero"}`, `INVALID_FILE_TYPE`},
		{`read {"path":"/proc/self/environ"}`, `INVALID_FILE_TYPE`},
		{`search {"pattern":"PATH","path":"/proc/self/environ"}`, `INVALID_FILE_TYPE`},
		{`read {"path":"lb"}`, `ENOENT`},
		{`read {"path":"raw","encoding":"latin1"}`, `INVALID_ARGUMENTS`},
		{`read {"path":"raw","offset":-1}`, `INVALID_ARGUMENTS`},
		{`glob {"pattern":"**/*.{js,txt}"}`, `{"matches":["a/b/deep.js","a/t.txt"],"truncated":false}`},
		{`glob {"pattern":"*.txt","path":"a"}`, `{"matches":["a/t.txt"],"truncated":false}`},
		{`glob {"pattern":"./a/*"}`, `{"matches":["a/b","a/t.txt"],"truncated":false}`},
		{`glob {"pattern":"$W/proj/a/*.txt"}`, `{"matches":["$W/proj/a/t.txt"],"truncated":false}`},
		{`glob {"pattern":".h*"}`, `{"matches":[".hid"],"truncated":false}`},
		{`glob {"pattern":"**","limit":1}`, `"truncated":true}`},
		{`glob {"pattern":"caf*"}`, `{"matches":["caf\udce9"],"truncated":false}`},
		{`glob {"pattern":""}`, `INVALID_ARGUMENTS`},
		{`glob {"pattern":"[a"}`, `INVALID_ARGUMENTS`},
		{"glob {\"pattern\":\"" + strings.Repeat("{a,a}", 30) + "\"}", `INVALID_ARGUMENTS`},
		{`glob {"pattern":"../*"}`, `INVALID_ARGUMENTS`},
		{`search {"pattern":"needle"}`, `{"matches":[{"path":"a/b/deep.js","line":1,"column":1,"text":"needle"},{"path":"a/t.txt","line":2,"column":7,"text":"two é needle"},{"path":"a/t.txt","line":3,"column":7,"text":"three needle needle"}],"truncated":false}`},
		{`search {"pattern":"needle","glob":"*.js"}`, `{"matches":[{"path":"a/b/deep.js"`},
		{`search {"pattern":"needle","path":"$W/proj/a"}`, `"path":"$W/proj/a/b/deep.js"`},
		{`search {"pattern":"t(w|x)o","regex":true,"path":"a"}`, `"line":2,"column":1,`},
		{`search {"pattern":"t(w","regex":false,"path":"a"}`, `{"matches":[],"truncated":false}`},
		{`search {"pattern":"needle","path":"lf","limit":1}`, `"truncated":true}`},
		{`search {"pattern":"(","regex":true}`, `INVALID_ARGUMENTS`},
		{`search {"pattern":""}`, `INVALID_ARGUMENTS`},
		{`nothing {}`, `INVALID_ARGUMENTS`},
	})
}

func TestReadingIsConfined(t *testing.T) {
	t.Parallel()
	w := opstest.NewWorld(t)
	w.Setup(t, shop+"ln -s ../../out proj/a/out; ln -s / proj/a/root; ln -s $W/proj/a proj/a/self", true)
	s, err := ops.Open(ops.Config{Root: filepath.Join(w.W, "proj")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	answers(t, w, s, [][2]string{
		{`list {"path":"."}`, `{"path":".","entries":[{"name":".hid","path":".hid"`},
		{`list {"path":"/"}`, `{"path":"/","entries":[{"name":".hid","path":"/.hid"`},
		{`list {"path":"$W/proj"}`, `"path":"$W/proj","entries":[{"name":".hid"`},
		{`read {"path":"$W/proj/a/b/deep.js"}`, `"text":"needle"`},
		{`read {"path":"a/self/b/deep.js"}`, `"text":"needle"`},
		{`read {"path":"lf"}`, `"size":39`},
		{`read {"path":"lo/k"}`, `OUTSIDE_ROOT`},
		{`stat {"path":"lo/none"}`, `OUTSIDE_ROOT`},
		{`stat {"path":"lo","follow":true}`, `OUTSIDE_ROOT`},
		{`stat {"path":"a/root","follow":true}`, `OUTSIDE_ROOT`},
		{`stat {"path":"/","follow":true}`, `"real":"$W/proj","access":"rwx"`},
		{`stat {"path":"$W/proj/lf","follow":true}`, `"real":"$W/proj/a/t.txt"`},
		{`list {"path":"lo"}`, `OUTSIDE_ROOT`},
		{`read {"path":"a/out/k"}`, `OUTSIDE_ROOT`},
		{`read {"path":"a/root/etc/passwd"}`, `OUTSIDE_ROOT`},
		{`read {"path":"../out/k"}`, `OUTSIDE_ROOT`},
		{`glob {"pattern":"*","path":"../out"}`, `OUTSIDE_ROOT`},
		{`glob {"pattern":"/../out/*"}`, `INVALID_ARGUMENTS`},
		{`search {"pattern":"k","path":"lo"}`, `OUTSIDE_ROOT`},
		{`glob {"pattern":"**/k"}`, `{"matches":[],"truncated":false}`},
	})
}

func TestGlobGitignore(t *testing.T) {
	t.Parallel()
	w, s := open(t, "git init -q proj; printf 'build/\n*.log\n' > proj/.gitignore; mkdir -p proj/build proj/src; touch proj/build/x.js proj/src/a.js proj/src/a.log", ops.Config{})
	answers(t, w, s, [][2]string{
		{`glob {"pattern":"**/*","gitignore":true}`, `{"matches":[".gitignore","src","src/a.js"],"truncated":false}`},
		{`glob {"pattern":"*/*.js"}`, `{"matches":["build/x.js","src/a.js"],"truncated":false}`},
	})
}

// The root of the file system can confine, too: absolute links then stay inside.
func TestConfinedToTheWholeDisk(t *testing.T) {
	t.Parallel()
	w := opstest.NewWorld(t)
	w.Setup(t, "mkdir d; printf x > d/f; ln -s $W/d l", true)
	s, err := ops.Open(ops.Config{Root: "/"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	answers(t, w, s, [][2]string{{`read {"path":"$W/l/f"}`, `"text":"x"`}})
}

// What Git ignores must not depend on files outside the root that a
// repository's config names.
func TestGitignoreIsConfined(t *testing.T) {
	t.Parallel()
	w := opstest.NewWorld(t)
	w.Setup(t, `mkdir -p root/sub root/inc; echo secret > outside; touch root/sub/secret root/sub/other
git init -q root/sub; git -C root/sub config core.excludesFile $W/outside
git init -q root/inc; git -C root/inc config include.path $W/outside; touch root/inc/x`, true)
	s, err := ops.Open(ops.Config{Root: filepath.Join(w.W, "root")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	answers(t, w, s, [][2]string{
		{`glob {"pattern":"*","path":"sub","gitignore":true}`, `{"matches":["sub/other","sub/secret"],"truncated":false}`},
		{`glob {"pattern":"*","path":"inc","gitignore":true}`, `INVALID_ARGUMENTS`},
	})
}

func TestListedNamesCanBeUsed(t *testing.T) {
	t.Parallel()
	w, s := open(t, `mkdir proj/d; touch "proj/d/$(printf '\xff')" "proj/d/$(printf 'a\nb')" "proj/d/ " proj/d/é`, ops.Config{})
	raw, err := s.Query(t.Context(), "list", []byte(`{"path":"d"}`), "")
	if err != nil {
		t.Fatal(err)
	}
	var listing struct {
		Entries []struct{ Path json.RawMessage }
	}
	if err := json.Unmarshal(raw, &listing); err != nil || len(listing.Entries) != 4 {
		t.Fatalf("%s: %v", raw, err)
	}
	for _, e := range listing.Entries {
		wantReceipt(t, s.Call(t.Context(), ops.Delete, []byte(`{"path":`+string(e.Path)+`}`), ""), ops.Applied, "")
	}
	if left, _ := os.ReadDir(filepath.Join(w.W, "proj/d")); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}
