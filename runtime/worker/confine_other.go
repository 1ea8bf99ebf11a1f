//go:build !linux

package worker

// confine puts in force what is there. The systems this file is for have nothing
// that can be asked for without more rights: what is left is that the child is
// another process, without environment, which can be killed.
func confine(memory int64) protections { return limitResources(memory) }
