package main

import (
	"os/exec"
)

// copyBenches are about copying a tree, or one big file, to where nothing is.
func copyBenches() []bench {
	small := func(k kind) bench {
		at := here(k, smallTree)
		return bench{
			name: "copy many small files, " + string(k), unit: millis, needs: on(k), rarely: 4,
			sides: []side{
				copySide(codemode("copy"), at, nil),
				copySide(system("cp", "-r"), at, nil),
				copySide(fsExtraCopy, at, nil),
				copySide(system("cp", "-a"), at, nil),
				copySide(rsync(), at, nil),
				copySide(otiai(), at, nil),
			},
			pairs: []pair{
				{ours: "codemode", peer: "cp -r", times: 1.7},
				{ours: "codemode", peer: "fs-extra", times: 12},
				{ours: "codemode", peer: "cp -a"},
				{ours: "codemode", peer: "rsync -a"},
				{ours: "codemode", peer: "otiai10/copy"},
			},
		}
	}
	source := func(k kind) bench {
		at := here(k, sourceTree)
		return bench{
			name: "copy a source tree, " + string(k), unit: millis, needs: on(k), rarely: 4,
			sides: []side{copySide(codemode("copy"), at, nil), copySide(system("cp", "-r"), at, nil)},
			pairs: []pair{{ours: "codemode", peer: "cp -r"}},
		}
	}
	big := func(k kind) bench {
		at := here(k, bigFile)
		return bench{
			name: "copy one big file, " + string(k), unit: millis, needs: on(k), rarely: 4,
			sides: []side{copySide(codemode("copy"), at, nil), copySide(system("cp"), at, nil)},
			pairs: []pair{{ours: "codemode", peer: "cp", level: true}},
		}
	}
	cold := here(onExt4, smallTree)
	return []bench{
		small(onTmpfs), small(onExt4),
		{
			name: "copy many small files, ext4, cold", unit: millis, needs: on(onExt4), rarely: 4,
			sides: []side{copySide(codemode("copy"), cold, forget), copySide(system("cp", "-r"), cold, forget)},
			pairs: []pair{{ours: "codemode", peer: "cp -r", times: 2.5}},
		},
		source(onTmpfs), source(onExt4),
		big(onTmpfs), big(onExt4), big(onXFS),
	}
}

var fsExtraCopy = node("fs-extra", "await copy of fs-extra", "copy")

// forget empties the caches, but for the programs that are going to be run.
func forget(l *lab) error {
	if err := dropCaches(); err != nil {
		return err
	}
	program, err := l.codemode()
	if err != nil {
		return err
	}
	for _, name := range []string{program, "cp"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if err := warm(l.ctx, path); err != nil {
			return err
		}
	}
	return nil
}
