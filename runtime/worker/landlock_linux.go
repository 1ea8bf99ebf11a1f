package worker

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// What the versions of Landlock's interface can refuse. Nothing at all is
// allowed, so that no rule is needed.
const (
	landlockV1       = 1<<13 - 1
	landlockRefer    = unix.LANDLOCK_ACCESS_FS_REFER       // version 2
	landlockTruncate = unix.LANDLOCK_ACCESS_FS_TRUNCATE    // version 3
	landlockNet      = unix.LANDLOCK_ACCESS_NET_BIND_TCP | // version 4
		unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	landlockDevices = unix.LANDLOCK_ACCESS_FS_IOCTL_DEV // version 5

	// Newer kernels restrict all threads of a process at once.
	landlockAllThreads = 1 << 3 // LANDLOCK_RESTRICT_SELF_TSYNC
)

// restrictAccess has Landlock refuse all files and all TCP. The scope for signals
// is left alone: threads of one process, of which each has its own domain here,
// could no longer interrupt each other, which Go needs.
func restrictAccess() protections {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	attributes := unix.LandlockRulesetAttr{Handled_access_fs: landlockV1}
	inForce := landlockFiles
	if version >= 2 {
		attributes.Handled_access_fs |= landlockRefer
	}
	if version >= 3 {
		attributes.Handled_access_fs |= landlockTruncate
	}
	if version >= 4 {
		attributes.Handled_access_net = landlockNet
		inForce |= landlockTCP
	}
	if version >= 5 {
		attributes.Handled_access_fs |= landlockDevices
	}
	size := unsafe.Sizeof(attributes.Handled_access_fs)
	if version >= 4 {
		size += unsafe.Sizeof(attributes.Handled_access_net)
	}
	rules, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attributes)), size, 0)
	if errno != 0 {
		return 0
	}
	defer unix.Close(int(rules))
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, landlockAllThreads, 0); errno == 0 {
		return inForce
	}
	if allThreads(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0) == nil {
		return inForce
	}
	// One thread alone is no protection; but this one is where most happens.
	_, _, _ = unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0)
	return 0
}
