package escapes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"codemode/ops"
)

// A Result is what a route saw of a case.
type Result struct {
	OK         bool
	Value      string // JSON
	Kind       string // of the error
	Error      string // its message
	Operations []ops.Receipt
	Shown      string // the last text of the output
	// Said is everything that left the host: reports, output, messages, journal.
	Said string
}

// A Route runs one case in its world. A route that cannot meet what a case needs
// skips.
type Route func(t *testing.T, w World, c Case) Result

// Run holds a route to all cases.
func Run(t *testing.T, route Route) {
	cases := Cases(t)
	top := template(t)
	for i, c := range cases {
		t.Run(c.Family+"/"+c.Name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, top, fmt.Sprint(i), c.Files)
			before := w.tree(t)
			r := route(t, w, c)
			after := state{before: before, after: w.tree(t), top: w.W}
			if slices.ContainsFunc(r.Operations, removed) {
				after.asked = w.asked(t)
			}
			for _, problem := range check(c, r, after) {
				t.Error(problem)
			}
			if t.Failed() {
				t.Logf("attack: %s\n%s", c.Attack, strings.TrimPrefix(c.Source, reach))
			}
		})
	}
}
