package repl

import (
	"slices"
	"strings"
)

// What the cursor is at the end of.
type placeKind int

const (
	nowhere    placeKind = iota // in a comment, a regular expression, …
	atGlobal                    // a name that stands for itself
	atMember                    // a name behind a dot
	atArgument                  // the name of an argument of a tool
	atString                    // the inside of a string
	atCommand                   // the name of a command of the prompt
	atFile                      // the argument of one that takes a file
)

// A place is where the cursor is.
type place struct {
	kind   placeKind
	prefix string // what is there of the name or string, as it is written
	of     string // atMember: the value, names with dots between them; "" is the global object
	quote  byte   // atString

	// The innermost call of a tool around it:
	tool  string
	key   string   // the argument whose value is being written, if any
	given []string // the arguments that are there
}

// A frame is an open bracket.
type frame struct {
	bracket string
	tool    string // the tool that is called; of the brace, too, that is its first argument
	filled  bool   // something stands behind the bracket

	// Of a brace that holds a tool's arguments:
	arguments bool
	inValue   bool
	key       string
	last      string // the name that may turn out to be a key
	given     []string
}

// placeOf finds out where the end of input is.
func placeOf(input string) place {
	if p, ok := commandPlace(input); ok {
		return p
	}
	tokens := lex(input)
	frames := framesOf(tokens)
	p := place{kind: atGlobal}
	top := len(frames) - 1
	for i := top; i >= 0; i-- {
		if f := frames[i]; f.tool != "" {
			p.tool, p.key, p.given = f.tool, f.key, f.given
			break
		}
	}
	significant := slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.kind == space || t.kind == comment })
	if len(tokens) == 0 {
		return p
	}
	last := tokens[len(tokens)-1]
	switch last.kind {
	case text:
		if !last.open {
			p.kind = nowhere
			return p
		}
		p.kind, p.quote, p.prefix = atString, last.text[0], last.text[1:]
		if top >= 0 && frames[top].arguments && !frames[top].inValue {
			p.kind = nowhere // a name in quotes
		}
		return p
	case template:
		p.kind = nowhere
		if last.open && strings.HasPrefix(last.text, "`") {
			p.kind, p.quote, p.prefix = atString, '`', last.text[1:]
		}
		return p
	case comment, regex, number:
		p.kind = nowhere
		if last.kind == comment && !last.open && strings.HasPrefix(last.text, "/*") {
			p.kind = atGlobal
		}
		return p
	case word:
		p.prefix = last.text
		significant = significant[:len(significant)-1]
	case mark:
		if strings.Contains(")]}", last.text) {
			p.kind = nowhere
			return p
		}
	}
	if n := len(significant); n > 0 && (significant[n-1].text == "." || significant[n-1].text == "?.") {
		p.kind = nowhere
		if of, ok := valueBefore(significant[:n-1]); ok {
			p.kind, p.of = atMember, of
		}
		return p
	}
	if top >= 0 && frames[top].arguments && !frames[top].inValue {
		p.kind = atArgument
	}
	return p
}

// commandPlace is the place in a command of the prompt.
func commandPlace(input string) (place, bool) {
	trimmed := strings.TrimLeft(input, " \t")
	if trimmed == "." {
		return place{kind: atCommand}, true
	}
	name, rest, ok := command(input)
	switch {
	case !ok:
		return place{}, false
	case rest == "":
		return place{kind: atCommand, prefix: name}, true
	}
	return place{kind: atFile, of: name, prefix: strings.TrimLeft(rest, " \t")}, true
}

// framesOf are the brackets that are open after tokens.
func framesOf(tokens []token) []frame {
	var frames []frame
	var before [3]token // the significant ones before
	for _, t := range tokens {
		if t.kind == space || t.kind == comment {
			continue
		}
		opens := t.kind == mark && strings.Contains("([{", t.text) || t.kind == template && strings.HasSuffix(t.text, "${")
		closes := t.kind == mark && strings.Contains(")]}", t.text) || t.kind == template && strings.HasPrefix(t.text, "}")
		if closes && len(frames) > 0 {
			frames = frames[:len(frames)-1]
		}
		if n := len(frames) - 1; n >= 0 && !closes {
			if f := &frames[n]; opens {
				f.filled = f.filled || f.bracket != "("
			} else {
				f.token(t)
			}
		}
		if opens {
			next := frame{bracket: t.text}
			switch n := len(frames) - 1; {
			case t.text == "(" && before[2].kind == word && before[1].text == "." && before[0].text == "tools":
				next.tool = before[2].text
			case t.text == "{" && n >= 0 && frames[n].bracket == "(" && frames[n].tool != "" && !frames[n].filled:
				next.tool, next.arguments = frames[n].tool, true
			}
			if n := len(frames) - 1; n >= 0 {
				frames[n].filled = true
			}
			frames = append(frames, next)
		}
		before = [3]token{before[1], before[2], t}
	}
	return frames
}

// token notes what stands directly in a bracket.
func (f *frame) token(t token) {
	f.filled = true
	if !f.arguments {
		return
	}
	switch {
	case t.text == ",":
		if f.last != "" {
			f.given = append(f.given, f.last) // {path} for {path: path}
		}
		f.inValue, f.key, f.last = false, "", ""
	case f.inValue:
	case t.text == ":":
		f.inValue, f.key, f.last = true, f.last, ""
		f.given = append(f.given, f.key)
	case t.kind == word:
		f.last = t.text
	case t.kind == text:
		f.last = strings.Trim(t.text, `'"`)
	}
}

// prototypes are what the members of literals come from.
var prototypes = map[kind]string{text: "String.prototype", template: "String.prototype", regex: "RegExp.prototype"}

// valueBefore is the name of the value at the end of tokens, if it has one that
// can be looked up without running anything.
func valueBefore(tokens []token) (name string, ok bool) {
	var parts []string
	for {
		n := len(tokens)
		if n == 0 {
			return "", false
		}
		switch t := tokens[n-1]; {
		case t.kind == word && t.text == "this" || t.kind == word && t.text == "globalThis":
			return strings.Join(parts, "."), true
		case t.kind == word && (!keywords[t.text] || isMember(tokens)):
			parts = append([]string{t.text}, parts...)
			tokens = tokens[:n-1]
		case prototypes[t.kind] != "" && !t.open && !strings.HasPrefix(t.text, "}"):
			return strings.Join(append([]string{prototypes[t.kind]}, parts...), "."), true
		case t.text == "]" && n > 3 && tokens[n-2].kind == number && tokens[n-3].text == "[":
			parts = append([]string{tokens[n-2].text}, parts...)
			tokens = tokens[:n-3]
			if last := tokens[len(tokens)-1]; last.kind != word && last.text != "]" {
				return "", false
			}
			continue
		default:
			return "", false
		}
		if !endsWithDot(tokens) {
			return strings.Join(parts, "."), true
		}
		tokens = tokens[:len(tokens)-1]
	}
}

func isMember(tokens []token) bool { return endsWithDot(tokens[:len(tokens)-1]) }

func endsWithDot(tokens []token) bool {
	n := len(tokens)
	return n > 0 && (tokens[n-1].text == "." || tokens[n-1].text == "?.")
}
