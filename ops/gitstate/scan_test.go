package gitstate

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// indexes are made by git, each with something that git puts into an index
// every day. The small reader has to take them all.
var indexes = []struct{ name, setup string }{
	{"one file", `printf t > t; git add t`},
	{"nothing any more", `printf t > t; git add t; git rm -q --cached t`},
	{"version 2 with trees", `for f in a a/b a-x a.c b/c/d b/e z; do mkdir -p "d/${f%/*}" 2> /dev/null || true; mkdir -p "d$f"; printf t > "d$f/t"; done; git add .; git commit -qm m`},
	{"version 3", `printf t > t; printf n > n; git add t; git add -N n; git update-index --skip-worktree t`},
	{"version 4", `for f in a/b/c1 a/b/c2 a/b2 a-b ab b; do mkdir -p "$(dirname $f)"; printf t > $f; done; git add .; git commit -qm m; git update-index --index-version 4`},
	{"version 4 with flags", `touch a b c; git add a b; git add -N c; git update-index --skip-worktree a; git update-index --index-version 4`},
	{"a conflict", `printf 1 > t; printf z > z; git add .; git commit -qm 1; git checkout -q -b other; printf 2 > t; git commit -qam 2; git checkout -q -; printf 3 > t; git commit -qam 3; git merge -q other > /dev/null 2>&1 || true; git ls-files -u | grep -q t`},
	{"a resolved conflict", `printf 1 > t; git add .; git commit -qm 1; git checkout -q -b other; printf 2 > t; git commit -qam 2; git checkout -q -; printf 3 > t; git commit -qam 3; git merge -q other > /dev/null 2>&1 || true; git add t; git ls-files --resolve-undo | grep -q t`},
	{"a deleted side", `printf 1 > t; git add .; git commit -qm 1; git checkout -q -b other; git rm -q t; git commit -qm 2; git checkout -q -; printf 3 > t; git commit -qam 3; git merge -q other > /dev/null 2>&1 || true`},
	{"gitlinks, links and programs", `git init -q sub; git -C sub commit -q --allow-empty -m m; ln -s nowhere link; printf x > x; chmod +x x; git add . 2> /dev/null`},
	{"untracked cache, monitor, end of entries", `for i in $(seq 300); do printf $i > f$i; done; git config index.threads 2; git config index.recordEndOfIndexEntries true; git config index.recordOffsetTable true
		git add .; git commit -qm m; git update-index --untracked-cache 2> /dev/null; git update-index --fsmonitor 2> /dev/null || true; git -c core.fsmonitor=false status > /dev/null; grep -q EOIE .git/index; grep -q UNTR .git/index`},
	{"an offset table", `e=e69de29bb2d1d6434b8b29ae775ad8c2e48c5391; git config index.threads 3; git config index.recordOffsetTable true; for v in 2 4; do
		seq -f "100644 $e dir/%.0f" 21000 | sed 's/ dir/\tdir/' | git update-index --index-version $v --index-info; done; grep -q IEOT .git/index`},
	{"odd names", `b=e69de29bb2d1d6434b8b29ae775ad8c2e48c5391; l=$(head -c 255 /dev/zero | tr '\0' l)
		for n in $'\xff' $'caf\xe9' $'new\nline' $'tab\t' 'back\slash' ' ' '"' '*' $'\x01' "$l" "d/$l/$l" 'foo' 'foo-x' 'foo.c' 'goo/y'; do printf '100644 %s\t%s\0' $b "$n"; done | git update-index -z --index-info`},
	{"names of every length", `b=e69de29bb2d1d6434b8b29ae775ad8c2e48c5391; n=; for i in $(seq 80); do n=${n}n; printf '100644 %s\t%s\n' $b $n; done | git update-index --index-info`},
}

