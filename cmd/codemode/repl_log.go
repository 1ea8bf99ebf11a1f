package main

import (
	"fmt"
	"strings"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/wording"
	"codemode/runtime"
)

// inputsInShort is the beginning of what was typed at a prompt.
func inputsInShort(inputs []bindings.Input) string {
	const enough = 200
	var b strings.Builder
	for _, in := range inputs {
		if b.Len() > enough {
			break
		}
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		b.WriteString(strings.Join(strings.Fields(clip(string(in.Script), enough)), " "))
	}
	return b.String()
}

// Of one input at most so many lines are shown; --json has all.
const shownInputLines = 12

// showInputs tells what was typed at a prompt, and below each input what it did.
func (s *screen) showInputs(r bindings.Rebuilt) {
	bySeq := map[int]ops.Receipt{}
	for _, op := range r.Operations {
		bySeq[op.Seq] = op
	}
	for _, in := range r.Inputs {
		s.say("")
		s.showInput(in)
		for _, seq := range in.Operations {
			if op, ok := bySeq[seq]; ok {
				s.logged(op, string(r.Cwd))
				delete(bySeq, seq)
			}
		}
		switch {
		case in.Status != bindings.StatusFinished:
			s.say(in.Status)
		case in.Error != nil && in.Error.Kind == runtime.KindAborted:
			s.say("interrupted")
		case in.Error != nil:
			s.say("failed: " + tame(in.Error.Message))
		}
		if in.Lost {
			s.say("what earlier inputs had declared was lost")
		}
	}
	for _, op := range r.Operations { // of no input that could be read
		if _, left := bySeq[op.Seq]; left {
			s.logged(op, string(r.Cwd))
		}
	}
}

func (s *screen) showInput(in bindings.Input) {
	lines := strings.Split(strings.TrimRight(string(in.Script), "\n"), "\n")
	label := fmt.Sprintf("%d> ", in.Input)
	for i, line := range lines {
		if i == shownInputLines {
			s.say(strings.Repeat(" ", len(label)) + "... " + wording.Plural(int64(len(lines)-i), "more line", "more lines") + ", which --json shows")
			return
		}
		shown := tame(clip(line, shownWidth))
		if len(line) > shownWidth {
			shown += "..."
		}
		s.say(s.paint(bold, label+shown, s.outTTY))
		label = strings.Repeat(" ", len(label))
	}
}
