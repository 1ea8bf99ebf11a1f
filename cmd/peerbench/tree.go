package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A tree is what file operations work on.
type tree struct {
	name  string
	plant func(dir string) error // lays it out at dir, which does not exist
}

// A grove is a tree whose files come out the same each time.
type grove struct {
	folders, files    int // files in all
	smallest, largest int // bytes of a file
}

// The trees of the benches, before they are scaled.
var (
	manySmall = grove{folders: 200, files: 20_000, smallest: 100, largest: 8 << 10}
	manyTiny  = grove{folders: 2_000, files: 100_000, smallest: 0, largest: 200}
)

// scaled has so many times the files, and at least one.
func (g grove) scaled(scale float64) grove {
	g.folders = max(1, int(float64(g.folders)*scale))
	g.files = max(1, int(float64(g.files)*scale))
	return g
}

// entries are all that it has, its top included.
func (g grove) entries() int { return 1 + g.folders + g.files }

func (g grove) plant(dir string) error {
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 2*g.largest)
	for i := range text {
		text[i] = ' ' + byte(random.IntN(95))
	}
	for folder := range g.folders {
		in := filepath.Join(dir, fmt.Sprintf("folder-%04d", folder))
		if err := os.MkdirAll(in, 0o755); err != nil {
			return err
		}
		for file := folder * g.files / g.folders; file < (folder+1)*g.files/g.folders; file++ {
			size := g.smallest + random.IntN(g.largest-g.smallest+1)
			from := random.IntN(g.largest + 1)
			if err := os.WriteFile(filepath.Join(in, fmt.Sprintf("file-%06d.txt", file)), text[from:from+size], 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// smallTree has 20,000 files of 100 bytes to 8 KiB in 200 folders.
func smallTree(l *lab) tree { return tree{"small", manySmall.scaled(l.scale).plant} }

// quarterTree has a quarter of these.
func quarterTree(l *lab) tree { return tree{"quarter", manySmall.scaled(l.scale / 4).plant} }

// tinyTree has 100,000 files of up to 200 bytes in 2,000 folders.
func tinyTree(l *lab) tree { return tree{"tiny", manyTiny.scaled(l.scale).plant} }

// sourceTree is what people have: the standard library of Go, or of a scaled run
// only its package fmt.
func sourceTree(l *lab) tree {
	return tree{"source", func(dir string) error {
		out, err := exec.CommandContext(l.ctx, "go", "env", "GOROOT").Output()
		if err != nil {
			return fmt.Errorf("go env GOROOT: %w", err)
		}
		src := filepath.Join(strings.TrimSpace(string(out)), "src")
		if l.scale < 1 {
			src = filepath.Join(src, "fmt")
		}
		return os.CopyFS(dir, os.DirFS(src))
	}}
}

// bigFile is one file of 512 MiB.
func bigFile(l *lab) tree {
	return tree{"big", func(name string) error {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		block := make([]byte, 1<<20)
		random := rand.New(rand.NewPCG(1, 2))
		for range max(1, int(512*l.scale)) {
			for i := 0; i < len(block); i += 8 {
				v := random.Uint64()
				for j := range 8 {
					block[i+j] = byte(v >> (8 * j))
				}
			}
			if _, err := f.Write(block); err != nil {
				f.Close()
				return err
			}
		}
		return f.Close()
	}}
}

// oneFile is the smallest thing to work on.
func oneFile(*lab) tree {
	return tree{"one", func(name string) error { return os.WriteFile(name, []byte("once\n"), 0o644) }}
}
