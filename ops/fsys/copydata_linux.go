package fsys

import "golang.org/x/sys/unix"

const (
	// largeFile is where copying inside the kernel starts to pay.
	largeFile = 64 << 10
	// chunk bounds one system call, so that progress is seen.
	chunk = 8 << 20
)

// data copies size bytes of in to out: sharing blocks where the file system
// can, keeping holes, and otherwise by reading and writing. Small files and
// files that do not know their size (as in /proc) are read to their end.
func (w *worker) data(in, out int, size int64) error {
	if size < largeFile {
		return w.readWrite(in, out, size)
	}
	if unix.IoctlFileClone(out, in) == nil {
		return nil
	}
	if err := retry(func() error { return unix.Ftruncate(out, size) }); err != nil {
		return err
	}
	for at := int64(0); at < size; {
		start, err := unix.Seek(in, at, unix.SEEK_DATA)
		if err == unix.ENXIO {
			return w.shrunk(in, size) // a hole to the end
		}
		if err != nil {
			start = at // holes are not known here: copy all
		}
		end := size
		if err == nil {
			if hole, err := unix.Seek(in, start, unix.SEEK_HOLE); err == nil {
				end = min(hole, size)
			}
		}
		if at, err = w.extent(in, out, start, end); err != nil {
			return err
		}
	}
	return nil
}

// extent copies the bytes from start to end.
func (w *worker) extent(in, out int, start, end int64) (int64, error) {
	for start < end {
		from, to := start, start
		n, err := unix.CopyFileRange(in, &from, out, &to, int(min(end-start, chunk)), 0)
		switch err {
		case nil:
		case unix.EINTR:
			continue
		case unix.EXDEV, unix.EINVAL, unix.ENOSYS, unix.EOPNOTSUPP, unix.EPERM:
			if n, err = w.piece(in, out, start, end); err != nil {
				return start, err
			}
		default:
			return start, err
		}
		if n == 0 {
			return start, ErrChanged // the file became shorter
		}
		start += int64(n)
	}
	return end, nil
}

func (w *worker) buffer() []byte {
	if w.buf == nil {
		w.buf = make([]byte, 256<<10)
	}
	return w.buf
}

// piece copies at most one buffer at start by reading and writing.
func (w *worker) piece(in, out int, start, end int64) (int, error) {
	buf := w.buffer()
	buf = buf[:min(int64(len(buf)), end-start)]
	var n int
	err := retry(func() (err error) {
		n, err = unix.Pread(in, buf, start)
		return err
	})
	if err != nil {
		return 0, err
	}
	for done := 0; done < n; {
		wrote, err := unix.Pwrite(out, buf[done:n], start+int64(done))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return 0, err
		}
		done += wrote
	}
	return n, nil
}

// readWrite copies a small file. A read that brings exactly its size has come
// to its end.
func (w *worker) readWrite(in, out int, size int64) error {
	buf := w.buffer()
	for first := true; ; first = false {
		var n int
		err := retry(func() (err error) {
			n, err = unix.Read(in, buf)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
		for done := 0; done < n; {
			wrote, err := unix.Write(out, buf[done:n])
			if err == unix.EINTR {
				continue
			}
			if err != nil {
				return err
			}
			done += wrote
		}
		if first && size > 0 && int64(n) == size {
			return nil
		}
	}
}

// shrunk tells a hole at the end from a file that was cut meanwhile.
func (w *worker) shrunk(in int, size int64) error {
	info, err := statAt(in, "")
	if err == nil && info.Size < size {
		err = ErrChanged
	}
	return err
}
