//go:build !unix

package repl

// suspend has nothing to do: there are no jobs to stop.
func (e *Editor) suspend() {}
