package repl

import (
	"bytes"
	"io"
	"os"
	"strings"
)

// withoutColours runs f while what goes to standard output loses its colours: the
// library's menu and search have some that no setting takes away.
func withoutColours(f func()) {
	real := os.Stdout
	out, in, err := os.Pipe()
	if err != nil {
		f()
		return
	}
	os.Stdout = in
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(&colourless{to: real}, out) // what cannot be written nobody misses
	}()
	defer func() {
		os.Stdout = real
		in.Close()
		<-copied
		out.Close()
	}()
	f()
}

// colourless passes text on without its colours.
type colourless struct {
	to   io.Writer
	rest []byte // the beginning of a sequence whose end has not come
}

func (c *colourless) Write(text []byte) (int, error) {
	all := append(c.rest, text...)
	c.rest = nil
	var out bytes.Buffer
	for len(all) > 0 {
		at := bytes.IndexByte(all, '\x1b')
		if at < 0 {
			out.Write(all)
			break
		}
		out.Write(all[:at])
		all = all[at:]
		end := 2
		for end < len(all) && (all[end] == ';' || all[end] >= '0' && all[end] <= '9') {
			end++
		}
		switch {
		case len(all) < 2 || all[1] == '[' && end >= len(all):
			c.rest = bytes.Clone(all)
			all = nil
		case all[1] == '[' && all[end] == 'm':
			out.WriteString(effects(string(all[2:end])))
			all = all[end+1:]
		default:
			out.WriteByte(all[0])
			all = all[1:]
		}
	}
	if _, err := c.to.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// effects is what is left of the parameters of a sequence that selects colours and
// effects without the colours.
func effects(parameters string) string {
	var kept []string
	list := strings.Split(parameters, ";")
	for i := 0; i < len(list); i++ {
		switch p := strings.TrimLeft(list[i], "0"); {
		case p == "38" || p == "48":
			i += 2 // 5 and a number; nobody uses the other form here
		case len(p) == 2 && strings.Contains("349", p[:1]) || len(p) == 3:
		default:
			kept = append(kept, list[i])
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(kept, ";") + "m"
}
