package runtime

import (
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // a sandbox has no files
	"unicode"

	"github.com/dop251/goja"
	"github.com/rivo/uniseg"
	"golang.org/x/net/idna"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// What Intl cannot know in JavaScript: time zones, the order of strings and where
// text breaks.

var fixedZone = onDemand(`^([+-])(\d\d):?(\d\d)$`)

func (s *sandbox) location(name string) *time.Location {
	switch strings.ToUpper(name) {
	case "UTC", "GMT", "ETC/UTC", "ETC/GMT":
		return time.UTC
	case "", "LOCAL":
		if s.job.Script.Deterministic {
			return time.UTC
		}
		return time.Local
	}
	if m := fixedZone().FindStringSubmatch(name); m != nil {
		hours, _ := strconv.Atoi(m[2])
		minutes, _ := strconv.Atoi(m[3])
		seconds := (hours*60 + minutes) * 60
		if m[1] == "-" {
			seconds = -seconds
		}
		return time.FixedZone(m[1]+m[2]+":"+m[3], seconds)
	}
	if len(name) > 64 {
		return nil
	}
	location, err := time.LoadLocation(name)
	if err != nil { // names are the same in any case
		if location, err = time.LoadLocation(zoneCase(name)); err != nil {
			return nil
		}
	}
	return location
}

// zoneCase writes the name of a zone as most are written: America/New_York.
func zoneCase(name string) string {
	b := []byte(strings.ToLower(name))
	for i := range b {
		if (i == 0 || strings.IndexByte("/_-", b[i-1]) >= 0) && b[i] >= 'a' && b[i] <= 'z' {
			b[i] -= 'a' - 'A'
		}
	}
	return string(b)
}

func (s *sandbox) localZone() string {
	name := s.location("Local").String()
	if name == "Local" {
		now := time.Now()
		if _, offset := now.Zone(); offset == 0 {
			return "UTC"
		}
	}
	return name
}

// zoneCall gives the offset in minutes, the abbreviation and the name of a zone.
func (s *sandbox) zoneCall(c goja.FunctionCall) goja.Value {
	location := s.location(c.Argument(1).String())
	if location == nil {
		return goja.Undefined()
	}
	abbreviation, offset := time.UnixMilli(c.Argument(0).ToInteger()).In(location).Zone()
	return s.NewArray(offset/60, abbreviation, location.String())
}

// collators are kept, and used by one goroutine at a time.
var collators = sync.Map{} // of *sync.Pool, by options

func compareStrings(a, b, sensitivity string, numeric bool) int {
	key := sensitivity + strconv.FormatBool(numeric)
	pool, _ := collators.LoadOrStore(key, &sync.Pool{New: func() any {
		var options []collate.Option
		switch sensitivity {
		case "base":
			options = append(options, collate.IgnoreCase, collate.IgnoreDiacritics)
		case "accent":
			options = append(options, collate.IgnoreCase)
		case "case":
			options = append(options, collate.IgnoreDiacritics)
		}
		if numeric {
			options = append(options, collate.Numeric)
		}
		return collate.New(language.English, options...)
	}})
	collator := pool.(*sync.Pool).Get().(*collate.Collator)
	defer pool.(*sync.Pool).Put(collator)
	return collator.CompareString(a, b)
}

func (s *sandbox) collateCall(c goja.FunctionCall) goja.Value {
	a, b := textArgument(c.Argument(0)), textArgument(c.Argument(1))
	if c.Argument(5).ToBoolean() {
		drop := func(r rune) rune {
			if strings.ContainsRune(" \t\n!\"#%&'()*,-./:;?@[\\]_{}", r) {
				return -1
			}
			return r
		}
		a, b = strings.Map(drop, a), strings.Map(drop, b)
	}
	return s.ToValue(compareStrings(a, b, c.Argument(2).String(), c.Argument(3).ToBoolean()))
}

func textArgument(v goja.Value) string {
	if text, ok := v.(goja.String); ok {
		return shownString(text)
	}
	return v.String()
}

// defineCompare gives localeCompare its options, for scripts that use nothing
// else of Intl.
func (s *sandbox) defineCompare() {
	s.hide(s.prototype("String"), "localeCompare", s.function("localeCompare", 1, func(c goja.FunctionCall) goja.Value {
		if goja.IsUndefined(c.This) || goja.IsNull(c.This) {
			s.typeError("String.prototype.localeCompare called on null or undefined")
		}
		sensitivity, numeric := "variant", false
		if options, ok := c.Argument(2).(*goja.Object); ok {
			if v := options.Get("sensitivity"); v != nil && !goja.IsUndefined(v) {
				sensitivity = v.String()
			}
			numeric = options.Get("numeric") != nil && options.Get("numeric").ToBoolean()
		}
		switch sensitivity {
		case "base", "accent", "case", "variant":
		default:
			panic(must(s.New(s.rangeErrorClass, jsString("Value "+sensitivity+" out of range for Intl.Collator options property sensitivity"))))
		}
		return s.ToValue(compareStrings(shownString(s.str(c.This)), shownString(s.str(c.Argument(0))), sensitivity, numeric))
	}))
}

// segmentsCall lists where a text breaks: text, index, and whether it is a word.
func (s *sandbox) segmentsCall(c goja.FunctionCall) goja.Value {
	text, granularity := textArgument(c.Argument(0)), c.Argument(1).String()
	var list []any
	at, state := 0, -1
	for rest := text; rest != ""; {
		var part string
		switch granularity {
		case "word":
			part, rest, state = uniseg.FirstWordInString(rest, state)
		case "sentence":
			part, rest, state = uniseg.FirstSentenceInString(rest, state)
		default:
			part, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		}
		list = append(list, s.NewArray(jsString(part), at, isWordLike(part)))
		at += units(part)
	}
	return s.NewArray(list...)
}

func isWordLike(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// toASCIICall is the ASCII form of a domain, "" where there is none.
func (s *sandbox) toASCIICall(c goja.FunctionCall) goja.Value {
	host := strings.ToLower(textArgument(c.Argument(0)))
	for _, r := range host {
		if r > 127 {
			ascii, err := idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false)).ToASCII(host)
			if err != nil {
				return s.ToValue("")
			}
			return s.ToValue(ascii)
		}
	}
	return s.ToValue(host)
}
