package escapes

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"codemode/ops"
	"codemode/ops/policy"
	"codemode/runtime"
)

// state is the world around a case.
type state struct {
	top           string
	before, after tree
	asked         []policy.Event
}

// check says what does not hold after a case.
func check(c Case, r Result, s state) []string {
	problems := slices.Concat(checkValue(c, r), checkReceipts(c, r), checkUntouched(s), checkTold(r, s), checkAsked(r, s))
	for _, secret := range []string{Secret, SecretValue} {
		if strings.Contains(r.Said, secret) {
			problems = append(problems, "a secret was seen: "+secret)
		}
	}
	return problems
}

// checkValue holds the script to what it must come to.
func checkValue(c Case, r Result) []string {
	if c.Want == breaks {
		if r.OK || r.Kind != runtime.KindSandbox {
			return []string{fmt.Sprintf("the engine should break on this, and the script came to %s %s %q", r.Value, r.Kind, r.Error)}
		}
		return nil
	}
	if message, throws := strings.CutPrefix(c.Want, "throws"); throws {
		if message = strings.TrimSpace(message); r.OK || r.Kind != runtime.KindScript || !strings.HasPrefix(r.Error, message) {
			return []string{fmt.Sprintf("the script came to %s %q, and should throw %q", r.Value, r.Error, message)}
		}
		return nil
	}
	if !r.OK || r.Value != c.Want {
		return []string{fmt.Sprintf("the script came to\n%s %s\nwant\n%s", r.Value, r.Error, c.Want)}
	}
	return nil
}

// checkReceipts holds the receipts to what the case says, and to their numbers.
func checkReceipts(c Case, r Result) (problems []string) {
	var got []string
	for i, op := range r.Operations {
		line := string(op.Operation) + " " + string(op.Effect)
		if op.Error != nil {
			line += " " + string(op.Error.Code)
		}
		got = append(got, line)
		if op.Seq != r.Operations[0].Seq+i || op.OK != (op.Effect == ops.Applied) || op.OK != (op.Error == nil) {
			problems = append(problems, fmt.Sprintf("receipt %d contradicts itself: %+v", i+1, op))
		}
	}
	if !slices.Equal(got, c.Operations) {
		problems = append(problems, fmt.Sprintf("operations\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.Operations, "\n")))
	}
	return problems
}

// checkUntouched holds that nothing outside of what is granted was changed, nor
// what needs an approval, nor what is protected.
func checkUntouched(s state) (problems []string) {
	project := s.top + "/proj"
	guarded := func(name string) bool {
		if !within(name, project) {
			return true
		}
		for _, dir := range []string{".git", "tracked", "protected"} {
			if within(name, project+"/"+dir) {
				return true
			}
		}
		return false
	}
	for _, name := range slices.Sorted(maps.Keys(s.before)) {
		if now, there := s.after[name]; guarded(name) && (!there || now != s.before[name]) {
			problems = append(problems, fmt.Sprintf("%s was changed: %s, now %s", name, s.before[name], now))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.after)) {
		if _, was := s.before[name]; guarded(name) && !was {
			problems = append(problems, name+" was made")
		}
	}
	return problems
}

// written stands for a file whose content a receipt does not tell.
const written = "written"

// checkTold holds that the receipts tell the truth and all of it: what is on disk
// is what was there, with what they say done to it.
func checkTold(r Result, s state) (problems []string) {
	told := maps.Clone(s.before)
	for _, op := range r.Operations {
		if op.Effect == ops.Applied {
			told.apply(op)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(told)) {
		now, there := s.after[name]
		if !there || told[name] != now && told[name] != written {
			problems = append(problems, fmt.Sprintf("%s should be %q by the receipts, and is %q", name, told[name], now))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.after)) {
		if _, known := told[name]; !known {
			problems = append(problems, name+" is there, and no receipt says so")
		}
	}
	return problems
}

// apply does to the tree what a receipt says was done.
func (all tree) apply(op ops.Receipt) {
	from, to := path.Clean(string(op.Path)), path.Clean(string(op.Target))
	switch op.Operation {
	case ops.Delete:
		all.remove(from)
	case ops.Write, ops.Edit:
		all.makeParents(from)
		all[from] = written
	case ops.Mkdir:
		all.makeParents(from + "/.")
	case ops.Copy, ops.Move:
		all.makeParents(to)
		moved := tree{}
		for name, what := range all {
			if within(name, from) {
				moved[to+strings.TrimPrefix(name, from)] = what
			}
		}
		if op.Operation == ops.Move {
			all.remove(from)
			all.remove(to)
		}
		maps.Copy(all, moved)
	}
}

func (all tree) remove(top string) {
	maps.DeleteFunc(all, func(name, _ string) bool { return within(name, top) })
}

func (all tree) makeParents(name string) {
	for dir := path.Dir(name); dir != "/" && dir != "."; dir = path.Dir(dir) {
		if _, there := all[dir]; there {
			return
		}
		all[dir] = written
	}
}

func within(name, top string) bool {
	return name == top || strings.HasPrefix(name, top+"/")
}

// checkAsked holds that what was removed is what the hook was asked about: the
// answer was given for the very object that is gone.
func checkAsked(r Result, s state) (problems []string) {
	for _, op := range r.Operations {
		if !removed(op) {
			continue
		}
		at := slices.IndexFunc(s.asked, func(e policy.Event) bool {
			return string(e.Path) == string(op.Path) && string(e.Kind) == string(op.SourceKind)
		})
		if at < 0 {
			problems = append(problems, fmt.Sprintf("%s was removed, and the hook was asked about %+v only", op.Path, s.asked))
		}
	}
	return problems
}

// removed reports whether an operation removed what it names.
func removed(op ops.Receipt) bool {
	return op.Operation == ops.Delete && op.Effect != ops.NotApplied
}
