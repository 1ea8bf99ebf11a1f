package gitstate

import (
	"bytes"
	"context"
	"crypto/sha1"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzRepository puts hostile bytes where git keeps its pointers, its config
// and its index. Whatever they say, there is an answer, soon.
func FuzzRepository(f *testing.F) {
	f.Add([]byte("gitdir: ../store\n"), []byte("[core]\n\tbare = false\n"), []byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"), []byte("ref: refs/heads/main\n"))
	f.Add([]byte("gitdir: .git"), []byte("[core \"x\"]\nworktree=/"), []byte("DIRC\x00\x00\x00\x04\xff\xff\xff\xff"), []byte(""))
	f.Add([]byte("gitdir: /\x00"), []byte("[extensions]\nobjectformat=sha256\nworktreeconfig"), []byte{}, []byte("0123456789012345678901234567890123456789"))
	f.Add([]byte("gitdir: store/../../../.."), []byte("[[\\\n"), bytes.Repeat([]byte{0xff}, 200), []byte("ref:"))
	w := newWorld(f, `repo proj; git -C proj update-index --index-version 4; cp proj/.git/index v4; git -C proj update-index --split-index; cp proj/.git/index split`)
	for _, name := range []string{"v4", "split"} {
		data, err := os.ReadFile(w.path(name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte("gitdir: ../store\n"), []byte(""), data[:len(data)-sha1.Size], []byte("ref: refs/heads/main\n"))
	}
	f.Fuzz(func(t *testing.T, gitfile, config, index, head []byte) {
		dir := t.TempDir()
		for _, sub := range []string{"proj/sub", "store/refs", "store/objects"} {
			if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		sum := sha1.Sum(index) // otherwise the checksum stops everything at the door
		for name, data := range map[string][]byte{
			"proj/.git": gitfile, "store/config": config, "store/index": append(bytes.Clone(index), sum[:]...),
			"store/HEAD": head, "store/commondir": nil, "store/packed-refs": gitfile,
		} {
			if data == nil {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		begin := time.Now()
		in := New(Options{Git: filepath.Join(dir, "no-git")})
		ctx := context.Background()
		for _, rel := range []string{"proj", "proj/sub", "proj/t", "store/index", "."} {
			path := filepath.Join(dir, rel)
			in.Classify(ctx, path, isRealDir(path), filepath.Join(dir, "proj/sub"))
			in.Project(ctx, path)
			in.Untracked(ctx, path, isRealDir(path))
		}
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("took %v", d)
		}

		parseGitfile(gitfile)
		parseHead(head)
		parseConfig(config)
		splitConfig(config)
		splitStage(index)
		if n, err := decode(append(bytes.Clone(index), sum[:]...)); err == nil {
			n.covers("a")
			n.folded().covers("a")
		} else if n != nil {
			t.Error("names beside an error")
		}
	})
}