// madeIndex is an index that git made, and the names that git has in it.
func madeIndex(t testing.TB, setup string) (data []byte, listed []string) {
	t.Helper()
	w := newWorld(t, "git init -q proj; cd proj; "+setup)
	data, err := os.ReadFile(w.path("proj/.git/index"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "-C", w.path("proj"), "-c", "core.fsmonitor=false", "ls-files", "-z").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(string(out), "\x00") {
		if name != "" {
			listed = append(listed, name)
		}
	}
	return data, slices.Compact(listed)
}

func (l *list) names() (all []string) {
	for i := range l.len() {
		all = append(all, l.at(i))
	}
	return all
}

func withoutSum(data []byte) []byte { return data[:len(data)-sha1.Size] }

// careful is what the reader of everything says.
func careful(t testing.TB, body []byte) (*names, error) {
	sum := sha1.Sum(body)
	entries, err := decodeEntries(append(bytes.Clone(body), sum[:]...))
	if err != nil {
		return nil, err
	}
	n, err := newNames(entries)
	if err != nil {
		return nil, err
	}
	if !slices.IsSorted(n.all.names()) {
		t.Fatal("names are not in order")
	}
	return n, nil
}

// compare fails unless both readers have the same names.
func compare(t testing.TB, got, want *names) {
	t.Helper()
	if !slices.Equal(got.all.names(), want.all.names()) {
		t.Errorf("the names are %q, want %q", got.all.names(), want.all.names())
	}
	if !slices.Equal(got.links, want.links) || len(got.sparse) != 0 || len(want.sparse) != 0 {
		t.Errorf("the links are %q, want %q", got.links, want.links)
	}
}

func TestScanAgainstGit(t *testing.T) {
	t.Parallel()
	for _, c := range indexes {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			data, listed := madeIndex(t, c.setup)
			n, ok := scanIndex(withoutSum(data))
			if !ok {
				t.Fatal("what git writes every day is refused")
			}
			if !slices.Equal(n.all.names(), listed) {
				t.Errorf("the names are %q, git says %q", n.all.names(), listed)
			}
			want, err := careful(t, withoutSum(data))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, n, want)
		})
	}
}

// Random operations of git on random names, each version, every time the same
// list as git has.
func TestScanOfRandomIndexes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(9) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 11))
			var b strings.Builder
			fmt.Fprintf(&b, "git update-index --index-version %d\n", 2+seed%3)
			name := func() string {
				parts := make([]string, 1+rnd.IntN(4))
				for i := range parts {
					letters := make([]byte, 1+rnd.IntN(4))
					for j := range letters {
						letters[j] = []byte("ab-.0A\xc3\xff \n\"\\")[rnd.IntN(12)]
					}
					// What git would not take as a part of a name.
					if parts[i] = string(letters); strings.Trim(parts[i], ".") == "" {
						parts[i] += "x"
					}
				}
				return strings.Join(parts, "/")
			}
			for range 4 {
				b.WriteString("{ ")
				for range 1 + rnd.IntN(60) {
					name, stage := name(), ""
					mode := []string{"100644", "100755", "120000", "160000", "0", "100644"}[rnd.IntN(6)]
					if rnd.IntN(4) == 0 && mode != "0" { // what has no conflict has none of these
						name, stage = "0/0.0/"+name, fmt.Sprint(" ", 1+rnd.IntN(3))
					}
					quoted := "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
					fmt.Fprintf(&b, "printf '%s %%s%s\\t%%s\\0' e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 %s; ", mode, stage, quoted)
				}
				b.WriteString("} | git update-index -z --index-info\n")
			}
			b.WriteString("git ls-files -z | head -zn 3 | xargs -0 -n 1 git update-index --skip-worktree -- 2> /dev/null || true\n")
			data, listed := madeIndex(t, b.String())
			n, ok := scanIndex(withoutSum(data))
			if !ok {
				t.Fatal("what git writes every day is refused")
			}
			if !slices.Equal(n.all.names(), listed) {
				t.Errorf("the names are %q, git says %q", n.all.names(), listed)
			}
			want, err := careful(t, withoutSum(data))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, n, want)
		})
	}
}

