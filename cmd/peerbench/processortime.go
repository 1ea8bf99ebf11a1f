package main

import (
	"os"
	"strconv"
	"strings"
)

// ticks is how the processors have spent their time since the machine started.
type ticks struct{ idle, all uint64 }

// processorTime reads the first line of /proc/stat. Other systems do not say.
func processorTime() (ticks, bool) {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return ticks{}, false
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return parseTicks(line)
}

// parseTicks reads "cpu user nice system idle iowait irq softirq steal guest…",
// where guest is part of user.
func parseTicks(line string) (t ticks, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 6 || fields[0] != "cpu" {
		return t, false
	}
	for i, field := range fields[1:min(len(fields), 9)] {
		n, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			return t, false
		}
		t.all += n
		if i == 3 || i == 4 {
			t.idle += n
		}
	}
	return t, true
}

// busyUntil is the part of the time between two readings in which processors
// did something.
func (t ticks) busyUntil(later ticks) float64 {
	all := later.all - t.all
	if later.all <= t.all || later.idle < t.idle {
		return 0
	}
	return 1 - float64(later.idle-t.idle)/float64(all)
}
