package runtime

import (
	"strings"

	"github.com/dop251/goja"
)

// maxRows is how many rows console.table shows.
const maxRows = 1000

// table draws rows of data the way Node's console.table does. What is no object
// is printed like anything else.
func (s *sandbox) table(data, only goja.Value) string {
	object, ok := data.(*goja.Object)
	if !ok || !tabular(object) {
		return s.inspect(data)
	}
	const values = "Values"
	s.look()
	head := []string{"(index)"}
	column := map[string]int{}
	var rows [][]string
	hasValues := false
	if list, ok := only.(*goja.Object); ok && tabular(list) {
		for _, index := range s.keys(list) {
			if name, ok := s.ownValue(list, index).(goja.String); ok {
				column[shownString(name)] = len(head)
				head = append(head, shownString(name))
			}
		}
	}
	fixed := len(head) > 1
	var singles []string
	for n, key := range s.keys(object) {
		if n == maxRows {
			break
		}
		row := make([]string, len(head), len(head)+4)
		row[0] = shownString(key)
		single := ""
		v := s.ownValue(object, key)
		if o, ok := v.(*goja.Object); ok && tabular(o) {
			for _, name := range s.keys(o) {
				title := shownString(name)
				at, known := column[title]
				if !known {
					if fixed {
						continue
					}
					at = len(head)
					column[title] = at
					head = append(head, title)
				}
				for len(row) <= at {
					row = append(row, "")
				}
				row[at] = s.inspectDepth(s.ownValue(o, name), 0)
			}
		} else {
			single, hasValues = s.inspectDepth(v, 0), true
		}
		singles = append(singles, single)
		rows = append(rows, row)
	}
	if hasValues {
		head = append(head, values)
	}
	for n := range rows {
		for len(rows[n]) < len(head) {
			rows[n] = append(rows[n], "")
		}
		if hasValues {
			rows[n][len(head)-1] = singles[n]
		}
	}
	return drawTable(head, rows)
}

// ownValue is an own data member; a getter shows as undefined.
func (s *sandbox) ownValue(o *goja.Object, key goja.Value) goja.Value {
	if v, _ := s.own(o, key); v != nil {
		return v
	}
	return goja.Undefined()
}

// tabular reports whether an object's members make a table or a row.
func tabular(o *goja.Object) bool {
	k := kindOf(o)
	return k == kindObject || k == kindArray
}

func drawTable(head []string, rows [][]string) string {
	widths := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for n, cell := range row {
			widths[n] = max(widths[n], width(cell)+2)
		}
	}
	rule := func(left, middle, right string) string {
		bars := make([]string, len(widths))
		for n, w := range widths {
			bars[n] = strings.Repeat("─", w)
		}
		return left + strings.Join(bars, middle) + right
	}
	line := func(cells []string) string {
		out := make([]string, len(cells))
		for n, cell := range cells {
			out[n] = " " + cell + strings.Repeat(" ", widths[n]-width(cell)-1)
		}
		return "│" + strings.Join(out, "│") + "│"
	}
	lines := []string{rule("┌", "┬", "┐"), line(head), rule("├", "┼", "┤")}
	for _, row := range rows {
		lines = append(lines, line(row))
	}
	return strings.Join(append(lines, rule("└", "┴", "┘")), "\n")
}
