package gitstate

import (
	"os"
	"syscall"
)

func stampOf(fi os.FileInfo) stamp {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return coarseStamp(fi)
	}
	return stampOfStat(st)
}

func stampOfStat(st *syscall.Stat_t) stamp {
	return stamp{
		dev: uint64(st.Dev), ino: st.Ino, mode: st.Mode, size: st.Size,
		mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), exact: true,
	}
}
