package main

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Versions of the peers from npm. Of Node.js it is the newest that the npm package "node"
// had: pi-codemode starts faster on it than on the oldest that it supports.
const (
	piVersion      = "1.6.0"
	nodeVersion    = "26.10.0"
	esbuildVersion = "0.28.2"
	fsExtraVersion = "11.4.1"
)

//go:embed pi
var piPrograms embed.FS

// pi is pi-codemode as it was installed, with a Node.js that it supports.
type pi struct{ node, dir string }

// fetchPi installs both. The npm package "node" only fetches another one, by a
// script, so this asks for that one: its name has the platform in it.
func fetchPi(ctx context.Context, cache string, offline bool, say func(string, ...any)) (*pi, error) {
	node, program := nodePackage()
	say("looking for pi-codemode %s, fs-extra %s and Node.js %s in %s", piVersion, fsExtraVersion, nodeVersion, cache)
	dir, err := installNPM(ctx, cache, offline, "@earendil-works/pi-codemode@"+piVersion, node+"@"+nodeVersion, "esbuild@"+esbuildVersion, "fs-extra@"+fsExtraVersion)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"empty.mjs", "serve.mjs", "files.mjs"} {
		text, err := piPrograms.ReadFile("pi/" + name)
		if err != nil {
			return nil, err
		}
		if err := place(filepath.Join(dir, name), text); err != nil {
			return nil, err
		}
	}
	p := &pi{node: filepath.Join(dir, "node_modules", node, program), dir: dir}
	if out, err := exec.CommandContext(ctx, p.node, "--version").Output(); err != nil || strings.TrimSpace(string(out)) != "v"+nodeVersion {
		return nil, fmt.Errorf("its Node.js does not run here: %v %s", err, bytes.TrimSpace(out))
	}
	return p, nil
}

func nodePackage() (name, program string) {
	system, arch, program := runtime.GOOS, runtime.GOARCH, filepath.Join("bin", "node")
	if system == "windows" {
		system, program = "win", filepath.Join("bin", "node.exe")
	}
	if arch == "amd64" {
		arch = "x64"
	}
	return "node-" + system + "-" + arch, program
}

// place writes a file that others may be reading.
func place(name string, text []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(name), "making-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// command is one of our programs that use pi-codemode.
func (p *pi) command(l *lab, program string) (*exec.Cmd, error) {
	return l.command(p.node, filepath.Join(p.dir, program))
}

// A piProcess is a program that lives and does one task after the other.
type piProcess struct {
	cmd    *exec.Cmd
	tasks  *json.Encoder
	lines  *bufio.Reader
	close  func()
	stderr *bytes.Buffer
}

func (p *pi) start(l *lab) (*piProcess, error) {
	cmd, err := p.command(l, "serve.mjs")
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s := &piProcess{cmd: cmd, tasks: json.NewEncoder(in), lines: bufio.NewReader(out), stderr: &bytes.Buffer{}}
	cmd.Stderr = s.stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s.close = func() {
		in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	return s, nil
}

// do has a task done and returns its measure.
func (s *piProcess) do(task any) (float64, error) {
	if err := s.tasks.Encode(task); err != nil {
		return 0, err
	}
	line, err := s.lines.ReadBytes('\n')
	if err != nil {
		return 0, failure(err, s.stderr.Bytes())
	}
	var answer struct {
		Value float64
		Error string
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return 0, fmt.Errorf("%w in %s", err, line)
	}
	if answer.Error != "" {
		return 0, errors.New(answer.Error)
	}
	return answer.Value, nil
}

// piSide is a side whose samples are tasks of one process that lives. scale
// turns its milliseconds into the unit of the bench.
func piSide(name, does string, scale float64, task func() any) side {
	return side{name: name, does: does, open: func(l *lab) (*sampler, error) {
		p, err := l.pi()
		if err != nil {
			return nil, err
		}
		s, err := p.start(l)
		if err != nil {
			return nil, err
		}
		return &sampler{close: s.close, sample: func() (float64, error) {
			value, err := s.do(task())
			return value * scale, err
		}}, nil
	}}
}
