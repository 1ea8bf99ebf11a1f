package repl

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// pieces make input that is right, wrong and unfinished.
var pieces = []string{
	"a", "tools", ".", "delete", "(", ")", "{", "}", "[", "]", "'", `"`, "`", "${", "/", "\\", "//", "/*", "*/", "\n", " ", ",", ":", "path", "1.5", "=>", "?.",
	"宽", "é", "\u0301", "\x80", ".load", "...", "const", "#x", "@", "return", "=",
}

func someInput(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(12) {
		b.WriteString(pieces[random.IntN(len(pieces))])
	}
	return b.String()
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Whatever is typed, it is shown as it is, and nothing that looks at it fails.
func TestAnyInput(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		input := someInput(random)
		var all strings.Builder
		for _, token := range lex(input) {
			all.WriteString(token.text)
		}
		if all.String() != input {
			t.Fatalf("%q became %q", input, all.String())
		}
		shown := colour(input, func(string) bool { return true })
		if sgr.ReplaceAllString(shown, "") != input {
			t.Fatalf("%q is shown as %q", input, shown)
		}
		Open(input)
		language.Hint(input)
		for _, c := range language.Complete(input, world{}) {
			if c.Show == "" {
				t.Fatalf("%q: an empty candidate", input)
			}
		}
	}
}

func TestColour(t *testing.T) {
	for input, want := range map[string]string{
		"const a = 1":          "<35>const<0> a = <33>1<0>",
		"'x' + `y${z}w`":       "<32>'x'<0> + <32>`y${<0>z<32>}w`<0>",
		"a / b / c // d":       "a / b / c <90>// d<0>",
		"x = /[/]r/g":          "x = <31>/[/]r/g<0>",
		"tools.delete(p)":      "<36>tools<0>.<36>delete<0>(p)",
		"a.const.delete":       "a.const.delete",
		"'open":                "<32>'open<0>",
		"/* a\nb":              "<90>/* a<0>\n<90>b<0>",
		"null ?? true":         "<33>null<0> ?? <33>true<0>",
		".load x":              "<1>.load<0> x",
		".5":                   "<33>.5<0>",
		"return /a/":           "<35>return<0> <31>/a/<0>",
		"(a) / 2; f() / b / 1": "(a) / <33>2<0>; f() / b / <33>1<0>",
	} {
		got := regexp.MustCompile("\x1b\\[([0-9]+)m").ReplaceAllString(colour(input, func(string) bool { return true }), "<$1>")
		if got != want {
			t.Errorf("%q\n got %s\nwant %s", input, got, want)
		}
	}
}

func TestOpen(t *testing.T) {
	for input, want := range map[string]bool{
		"": false, "a": false, "{": true, "f(": true, "[1,": true, "{}": false, "`a": true, "`a${": true, "`a${b}c`": false, "/* a": true, "/* a */": false,
		"'a": false, "f('a": false, "x = {a: [1, 2}": true, "// {": false, "'{'": false, "/[{]/": false, ")": false, "`${`${1}`}`": false, "`${{}}": true,
	} {
		if got := Open(input); got != want {
			t.Errorf("%q: %t", input, got)
		}
	}
}

// language is that of a small world.
var language = Language{
	Tools: []Signature{
		NewSignature("delete", json.RawMessage(`{"description": "Deletes.", "properties": {"path": {"type": "string", "description": "What."}}, "required": ["path"]}`)),
		NewSignature("move", json.RawMessage(`{"description": "Moves.", "$defs": {
			"A": {"properties": {"path": {"type": "string"}, "target": {"type": "string"}, "overwrite": {"type": "boolean"}}, "required": ["path", "target"]},
			"B": {"properties": {"src": {"type": "string"}, "dst": {"type": ["string", "null"]}, "overwrite": {"type": "boolean"}}, "required": ["src"]}}}`)),
		NewSignature("read", json.RawMessage(`{"description": "Reads.", "properties": {
			"path": {"type": "string"}, "encoding": {"type": "string", "enum": ["utf8", "base64"]}}, "required": ["path"]}`)),
		NewSignature("glob", json.RawMessage(`{"properties": {"pattern": {"type": "string"}}}`)),
	},
	Commands: []DotCommand{{Name: "load", Argument: "FILE", About: "loads"}, {Name: "help", About: "helps"}, {Name: "ops"}},
}

type world struct{}

func (world) Members(of string) []Member {
	return map[string][]Member{
		"":                 {{"tools", "object"}, {"text", "function"}, {"box", "object"}, {"__hidden", "object"}},
		"tools":            {{"delete", "function"}, {"move", "function"}, {"read", "function"}},
		"box":              {{"deep", "object"}, {"f", "function"}},
		"box.deep.0":       {{"leaf", "string"}},
		"String.prototype": {{"trim", "function"}},
		"RegExp.prototype": {{"test", "function"}},
	}[of]
}

func (world) Entries(path string) []Entry {
	return map[string][]Entry{
		".":          {{"src", true}, {"setup.js", false}, {".git", true}, {"it's", false}, {"caf\xe9", false}, {"new\nline", false}},
		"src/":       {{"main.go", false}, {"宽", true}},
		"src/宽/":     {{"x", false}},
		"/":          {{"etc", true}},
		"it's here/": {{"y", false}},
	}[path]
}

