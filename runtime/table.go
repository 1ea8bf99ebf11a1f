package runtime

import (
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"github.com/rivo/uniseg"
)

// maxRows is how many rows console.table shows.
const maxRows = 1000

// table draws rows of data the way Node's console.table does. What is no object
// is printed like anything else.
func (s *sandbox) table(data, only goja.Value) string {
	object, ok := data.(*goja.Object)
	if ok && (kindOf(object) == kindMap || kindOf(object) == kindSet) {
		return s.tableOfEach(object)
	}
	if !ok || !tabular(object) {
		return s.show(data)
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
	_, fixed := only.(*goja.Object)
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

// tableOfEach draws what a Map or a Set holds.
func (s *sandbox) tableOfEach(o *goja.Object) string {
	s.look()
	head, each := []string{"(iteration index)", "Key", "Values"}, s.mapEach
	if kindOf(o) == kindSet {
		head, each = []string{"(iteration index)", "Values"}, s.setEach
	}
	var rows [][]string
	s.each(each, o, func(key, value goja.Value) {
		if len(rows) == maxRows {
			return
		}
		row := []string{strconv.Itoa(len(rows))}
		if len(head) == 3 {
			row = append(row, s.inspectDepth(key, 0))
		}
		rows = append(rows, append(row, s.inspectDepth(value, 0)))
	})
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
			widths[n] = max(widths[n], uniseg.StringWidth(cell)+2)
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
			out[n] = " " + cell + strings.Repeat(" ", widths[n]-uniseg.StringWidth(cell)-1)
		}
		return "│" + strings.Join(out, "│") + "│"
	}
	lines := []string{rule("┌", "┬", "┐"), line(head), rule("├", "┼", "┤")}
	for _, row := range rows {
		lines = append(lines, line(row))
	}
	return strings.Join(append(lines, rule("└", "┴", "┘")), "\n")
}
