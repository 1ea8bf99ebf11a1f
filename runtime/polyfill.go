package runtime

import (
	"embed"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// What the engine lacks is written in JavaScript, in polyfill/. A run gets the
// parts that its sources mention, before any code of its own runs: a script that
// uses none pays nothing, and one that changes built-ins does not change what the
// parts work with. A part is compiled when it is first needed in this process.
//
//go:embed polyfill/*.js
var polyfillFiles embed.FS

// polyfills is a set of parts.
type polyfills uint32

const (
	needGroup polyfills = 1 << iota
	needAsync
	needIterator
	needWeak
	needText
	needException
	needClone
	needEvents
	needURL
	needIntl
	needCompare
	needResizable
	needClock
	needCrypto
	needLegacy
	needProxy
	needDisposable
	needAnnexB
	needRawJSON
	needAny
	needDate

	needIterable // the source has iterators; together with needHelper that is needIterator
	needHelper
	needCustom  // something may say itself how it is shown
	needTimeout // timers are objects

	needAll = needIterable - 1
)

// polyfillParts are the parts in the order in which they are made, with what
// each needs itself.
var polyfillParts = []struct {
	need  polyfills
	needs polyfills
	add   func(s *sandbox)
}{
	{needEvents, needException, nil},
	{needClone, needException, nil},
	{needURL, needText, nil},
	{needText, needException, nil},

	{needException, 0, func(s *sandbox) { s.member(s.part, "DOMException", s.runPart("domexception")) }},
	{needGroup, 0, func(s *sandbox) { s.runPart("group") }},
	{needAsync, 0, func(s *sandbox) { s.runPart("async") }},
	{needIterator, 0, func(s *sandbox) { s.runPart("iterator") }},
	{needWeak, 0, func(s *sandbox) { s.runPart("weak") }},
	{needText, 0, func(s *sandbox) { s.runPart("text") }},
	{needResizable, 0, func(s *sandbox) { s.runPart("resizable") }},
	{needClone, 0, func(s *sandbox) { s.runPart("clone") }},
	{needEvents, 0, func(s *sandbox) { s.runPart("events") }},
	{needURL, 0, func(s *sandbox) {
		s.member(s.part, "searchParams", s.runPart("searchparams"))
		s.member(s.part, "URL", s.runPart("url"))
		s.member(s.part, "URLSearchParams", s.part.Get("searchParams").(*goja.Object).Get("URLSearchParams"))
	}},
	{needCompare, 0, (*sandbox).defineCompare},
	{needIntl, 0, func(s *sandbox) {
		for name, file := range map[string]string{"number": "intl_number", "date": "intl_date", "text": "intl_text"} {
			s.member(s.part, name, s.partFunction(file))
		}
		s.runPart("intl")
	}},
	{needClock, 0, (*sandbox).definePerformance},
	{needCrypto, 0, (*sandbox).defineCrypto},
	{needLegacy, 0, (*sandbox).defineLegacy},
	{needProxy, 0, func(s *sandbox) { s.runPart("proxy") }},
	{needDisposable, 0, func(s *sandbox) { s.runPart("disposable") }},
	{needAnnexB, 0, func(s *sandbox) { s.runPart("annexb") }},
	{needRawJSON, 0, func(s *sandbox) { s.runPart("rawjson") }},
	{needAny, 0, func(s *sandbox) { s.runPart("any") }},
	{needDate, 0, func(s *sandbox) { s.defineDateText() }},
}

// mentions are the words that show what a source needs.
var mentions = sync.OnceValue(func() map[string]polyfills {
	m := map[string]polyfills{}
	for _, e := range []struct {
		need  polyfills
		words string
	}{
		{needGroup, "groupBy sumPrecise isError captureStackTrace stackTraceLimit"},
		{needAsync, "withResolvers fromAsync"},
		{needIterator, "Iterator"},
		{needIterable, "yield values keys entries matchAll iterator"},
		{needHelper, "map filter take drop flatMap reduce toArray forEach some every find"},
		{needWeak, "WeakRef FinalizationRegistry"},
		{needText, "TextEncoder TextDecoder atob btoa isWellFormed toWellFormed"},
		{needException, "DOMException"},
		{needClone, "structuredClone"},
		{needEvents, "EventTarget Event CustomEvent AbortController AbortSignal"},
		{needURL, "URL URLSearchParams"},
		{needIntl, "Intl toLocaleString toLocaleDateString toLocaleTimeString"},
		{needCompare, "localeCompare"},
		{needResizable, "maxByteLength resizable transferToFixedLength detached transfer"},
		{needClock, "performance"},
		{needCrypto, "crypto"},
		{needProxy, "Proxy"},
		{needDate, "Date"},
		{needDisposable, "DisposableStack AsyncDisposableStack SuppressedError"},
		{needAnnexB, "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ getYear setYear toGMTString"},
		{needAnnexB, "anchor big blink bold fixed fontcolor fontsize italics link small strike sub sup"},
		{needRawJSON, "rawJSON isRawJSON"},
		{needTimeout, "unref ref hasRef refresh"},
		{needAll, "eval"}, // whose code is not seen
	} {
		for _, word := range strings.Fields(e.words) {
			m[word] |= e.need
		}
	}
	return m
})

// mentioned is what a word needs, with regard to the word before it.
func mentioned(last, word string) polyfills {
	switch {
	case last == "Promise" && word == "try":
		return needAsync
	case last == "Promise" && word == "any":
		return needAny
	case last == "RegExp" && (word[0] == '$' || legacyNames[word] != ""):
		return needLegacy
	case last == "inspect" && word == "custom":
		return needCustom
	case last == "new" && word == "Function":
		return needAll
	case last == "Object" && mentions()[word] == needIterable: // an array
		return 0
	}
	return mentions()[word]
}

// polyfill makes the parts that are needed and not there yet.
func (s *sandbox) polyfill(needs polyfills) {
	// One file may have the iterator and another use it.
	const helpers = needIterable | needHelper
	const marks = helpers | needCustom | needTimeout
	s.seen |= needs
	if s.seen&helpers == helpers {
		needs |= needIterator
	}
	needs &^= marks | s.made
	if needs == 0 {
		return
	}
	if s.part == nil {
		s.part = s.newPart()
	}
	for _, p := range polyfillParts {
		if needs&p.need != 0 {
			needs |= p.needs &^ s.made
		}
	}
	for _, p := range polyfillParts {
		if needs&p.need != 0 && p.add != nil {
			p.add(s)
		}
	}
	s.made |= needs
}

// newPart makes the object that each part is given.
func (s *sandbox) newPart() *goja.Object {
	part, err := s.partCallable("base")(goja.Undefined())
	throw(err)
	o := part.(*goja.Object)
	add := func(name string, f func(c goja.FunctionCall) goja.Value) { s.member(o, name, s.function(name, 0, f)) }
	add("global", func(c goja.FunctionCall) goja.Value {
		s.global(c.Argument(0).String(), c.Argument(1))
		return goja.Undefined()
	})
	add("kind", func(c goja.FunctionCall) goja.Value {
		object, ok := c.Argument(0).(*goja.Object)
		if !ok {
			return s.ToValue("primitive")
		}
		return s.ToValue(string(s.plainKind(object)))
	})
	add("now", func(goja.FunctionCall) goja.Value { return s.ToValue(s.elapsed()) })
	add("setTimer", func(c goja.FunctionCall) goja.Value {
		return s.setTimer("setTimeout", c.Arguments, false, false)
	})
	add("inspect", func(c goja.FunctionCall) goja.Value { return jsString(s.inspect(c.Argument(0))) })
	add("detach", func(c goja.FunctionCall) goja.Value {
		if buffer, ok := c.Argument(0).Export().(goja.ArrayBuffer); ok {
			buffer.Detach()
		}
		return goja.Undefined()
	})
	add("isDetached", func(c goja.FunctionCall) goja.Value {
		buffer, ok := c.Argument(0).Export().(goja.ArrayBuffer)
		return s.ToValue(ok && buffer.Detached())
	})
	add("decode", s.decodeCall)
	add("encode", s.encodeCall)
	add("zone", s.zoneCall)
	add("localZone", func(goja.FunctionCall) goja.Value { return s.ToValue(s.localZone()) })
	add("collate", s.collateCall)
	add("segments", s.segmentsCall)
	add("toASCII", s.toASCIICall)
	add("custom", func(goja.FunctionCall) goja.Value {
		s.seen |= needCustom
		return goja.Undefined()
	})
	return o
}

// runPart runs one file and returns what it gives.
func (s *sandbox) runPart(name string) goja.Value {
	v, err := s.partCallable(name)(goja.Undefined(), s.part)
	throw(err)
	return v
}

func (s *sandbox) partFunction(name string) goja.Value {
	v, err := s.RunProgram(partProgram(name))
	throw(err)
	return v
}

func (s *sandbox) partCallable(name string) goja.Callable { return callable(s.partFunction(name)) }

var partPrograms sync.Map // of *goja.Program, by name

func partProgram(name string) *goja.Program {
	if p, ok := partPrograms.Load(name); ok {
		return p.(*goja.Program)
	}
	source, err := polyfillFiles.ReadFile("polyfill/" + name + ".js")
	if err != nil {
		panic(err)
	}
	p := goja.MustCompile(preludeName, string(source), true)
	partPrograms.Store(name, p)
	return p
}
