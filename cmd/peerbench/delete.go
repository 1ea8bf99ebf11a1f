package main

import "os/exec"

// deleteBenches are about removing a tree.
func deleteBenches() []bench {
	small := func(k kind, overRm, overNode float64) bench {
		at := here(k, smallTree)
		return bench{
			name: "delete many small files, " + string(k), unit: millis, needs: on(k), rarely: 4,
			sides: []side{removeSide(codemode("delete"), at), removeSide(system("rm", "-rf"), at), removeSide(nodeRemove, at)},
			pairs: []pair{{ours: "codemode", peer: "rm -rf", times: overRm}, {ours: "codemode", peer: "fs.rm", times: overNode}},
		}
	}
	source := func(k kind) bench {
		at := here(k, sourceTree)
		return bench{
			name: "delete a source tree, " + string(k), unit: millis, needs: on(k), rarely: 4,
			sides: []side{removeSide(codemode("delete"), at), removeSide(system("rm", "-rf"), at)},
			pairs: []pair{{ours: "codemode", peer: "rm -rf"}},
		}
	}
	return []bench{
		small(onTmpfs, 1.3, 4), small(onExt4, 1.25, 2.5),
		source(onTmpfs), source(onExt4),
		{
			name: "delete one file", unit: millis, needs: on(onTmpfs),
			sides: []side{
				removeSide(codemode("delete"), here(onTmpfs, oneFile)),
				removeSide(nodeProcess, here(onTmpfs, oneFile)),
				removeSide(system("rm"), here(onTmpfs, oneFile)),
			},
			pairs: []pair{{ours: "codemode", peer: "node -e", times: 4}, {ours: "codemode", peer: "rm"}},
		},
	}
}

// discardBenches are about removing a tree where the disk has to be waited for.
// All trees are laid out first, as creation after mass deletion is slow there.
func discardBenches() []bench {
	at := here(onDiscard, quarterTree)
	return []bench{{
		name: "delete small files, disk that discards", unit: millis, needs: on(onDiscard), rarely: 4,
		sides: []side{removeAheadSide(codemode("delete"), at), removeAheadSide(system("rm", "-rf"), at), removeAheadSide(nodeRemove, at)},
		pairs: []pair{{ours: "codemode", peer: "rm -rf", times: 3}, {ours: "codemode", peer: "fs.rm"}},
	}}
}

var nodeRemove = node("fs.rm", "await rm(path, {recursive: true}) of node:fs/promises", "remove")

// nodeProcess is what a person would type who has Node.js at hand.
var nodeProcess = whole("node -e", "node -e 'fs.rmSync(process.argv[1])' FILE, whole process", func(l *lab) (func(...string) (*exec.Cmd, error), error) {
	p, err := l.pi()
	if err != nil {
		return nil, err
	}
	return func(paths ...string) (*exec.Cmd, error) {
		return l.command(p.node, append([]string{"-e", "fs.rmSync(process.argv[1])"}, paths...)...)
	}, nil
})
