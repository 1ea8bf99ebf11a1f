//go:build unix

package worker

import "golang.org/x/sys/unix"

// maxDescriptors leaves room for what Go itself opens: its channel, and the few
// of its poller.
const maxDescriptors = 16

// limitResources sets the limits that the kernel keeps. RLIMIT_DATA is the one
// that bounds the memory of a Go program; its address space is always much
// larger. What Go has set aside for itself before anything runs does not count.
// RLIMIT_NPROC counts all processes of the user, and would keep Go from
// starting threads on a busy machine.
func limitResources(memory int64) (inForce protections) {
	limit := func(resource int, most uint64, p protections) {
		if setLimit(resource, most) == nil {
			inForce |= p
		}
	}
	limit(unix.RLIMIT_CORE, 0, noCoreDumps)
	limit(unix.RLIMIT_FSIZE, 0, noFileWrites)
	limit(unix.RLIMIT_NOFILE, maxDescriptors, fewDescriptors)
	if memoryIsLimited {
		limit(unix.RLIMIT_DATA, dataInUse()+shadowed*uint64(memory), memoryLimit)
	}
	return inForce
}
