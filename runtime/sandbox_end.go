package runtime

import (
	"errors"

	"github.com/dop251/goja"
)

// finished reports whether the run is over: the body has ended, and either the
// script has failed or every call that it made is answered and, for a person who
// waits at a prompt, no timer is left.
func (s *sandbox) finished() bool {
	idle := len(s.pending) == 0 && !(s.job.Script.Interactive && len(s.loop.timers) > 0)
	return !s.exited && s.bodyDone() && (s.failed() || idle)
}

// end is the outcome after err came out of the engine.
func (s *sandbox) end(err error) outcome {
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) && interrupted.Value() == exitSignal {
		return s.left()
	}
	return outcome{Err: s.explain(err)}
}

// left is the outcome of a script that ended itself by exit. What it called is
// still carried out.
func (s *sandbox) left() outcome {
	s.host.release(false)
	s.host.seen(seenAll, false)
	return outcome{}
}

// result is the outcome of a script that has finished.
func (s *sandbox) result() outcome {
	var o outcome
	err := s.visit(func() {
		reason := s.unhandled()
		if s.body.State() == goja.PromiseStateRejected {
			reason = s.body
		}
		if reason != nil {
			o.Err = s.describe(reason.Result())
			return
		}
		if s.job.Script.Interactive {
			o.Shown = s.shown(s.body.Result())
			return
		}
		var problem string
		o.Value, problem = s.jsonValue(s.body.Result())
		if problem != "" {
			o = outcome{Err: &Error{Kind: KindOutput, Message: problem}}
		}
	})
	if err != nil {
		return s.end(err)
	}
	return o
}
