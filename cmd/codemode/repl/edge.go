package repl

import (
	"strings"

	"github.com/rivo/uniseg"
)

// prompt is what stands before the input. The library takes lines to be as wide as
// their characters together; a terminal leaves its last column empty where a wide
// character does not fit into it, and from there on the cursor would be off. So
// the prompt takes one column more where that makes wide characters fit.
func (e *Editor) prompt() string {
	columns, _ := e.config.Size()
	input := string(*e.shell.Line())
	wider := e.config.Prompt + " "
	if gaps(input, len(e.config.Prompt), columns) > 0 && gaps(input, len(wider), columns) == 0 {
		return wider
	}
	return e.config.Prompt
}

// gaps counts the places where input, each line of it after an indentation, leaves
// the last column of a terminal empty.
func gaps(input string, indent, columns int) (n int) {
	if columns < 2 {
		return 0
	}
	for line := range strings.SplitSeq(input, "\n") {
		at, state := indent, -1
		for line != "" {
			var width int
			_, line, width, state = uniseg.FirstGraphemeClusterInString(line, state)
			if width == 2 && at%columns == columns-1 {
				n++
				at++
			}
			at += width
		}
	}
	return n
}
