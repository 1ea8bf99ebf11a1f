package runtime

import (
	"regexp"
	"sync"
)

// onDemand compiles an expression when it is first used: a process that runs one
// script must not pay at its start for what that script never needs.
func onDemand(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
