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
func (c *copier) data(in, out int, size int64) error {
	if size < largeFile {
		return c.readWrite(in, out)
	}
	if unix.IoctlFileClone(out, in) == nil {
		return nil
	}
	if err := unix.Ftruncate(out, size); err != nil {
		return err
	}
	for at := int64(0); at < size; {
		start, err := unix.Seek(in, at, unix.SEEK_DATA)
		if err == unix.ENXIO {
			return c.shrunk(in, size) // a hole to the end
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
		if at, err = c.extent(in, out, start, end); err != nil {
			return err
		}
	}
	return nil
}

// extent copies the bytes from start to end.
func (c *copier) extent(in, out int, start, end int64) (int64, error) {
	for start < end {
		from, to := start, start
		n, err := unix.CopyFileRange(in, &from, out, &to, int(min(end-start, chunk)), 0)
		switch err {
		case nil:
		case unix.EINTR:
			continue
		case unix.EXDEV, unix.EINVAL, unix.ENOSYS, unix.EOPNOTSUPP, unix.EPERM:
			if n, err = c.piece(in, out, start, end); err != nil {
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

func (c *copier) buffer() []byte {
	if c.buf == nil {
		c.buf = make([]byte, 256<<10)
	}
	return c.buf
}

// piece copies at most one buffer at start by reading and writing.
func (c *copier) piece(in, out int, start, end int64) (int, error) {
	buf := c.buffer()
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
		w, err := unix.Pwrite(out, buf[done:n], start+int64(done))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return 0, err
		}
		done += w
	}
	return n, nil
}

func (c *copier) readWrite(in, out int) error {
	buf := c.buffer()
	for {
		var n int
		err := retry(func() (err error) {
			n, err = unix.Read(in, buf)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
		for done := 0; done < n; {
			w, err := unix.Write(out, buf[done:n])
			if err == unix.EINTR {
				continue
			}
			if err != nil {
				return err
			}
			done += w
		}
	}
}

// shrunk tells a hole at the end from a file that was cut meanwhile.
func (c *copier) shrunk(in int, size int64) error {
	info, err := statAt(in, "")
	if err == nil && info.Size < size {
		err = ErrChanged
	}
	return err
}