// What git writes seldom is left to whoever reads everything.
func TestScanRefusesTheUnusual(t *testing.T) {
	t.Parallel()
	long := `n=$(head -c 250 /dev/zero | tr '\0' l); n=$n/$n/$n/$n/$n/$n/$n/$n/$n/$n/$n/$n/$n/$n/$n/$n/$n; git update-index --add --cacheinfo 100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,$n`
	for name, setup := range map[string]string{
		"a split index":                    `printf t > t; git add t; git update-index --split-index`,
		"a sparse index":                   `mkdir a b; printf t > a/t; printf t > b/t; git add .; git commit -qm m; git sparse-checkout set --cone --sparse-index a; git ls-files --sparse | grep -qx b/`,
		"a name whose length does not fit": long,
		"the same in version 4":            long + `; git update-index --index-version 4`,
	} {
		data, _ := madeIndex(t, setup)
		if _, ok := scanIndex(withoutSum(data)); ok {
			t.Errorf("%s is taken for a usual index", name)
		}
	}
	w := newWorld(t, `git init -q --object-format=sha256 proj; printf t > proj/t; git -C proj add t`)
	data, err := os.ReadFile(w.path("proj/.git/index"))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := scanIndex(withoutSum(data)); ok {
		t.Error("an index of SHA-256 is taken for one of SHA-1")
	}
}

// item writes one entry of an index of version 2 or 3.
func item(name string, mode uint32, flags, extended uint16) []byte {
	e := make([]byte, entryFixed)
	binary.BigEndian.PutUint32(e[24:], mode)
	binary.BigEndian.PutUint16(e[entryFixed-2:], flags|uint16(len(name)))
	if flags&flagExtended != 0 {
		e = binary.BigEndian.AppendUint16(e, extended)
	}
	e = append(e, name...)
	return append(e, make([]byte, 8-len(e)%8)...)
}

func image(version, count uint32, parts ...[]byte) []byte {
	data := binary.BigEndian.AppendUint32([]byte("DIRC"), version)
	data = binary.BigEndian.AppendUint32(data, count)
	return append(data, bytes.Join(parts, nil)...)
}

func extension(signature, content string) []byte {
	return append(binary.BigEndian.AppendUint32([]byte(signature), uint32(len(content))), content...)
}

