package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// setSize is the proportional set size of a process in MiB: its own pages, and
// its part of those that it shares. Only Linux tells.
func setSize(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes float64
		if n, _ := fmt.Sscanf(line, "Pss: %f kB", &kilobytes); n == 1 {
			return kilobytes / 1024, nil
		}
	}
	return 0, errors.New("the kernel does not tell the size of processes")
}

// sandboxes are the children of this process that are sandboxes.
func sandboxes() ([]int, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("the system does not show its processes")
	}
	var list []int
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		if pid, ok := childOf(os.Getpid(), string(text)); ok {
			arguments, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			if bytes.HasPrefix(arguments, []byte("codemode-sandbox\x00")) {
				list = append(list, pid)
			}
		}
	}
	return list, nil
}

// childOf reads "pid (name) state parent …"; a name may hold anything.
func childOf(parent int, stat string) (pid int, ok bool) {
	before, _, _ := strings.Cut(stat, " ")
	pid, err := strconv.Atoi(before)
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	return pid, err == nil && len(fields) > 1 && fields[1] == strconv.Itoa(parent)
}
