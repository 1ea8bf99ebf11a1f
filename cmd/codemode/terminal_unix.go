//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// terminal is the one that the person sits at, whatever standard input and
// output are.
type terminal struct{ file *os.File }

// openTerminal opens the controlling terminal. It fails where there is none,
// and in the background, where reading would stop the process for good.
func openTerminal() (*terminal, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	t := &terminal{f}
	if err := t.foreground(); err != nil {
		f.Close()
		return nil, err
	}
	return t, nil
}

func (t *terminal) close() { t.file.Close() }

// foreground fails if the terminal belongs to another job at the moment.
func (t *terminal) foreground() error {
	group, err := unix.IoctlGetInt(t.fd(), unix.TIOCGPGRP)
	if err != nil {
		return err
	}
	if group != unix.Getpgrp() {
		return errors.New("codemode runs in the background; bring it to the foreground and try again")
	}
	return nil
}

func (t *terminal) fd() int { return int(t.file.Fd()) }

func (t *terminal) width() int {
	width, _, err := term.GetSize(t.fd())
	if err != nil {
		return 0
	}
	return width
}

func (t *terminal) write(text string) error {
	_, err := t.file.WriteString(text)
	return err
}

// discard throws away what was typed and not read yet.
func (t *terminal) discard() error { return flushInput(t.fd()) }

// settle throws away what was pasted together with the answer. A long paste
// comes in pieces; what follows at once still belongs to it.
func (t *terminal) settle() {
	fds := []unix.PollFd{{Fd: int32(t.fd()), Events: unix.POLLIN}}
	for range 20 {
		if n, err := unix.Poll(fds, 10); n <= 0 && !errors.Is(err, unix.EINTR) {
			return
		}
		// From the background it would stop the process.
		if t.foreground() != nil || t.discard() != nil {
			return
		}
	}
}

// readLine reads what is typed up to Enter. End of input gives what was typed
// so far and false. It returns at once when ctx is done.
func (t *terminal) readLine(ctx context.Context) (line string, whole bool, err error) {
	wake, done, err := os.Pipe()
	if err != nil {
		return "", false, err
	}
	defer wake.Close()
	stop := context.AfterFunc(ctx, func() { done.Close() })
	defer func() {
		if stop() {
			done.Close()
		}
	}()
	fds := []unix.PollFd{{Fd: int32(t.fd()), Events: unix.POLLIN}, {Fd: int32(wake.Fd()), Events: unix.POLLIN}}
	var text strings.Builder
	buf := make([]byte, 256)
	for {
		if _, err := unix.Poll(fds, -1); err != nil && !errors.Is(err, unix.EINTR) {
			return "", false, err
		}
		if ctx.Err() != nil {
			return "", false, ctx.Err()
		}
		if fds[0].Revents == 0 {
			continue
		}
		n, err := unix.Read(t.fd(), buf)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			time.Sleep(10 * time.Millisecond)
			continue
		case err != nil:
			return "", false, err
		case n == 0:
			return text.String(), false, nil
		}
		text.Write(buf[:n])
		// Another program may have left the terminal in raw mode, where Enter is
		// a carriage return and Ctrl-C and Ctrl-D are characters.
		switch at := strings.IndexAny(text.String(), "\n\r\x03\x04"); {
		case at < 0:
		case text.String()[at] == '\n', text.String()[at] == '\r':
			return text.String()[:at], true, nil
		default:
			return "", false, nil
		}
		if text.Len() > 4096 {
			return "", false, errors.New("the answer is too long")
		}
	}
}