func TestScanIsExact(t *testing.T) {
	t.Parallel()
	file := func(name string) []byte { return item(name, modeFile, 0, 0) }
	at := func(name string, stage uint16) []byte { return item(name, modeFile, stage<<12, 0) }
	spoiled := func(e []byte, from int, with byte) []byte {
		e = bytes.Clone(e)
		e[len(e)+from] = with
		return e
	}
	four := func(strip byte, tail string, length int) []byte {
		e := item("", modeFile, uint16(length), 0)[:entryFixed]
		return append(append(append(e, strip), tail...), 0)
	}
	object := strings.Repeat("o", sha1.Size)
	for _, c := range []struct {
		name  string
		body  []byte
		names string // "-" for a refusal
	}{
		{"nothing", image(2, 0), ""},
		{"two files", image(2, 2, file("a"), file("b")), "a b"},
		{"every mode", image(2, 4, file("a"), item("b", modeExecutable, 0, 0), item("c", modeLink, 0, 0), item("d", modeGitlink, 0, 0)), "a b c d"},
		{"foo-x before foo/y", image(2, 3, file("foo-x"), file("foo/y"), file("foo0")), "foo-x foo/y foo0"},
		{"three stages", image(2, 4, at("a", 1), at("a", 2), at("a", 3), file("b")), "a b"},
		{"assumed unchanged", image(2, 1, item("a", modeFile, 1<<15, 0)), "a"},
		{"extended flags", image(3, 1, item("a", modeFile, flagExtended, 1<<14)), "a"},
		{"version 4", image(4, 3, four(0, "dir/a", 5), four(1, "b", 5), four(5, "e", 1)), "dir/a dir/b e"},
		{"every extension", image(2, 1, file("a"), extension("TREE", "\x001 0\n"+object+"sub\x00-1 0\n"), extension("REUC", "p\x00100644\x000\x00120000\x00"+object+object),
			extension("EOIE", "1234"+object), extension("IEOT", "x"), extension("UNTR", ""), extension("FSMN", "abc")), "a"},

		{"another signature", append([]byte("CRID"), image(2, 0)[4:]...), "-"},
		{"only a header, cut", image(2, 0)[:11], "-"},
		{"version 1", image(1, 0), "-"},
		{"version 5", image(5, 0), "-"},
		{"more entries than there are", image(2, 3, file("a"), file("b")), "-"},
		{"fewer entries than there are", image(2, 1, file("a"), file("b")), "-"},
		{"entries without end", image(2, 1<<32-1, file("a")), "-"},
		{"cut", image(2, 2, file("a"), file("b")[:60]), "-"},
		{"cut in the padding", image(2, 2, file("a"), file("b")[:63]), "-"},
		{"out of order", image(2, 2, file("b"), file("a")), "-"},
		{"directories out of order", image(2, 2, file("foo/y"), file("foo-x")), "-"},
		{"twice", image(2, 2, file("a"), file("a")), "-"},
		{"a stage twice", image(2, 2, at("a", 1), at("a", 1)), "-"},
		{"stages out of order", image(2, 2, at("a", 2), at("a", 1)), "-"},
		{"a conflict that is none", image(2, 2, at("a", 0), at("a", 1)), "-"},
		{"no name", image(2, 1, file("")), "-"},
		{"an absolute name", image(2, 1, file("/a")), "-"},
		{"a directory", image(2, 1, item("a/", modeFile, 0, 0)), "-"},
		{"the mode of a directory", image(2, 1, item("a", 0o40000, 0, 0)), "-"},
		{"an unknown mode", image(2, 1, item("a", 0o100600, 0, 0)), "-"},
		{"a NUL in a name", image(2, 1, file("a\x00b")), "-"},
		{"something in the padding", image(2, 1, spoiled(file("abc"), -1, 1)), "-"},
		{"a name that is longer than it says", image(2, 1, spoiled(file("a"), -1, 'b')), "-"},
		{"extended flags in version 2", image(2, 1, item("a", modeFile, flagExtended, 0)), "-"},
		{"unknown extended flags", image(3, 1, item("a", modeFile, flagExtended, 1)), "-"},
		{"version 4, nothing to strip", image(4, 1, four(1, "a", 1)), "-"},
		{"version 4, another length", image(4, 1, four(0, "a", 2)), "-"},
		{"version 4, less than nothing", image(4, 2, four(0, "abc", 3), four(0, "", 2)), "-"},
		{"version 4, out of order", image(4, 2, four(0, "b", 1), four(1, "a", 1)), "-"},
		{"version 4, twice", image(4, 2, four(0, "b", 1), four(0, "", 1)), "-"},
		{"version 4, no end", image(4, 1, four(0, "abc", 3)[:entryFixed+4]), "-"},
		{"an unknown optional extension", image(2, 1, file("a"), extension("QQQQ", "")), "-"},
		{"an unknown extension", image(2, 1, file("a"), extension("qqqq", "")), "-"},
		{"a shared index", image(2, 1, file("a"), extension("link", object)), "-"},
		{"a sparse index", image(2, 1, file("a"), extension("sdir", "")), "-"},
		{"half an extension", image(2, 1, file("a"), extension("UNTR", "abc")[:10]), "-"},
		{"less than an extension", image(2, 1, file("a"), []byte("TREE")), "-"},
		{"a tree without a count", image(2, 1, file("a"), extension("TREE", "\x00x 0\n")), "-"},
		{"a tree without its object", image(2, 1, file("a"), extension("TREE", "\x001 0\nshort")), "-"},
		{"half a tree", image(2, 1, file("a"), extension("TREE", "\x001")), "-"},
		{"a resolved conflict without its object", image(2, 1, file("a"), extension("REUC", "p\x001\x000\x000\x00")), "-"},
		{"a resolved conflict with odd modes", image(2, 1, file("a"), extension("REUC", "p\x009\x000\x000\x00")), "-"},
		{"an end that is too short", image(2, 1, file("a"), extension("EOIE", "")), "-"},
	} {
		n, ok := scanIndex(c.body)
		got := "-"
		if ok {
			got = strings.Join(n.all.names(), " ")
		}
		if got != c.names {
			t.Errorf("%s: %q, want %q", c.name, got, c.names)
		}
		if c.names == "-" {
			continue
		}
		want, err := careful(t, c.body)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		compare(t, n, want)
	}
}