func TestComplete(t *testing.T) {
	for input, want := range map[string]string{
		"":                                 "tools|text()|box",
		"te":                               "text()<xt>",
		"awa":                              "await<it>",
		"tools.":                           "delete<delete({>|move<move({>|read<read({>",
		"x = tools.de":                     "delete<lete({>",
		"tools?.mo":                        "move<ve({>",
		"box.":                             "deep|f()",
		"box.deep[0].":                     "leaf",
		"(box).":                           "",
		"f().":                             "",
		"box.f().":                         "",
		"'s'.":                             "trim()",
		"/x/.t":                            "test()<est>",
		"this.te":                          "text()<xt>",
		"globalThis.box.de":                "deep<ep>",
		"1.":                               "",
		"// tools.":                        "",
		"/* a */ te":                       "text()<xt>",
		"tools.delete(":                    "tools|text()|box",
		"tools.delete({":                   "path<path: >",
		"tools.delete({pa":                 "path<th: >",
		"tools.move({":                     "path<path: >|target<target: >|overwrite<overwrite: >|src<src: >|dst<dst: >",
		"tools.move({path: a, ":            "target<target: >|overwrite<overwrite: >",
		"tools.move({src, ":                "dst<dst: >|overwrite<overwrite: >",
		"tools.move({path: f({a, b}), t":   "target<arget: >",
		"tools.move({path: te":             "text()<xt>",
		"tools.move({path: {":              "tools|text()|box",
		"tools.move({'path': 's":           "src/<rc/>|setup.js<etup.js'>",
		"tools.delete({path: '":            `src/|setup.js<setup.js'>|it's<it\'s'>|caf\udce9<caf\udce9'>|new\x0aline<new\x0aline'>`,
		`tools.delete({path: "it`:          `it's<'s">`,
		`tools.delete({path: 'it\'s here/`: `y<y'>`,
		"tools.delete({path: 'src/宽":       "宽/</>",
		"tools.delete({path: 'src/宽/":      "x<x'>",
		"tools.delete({path: `src/m":       "main.go<ain.go`>",
		"tools.delete({path: '/e":          "etc/<tc/>",
		"tools.delete({path: 'nowhere/":    "",
		"tools.delete({path: '.g":          ".git/<it/>",
		"const p = 'se":                    "setup.js<tup.js'>",
		"tools.read({encoding: 'b":         "base64<ase64'>",
		"tools.read({encoding: 's":         "",
		"tools.glob({pattern: 's":          "",
		"tools.read({path: 'x', encoding: 'utf8'": "",
		"tools.read({path: 'x'}).then(r => r.":    "",
		".":                                       ".load<load >|.help<help>|.ops<ops>",
		".he":                                     ".help<lp>",
		".load s":                                 "src/<rc/>|setup.js<etup.js>",
		".help s":                                 "",
	} {
		var got []string
		for _, c := range language.Complete(input, world{}) {
			show := c.Show
			if strings.TrimSuffix(c.Show, "()") != c.Rest {
				show += "<" + c.Rest + ">"
			}
			got = append(got, show)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q\n got %s\nwant %s", input, strings.Join(got, "|"), want)
		}
	}
}

func TestHint(t *testing.T) {
	for input, want := range map[string]string{
		"":                                  "",
		"tools.delete(":                     "tools.delete({path}): Deletes.",
		"x = [await tools.delete({path: 'a": "tools.delete({path}): path: What.",
		"tools.delete({path: 'a'})":         "",
		"tools.move({":                      "tools.move({path, target, overwrite?}): Moves.",
		"tools.move({src: a, ":              "tools.move({src, dst?, overwrite?}): Moves.",
		"f(tools.delete({path: g(":          "tools.delete({path}): path: What.",
		".load":                             ".load FILE: loads",
		".load x":                           ".load FILE: loads",
		".nothing":                          "",
		"tools.nothing({":                   "",
	} {
		call, about := language.Hint(input)
		if got := strings.TrimSuffix(call+": "+about, ": "); got != want {
			t.Errorf("%q: %s, want %s", input, got, want)
		}
	}
}

// What completion writes into a string is the name again.
func TestEscaping(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	alphabet := []string{"a", "'", `"`, "`", "\\", "$", "{", "\n", "\x00", "\x7f", "\xe9", "宽", "\u202e", "\u00a0", "😀", "/"}
	for range 5000 {
		var name string
		for range random.IntN(8) {
			name += alphabet[random.IntN(len(alphabet))]
		}
		for _, quote := range []byte{'\'', '"', '`'} {
			written := escaped(name, quote)
			got, ok := unescaped(written)
			if !ok || got != name {
				t.Fatalf("%q: %s, %q", name, written, got)
			}
			if tokens := lex(string(quote) + written + string(quote)); len(tokens) != 1 || tokens[0].open {
				t.Fatalf("%q is no string: %s", name, written)
			}
		}
	}
}

func TestCommand(t *testing.T) {
	for input, want := range map[string]string{
		".load a b ": "load(a b)", "  .help": "help()", ".exit\n": "exit()", ".5": "", "...a": "", ".map(x)": "", "a.b": "", ".": "", ". x": "", ".Load": "", ".load\ta": "load(a)",
	} {
		got := ""
		if name, argument, ok := Command(input); ok {
			got = name + "(" + argument + ")"
		}
		if got != want {
			t.Errorf("%q: %s", input, got)
		}
	}
}

func TestGaps(t *testing.T) {
	for _, tt := range []struct {
		input           string
		indent, columns int
		want            int
	}{
		{"", 2, 10, 0},
		{"abcdefghijklmnop", 2, 10, 0},
		{"宽宽宽宽宽", 2, 10, 0},
		{"a宽宽宽宽宽", 2, 10, 1},
		{"a宽宽宽宽宽b宽宽宽宽宽", 2, 10, 2},
		{"宽\na宽宽宽宽", 2, 10, 1},
		{"e\u0301宽宽宽宽", 2, 10, 1},
		{"宽", 0, 1, 0},
	} {
		if got := gaps(tt.input, tt.indent, tt.columns); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.input, got, tt.want)
		}
	}
}
