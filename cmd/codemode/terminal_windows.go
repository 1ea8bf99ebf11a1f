package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/windows"
	"golang.org/x/term"
)

// terminal is the console, whatever standard input and output are.
type terminal struct{ in, out *os.File }

func openTerminal() (*terminal, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		in.Close()
		return nil, err
	}
	return &terminal{in, out}, nil
}

func (t *terminal) close() {
	t.in.Close()
	t.out.Close()
}

func (t *terminal) foreground() error { return nil }

func (t *terminal) width() int {
	width, _, err := term.GetSize(int(t.out.Fd()))
	if err != nil {
		return 0
	}
	return width
}

func (t *terminal) write(text string) error {
	_, err := t.out.WriteString(text)
	return err
}

func (t *terminal) discard() error {
	return windows.FlushConsoleInputBuffer(windows.Handle(t.in.Fd()))
}

// settle throws away what was pasted together with the answer.
func (t *terminal) settle() { t.discard() }

// readLine reads in a goroutine of its own, since a console read cannot be cut
// off; when ctx is done the program is about to end.
func (t *terminal) readLine(ctx context.Context) (line string, whole bool, err error) {
	type answer struct {
		text string
		err  error
	}
	read := make(chan answer, 1)
	go func() {
		buf := make([]byte, 4096)
		n, err := t.in.Read(buf)
		read <- answer{string(buf[:n]), err}
	}()
	select {
	case <-ctx.Done():
		return "", false, ctx.Err()
	case a := <-read:
		if a.err != nil {
			return "", false, a.err
		}
		text, whole := strings.CutSuffix(strings.TrimSuffix(a.text, "\n"), "\r")
		if !whole {
			return "", false, errors.New("no line was read")
		}
		return text, true, nil
	}
}
