package repl

import "strings"

// Hint says what the call that is being written takes: the tool's parameters, and
// what the one at hand is for. It is empty where there is nothing to say.
func (l Language) Hint(input string) (call, about string) {
	p := placeOf(input)
	if p.kind == atFile || p.kind == atCommand {
		c, ok := l.command(p.of)
		if p.kind == atCommand {
			c, ok = l.command(p.prefix)
		}
		if !ok {
			return "", ""
		}
		return strings.TrimSpace("." + c.Name + " " + c.Argument), c.About
	}
	s, ok := l.tool(p.tool)
	if !ok {
		return "", ""
	}
	key := p.key
	if p.kind == atArgument {
		key = p.prefix
	}
	call, about = s.call(p.given), s.About
	if a, ok := s.parameter(key); ok {
		about = a.Name + ": " + a.About
	}
	return call, about
}
