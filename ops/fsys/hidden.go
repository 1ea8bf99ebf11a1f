package fsys

import "strconv"

// mostWorkers is how many goroutines may work on one tree.
const mostWorkers = 16

// HiddenNames are the names under which an operation with this hidden name may
// have something unfinished: the name itself and, since several workers of a
// merge write at once, one for each of the others.
func HiddenNames(hidden string) []string {
	names := []string{hidden}
	for id := 1; id < mostWorkers; id++ {
		names = append(names, hiddenName(hidden, id))
	}
	return names
}

// hiddenName is the one of a worker.
func hiddenName(hidden string, worker int) string {
	if worker == 0 {
		return hidden
	}
	return hidden + "." + strconv.Itoa(worker)
}
