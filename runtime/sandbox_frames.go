package runtime

import (
	"slices"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"
)

// known notes the name of a file that the engine shows in another way.
func (s *sandbox) known(u *unit) {
	name := s.job.Script.Name
	if u.file != "" {
		name = u.file
	}
	if name != u.name {
		s.names[u.name] = name
	}
}

// scriptFrames keeps the frames that lie in the script.
func (s *sandbox) scriptFrames(frames []goja.StackFrame) []goja.StackFrame {
	return slices.DeleteFunc(frames, func(f goja.StackFrame) bool {
		p := f.Position()
		return ours(p.Filename) || f.SrcName() == "<native>" || s.outside(p)
	})
}

// outside reports whether a position lies in what the script is wrapped in.
func (s *sandbox) outside(p file.Position) bool {
	place, ok := s.places[p.Filename]
	return ok && p.Line >= place.after
}

// ours reports whether a file is no part of the script.
func ours(file string) bool { return file == preludeName || file == transformedName }
