package main

// tinyBenches are the same with 100,000 tiny files in 2,000 folders.
func tinyBenches() []bench {
	var list []bench
	for _, k := range []kind{onTmpfs, onExt4} {
		at := here(k, tinyTree)
		overRm, overNode := 1.3, 4.0
		if k == onExt4 {
			overRm, overNode = 1.25, 2.5
		}
		list = append(list, bench{
			name: "copy very many tiny files, " + string(k), unit: millis, needs: on(k), rarely: 5,
			sides: []side{copySide(codemode("copy"), at, nil), copySide(system("cp", "-r"), at, nil), copySide(fsExtraCopy, at, nil)},
			pairs: []pair{{ours: "codemode", peer: "cp -r", times: 1.7}, {ours: "codemode", peer: "fs-extra", times: 12}},
		}, bench{
			name: "delete very many tiny files, " + string(k), unit: millis, needs: on(k), rarely: 5,
			sides: []side{removeSide(codemode("delete"), at), removeSide(system("rm", "-rf"), at), removeSide(nodeRemove, at)},
			pairs: []pair{{ours: "codemode", peer: "rm -rf", times: overRm}, {ours: "codemode", peer: "fs.rm", times: overNode}},
		})
	}
	between := across(onExt4, onTmpfs, tinyTree)
	return append(list, bench{
		name: "move very many tiny files, ext4 to tmpfs", unit: millis, needs: on(onExt4, onTmpfs), rarely: 10,
		sides: []side{moveSide(codemode("move"), between, false), moveSide(system("mv"), between, false), moveSide(fsExtraMove, between, false)},
		pairs: []pair{{ours: "codemode", peer: "mv", times: 2.4}, {ours: "codemode", peer: "fs-extra", times: 30}},
	})
}
