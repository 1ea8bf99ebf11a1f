package main

import (
	"bufio"
	"context"
	"os"
	"runtime"
	"strings"
	"time"
)

// machine is where a report comes from. Absolute figures mean something there
// only.
type machine struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	CPU   string `json:"cpu,omitempty"`
	Cores int    `json:"cores"`
	Go    string `json:"go"`
}

func thisMachine() machine {
	return machine{OS: systemName(), Arch: runtime.GOARCH, CPU: processorName(), Cores: runtime.NumCPU(), Go: runtime.Version()}
}

func (m machine) String() string {
	name := m.OS + "/" + m.Arch
	if m.CPU != "" {
		name += ", " + m.CPU
	}
	return name
}

// systemName is the system, with the kernel's release where it says it.
func systemName() string {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return runtime.GOOS
	}
	return runtime.GOOS + " " + strings.TrimSpace(string(release))
}

func processorName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

const (
	quiet    = 0.10        // a machine that is busier than this is not quiet
	watching = time.Second // how long it is watched to tell
)

// awaitQuiet waits until others leave the machine alone, for patience or the
// second that it takes to tell, and returns how busy it was at last. Where that
// cannot be told, it is 0.
func awaitQuiet(ctx context.Context, patience time.Duration, say func(string, ...any)) (float64, error) {
	end := time.Now().Add(patience)
	for told := false; ; told = true {
		before, ok := processorTime()
		if err := pause(ctx, watching); err != nil {
			return 0, err
		}
		after, again := processorTime()
		if !ok || !again {
			return 0, nil
		}
		busy := before.busyUntil(after)
		if busy <= quiet || time.Now().After(end) {
			return busy, nil
		}
		if !told {
			say("the machine is %.0f %% busy; waiting up to %v for it to become quiet", busy*100, patience.Round(time.Second))
		}
	}
}
