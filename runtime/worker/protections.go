package worker

import (
	"io"

	"codemode/runtime"
)

// protections are a set of those of a child.
type protections uint32

const (
	memoryLimit protections = 1 << iota
	noCoreDumps
	noFileWrites
	fewDescriptors
	noNewPrivileges
	landlockFiles
	landlockTCP
	seccompFilter
	diesWithParent
)

// A Protection is one thing that keeps a child in its place.
type Protection struct {
	Name    string
	InForce bool
	Meaning string // in a sentence without a full stop
}

var protectionList = []struct {
	bit           protections
	name, meaning string
}{
	{memoryLimit, "memory limit", "the kernel refuses more memory than the limit"},
	{diesWithParent, "dies with its parent", "the kernel kills the child when its parent dies; without it the child notices by itself"},
	{noNewPrivileges, "no new privileges", "no program that the child could start would gain rights"},
	{landlockFiles, "landlock: files", "the kernel refuses all access to files by name"},
	{landlockTCP, "landlock: TCP", "the kernel refuses TCP connections and servers"},
	{seccompFilter, "seccomp", "the kernel refuses every system call but the few that the engine needs"},
	{noFileWrites, "no file writes", "files cannot grow"},
	{fewDescriptors, "few descriptors", "few files can be open at once"},
	{noCoreDumps, "no core dumps", "no memory of the child is ever written out"},
}

// Protections starts a child and reports which protections it has put in force
// on this system. In each, the child has no environment, no descriptors but its
// channel, and is killed when it does not end by itself.
func Protections() ([]Protection, error) {
	p, err := start(modeSpare, runtime.DefaultMemory)
	if err != nil {
		return nil, err
	}
	defer p.Wait()
	defer p.Kill()
	if err := p.greet(); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = errHello
		}
		return nil, err
	}
	var list []Protection
	for _, known := range protectionList {
		list = append(list, Protection{known.name, p.inForce&known.bit != 0, known.meaning})
	}
	return list, nil
}