// A gitlink counts as one in whatever stage it stands.
func TestScanOfConflictingGitlink(t *testing.T) {
	t.Parallel()
	body := image(2, 4, item("a", modeFile, 1<<12, 0), item("a", modeGitlink, 2<<12, 0), item("a", modeGitlink, 3<<12, 0), item("b", modeGitlink, 0, 0))
	n, ok := scanIndex(body)
	if !ok || !slices.Equal(n.links, []string{"a", "b"}) {
		t.Fatalf("the links are %q (%v)", n.links, ok)
	}
	want, err := careful(t, body)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, n, want)
}

// One bit that flipped anywhere in an index is a doubt, in a name too.
func TestEveryBitCounts(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2", "4"} {
		data, _ := madeIndex(t, `mkdir d; printf 1 > d/a; printf 2 > d/b; git add .; git commit -qm m; git update-index --index-version `+version)
		if _, err := decode(data); err != nil {
			t.Fatal(err)
		}
		for i := range data {
			data[i] ^= 1 << (i % 8)
			if _, err := decode(data); err == nil {
				t.Errorf("version %s: a bit of byte %d does not matter", version, i)
			}
			data[i] ^= 1 << (i % 8)
		}
	}
}

// A digest made beside the reading is that of the content, however large.
func TestDigest(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, sha1.Size, sha1.Size + 1, pieceSize, pieceSize + sha1.Size, pieceSize + sha1.Size + 1, 5*pieceSize + 7} {
		path := filepath.Join(t.TempDir(), "f")
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(i * i >> 3)
		}
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
		data, _, d, err := readHashed(path, maxIndex, sha1.New)
		if err != nil || !bytes.Equal(data, want) {
			t.Fatalf("%d bytes are misread (%v)", size, err)
		}
		if sum := sha1.Sum(want[:max(0, size-sha1.Size)]); !bytes.Equal(d.sum(), sum[:]) {
			t.Errorf("the digest of %d bytes is wrong", size)
		}
	}
}

// FuzzScan holds the small reader against the decoder: what it accepts has the
// same names there.
func FuzzScan(f *testing.F) {
	seeds := 0
	for _, c := range indexes {
		if c.name == "an offset table" {
			continue // of a megabyte: too large to mutate
		}
		data, _ := madeIndex(f, c.setup)
		if _, ok := scanIndex(withoutSum(data)); !ok {
			f.Fatalf("%s is refused", c.name)
		}
		f.Add(withoutSum(data))
		seeds++
	}
	if seeds == 0 {
		f.Fatal("there is no index to begin with")
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		n, ok := scanIndex(body)
		if !ok {
			return
		}
		want, err := careful(t, body)
		if err != nil {
			t.Fatalf("accepted, and the decoder says: %v", err)
		}
		compare(t, n, want)
		for _, name := range want.all.names() {
			if !n.covers(name) || !n.covers(strings.SplitN(name, "/", 2)[0]) {
				t.Errorf("%q is not found", name)
			}
		}
	})
}
