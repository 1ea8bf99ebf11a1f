//go:build unix

package repl

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// suspend is Ctrl-Z: it gives the terminal back to the shell.
func (e *Editor) suspend() {
	e.outside(func() {
		goesOn := make(chan os.Signal, 1)
		signal.Notify(goesOn, syscall.SIGCONT)
		defer signal.Stop(goesOn)
		if syscall.Kill(0, syscall.SIGTSTP) != nil {
			return
		}
		select {
		case <-goesOn:
		case <-time.After(300 * time.Millisecond): // nobody is there who could let it go on
		}
	})
}
