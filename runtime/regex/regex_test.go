package regex

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf16"
)

func find(t *testing.T, pattern, flags, text string) string {
	t.Helper()
	p, err := Compile(utf16.Encode([]rune(pattern)), flags)
	if err != nil {
		return "error: " + err.Error()
	}
	units := utf16.Encode([]rune(text))
	found, err := Match(p, units, 0, p.Sticky, nil)
	if err != nil {
		return "error: " + err.Error()
	}
	if found == nil {
		return "none"
	}
	var groups []string
	for n := range p.Groups {
		if found[n*2] < 0 {
			groups = append(groups, "-")
		} else {
			groups = append(groups, string(utf16.Decode(units[found[n*2]:found[n*2+1]])))
		}
	}
	return fmt.Sprintf("%d:%s", found[0], strings.Join(groups, "|"))
}

// TestNewerThanNode holds what the recorded results of Node.js, which are in
// runtime/testdata, do not have.
func TestNewerThanNode(t *testing.T) {
	for _, tt := range []struct{ pattern, flags, text, want string }{
		{"(?i:abc)d", "", "xABCd", "1:ABCd"},
		{"(?i:abc)d", "", "ABCD", "none"},
		{"a(?-i:b)c", "i", "ABC", "none"},
		{"a(?-i:b)c", "i", "AbC", "0:AbC"},
		{"(?s:.)(?-s:.)", "", "\n\na", "1:\na"},
		{"(?m:^b$)", "", "a\nb\r\nc", "2:b"},
		{"(?s-im:a.b)", "im", "A\nB a\nb", "4:a\nb"},
		{"(?<a>x)|(?<a>y)", "", "y", "0:y|-|y"},
		{`(?:(?<a>x)|(?<a>y))\k<a>`, "", "yx yy", "3:yy|-|y"},
		{"(?<a>x)(?:(?<a>y)|z)", "", "xy", "error: Duplicate capture group name"},
		{"(?ii:a)", "", "a", "error: Repeated flag in pattern modifiers"},
		{"(?-:a)", "", "a", "error: Invalid group"},
		{"(?g:a)", "", "a", "error: Invalid group"},
		{`\p{RGI_Emoji}`, "v", "a", "error: properties of strings are not supported; use Emoji_Presentation or Extended_Pictographic"},
		{`\p{scx=Grek}`, "u", "a", "error: Script_Extensions is not supported; use Script"},
		{strings.Repeat("(", 1000), "", "a", "error: Regular expression too large"},
	} {
		if got := find(t, tt.pattern, tt.flags, tt.text); got != tt.want {
			t.Errorf("/%s/%s on %q\n got %s\nwant %s", tt.pattern, tt.flags, tt.text, got, tt.want)
		}
	}
}

// TestStops holds that a match that would take ages ends when it is told to, and
// that one that takes too much memory says so.
func TestStops(t *testing.T) {
	p, err := Compile(utf16.Encode([]rune("^(?=a)(a+)+$")), "")
	if err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	time.AfterFunc(20*time.Millisecond, func() { stop.Store(true) })
	start := time.Now()
	_, err = Match(p, []byte(strings.Repeat("a", 60)+"b"), 0, false, &stop)
	if err != ErrStopped || time.Since(start) > time.Second {
		t.Errorf("got %v after %v", err, time.Since(start))
	}
	p, err = Compile(utf16.Encode([]rune("(?:(a)|(b))*c")), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Match(p, []byte(strings.Repeat("a", 12_000_000)), 0, true, nil); err != ErrTooComplex {
		t.Errorf("got %v", err)
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{"(a|b)*?c", `[\w-a]`, `(?<n>a)\k<n>`, `[\q{a|bc}--[a]]`, "a{2,3}?", `\p{L}(?i:x)`, "(?<=a(?=b))"} {
		f.Add(seed, "u", "abcabc")
		f.Add(seed, "v", "aé😀")
		f.Add(seed, "i", "ABC")
	}
	f.Fuzz(func(t *testing.T, pattern, flags, text string) {
		if len(pattern) > 200 || len(text) > 50 {
			return
		}
		p, err := Compile(utf16.Encode([]rune(pattern)), flags)
		if err != nil {
			return
		}
		var stop atomic.Bool
		timer := time.AfterFunc(100*time.Millisecond, func() { stop.Store(true) })
		defer timer.Stop()
		units := utf16.Encode([]rune(text))
		found, err := Match(p, units, 0, p.Sticky, &stop)
		if err != nil {
			return
		}
		for _, at := range found {
			if at < -1 || int(at) > len(units) {
				t.Fatalf("/%s/%s on %q: %v", pattern, flags, text, found)
			}
		}
	})
}
