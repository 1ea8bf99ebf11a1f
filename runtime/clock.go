package runtime

import (
	"crypto/rand"
	"fmt"
	"math"
	mathrand "math/rand/v2"
	"time"

	"github.com/dop251/goja"
)

// A clock is what the script takes for time and chance.
type clock struct {
	start  time.Time         // of the run
	fixed  time.Duration     // of a deterministic run: how far its own clock has gone
	chance *mathrand.ChaCha8 // of a deterministic run
}

// deterministicStart is when every deterministic run begins.
var deterministicStart = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

const (
	deterministicStep = time.Millisecond // by how much each look at the clock moves it
	deterministicSeed = "codemode: the same each time, 32 b"
)

// defineClock makes time and chance those of the run.
func (s *sandbox) defineClock() {
	s.clock.start = time.Now()
	if !s.job.Script.Deterministic {
		return
	}
	s.clock.start = deterministicStart
	s.clock.chance = mathrand.NewChaCha8([32]byte([]byte(deterministicSeed)[:32]))
	source := mathrand.New(s.clock.chance)
	s.SetRandSource(source.Float64)
	s.SetTimeSource(s.now)
	s.utcDates()
}

// now is the time of the run. That of a deterministic run moves with each look at
// it and with each timer, so that whoever waits for it does not wait for ever.
func (s *sandbox) now() time.Time {
	if !s.job.Script.Deterministic {
		return time.Now()
	}
	s.clock.fixed += deterministicStep
	return s.clock.start.Add(s.clock.fixed)
}

// passed moves the clock of a deterministic run by the delay of a timer.
func (s *sandbox) passed(d time.Duration) { s.clock.fixed += d }

// elapsed is performance.now.
func (s *sandbox) elapsed() float64 {
	if s.job.Script.Deterministic {
		return float64(s.now().Sub(s.clock.start)) / float64(time.Millisecond)
	}
	return math.Floor(float64(time.Since(s.clock.start))/1000) / 1000
}

func (s *sandbox) definePerformance() {
	performance := s.NewObject()
	s.member(performance, "now", s.function("now", 0, func(goja.FunctionCall) goja.Value { return s.ToValue(s.elapsed()) }))
	s.member(performance, "timeOrigin", s.ToValue(float64(s.clock.start.UnixMicro())/1000))
	noop := func(name string) {
		s.member(performance, name, s.function(name, 1, func(c goja.FunctionCall) goja.Value { return goja.Undefined() }))
	}
	noop("mark")
	noop("measure")
	s.member(performance, "toJSON", s.function("toJSON", 0, func(goja.FunctionCall) goja.Value {
		o := s.NewObject()
		s.member(o, "timeOrigin", s.ToValue(float64(s.clock.start.UnixMicro())/1000))
		return o
	}))
	s.global("performance", performance)
}

// random fills b.
func (s *sandbox) random(b []byte) {
	if s.clock.chance != nil {
		s.clock.chance.Read(b)
		return
	}
	rand.Read(b)
}

func (s *sandbox) defineCrypto() {
	crypto := s.NewObject()
	s.member(crypto, "randomUUID", s.function("randomUUID", 0, func(goja.FunctionCall) goja.Value {
		var b [16]byte
		s.random(b[:])
		b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
		return s.ToValue(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]))
	}))
	s.member(crypto, "getRandomValues", s.function("getRandomValues", 1, func(c goja.FunctionCall) goja.Value {
		o, _ := c.Argument(0).(*goja.Object)
		if o == nil || kindOf(o) != kindTypedArray {
			s.typeError("getRandomValues: the argument must be an integer typed array")
		}
		switch o.Export().(type) {
		case []float32, []float64:
			s.typeError("getRandomValues: the argument must be an integer typed array")
		}
		buffer, _ := o.Get("buffer").Export().(goja.ArrayBuffer)
		offset, length := int(o.Get("byteOffset").ToInteger()), int(o.Get("byteLength").ToInteger())
		bytes := buffer.Bytes()
		if length > 65536 || offset < 0 || length < 0 || offset+length > len(bytes) {
			panic(must(s.New(s.rangeErrorClass, jsString("getRandomValues: at most 65536 bytes at once"))))
		}
		s.random(bytes[offset : offset+length])
		return o
	}))
	s.global("crypto", crypto)
}

// symbols that the engine lacks. Code that esbuild lowered looks for them.
func (e *engine) defineSymbols() {
	symbol := e.object("Symbol")
	for _, name := range []string{"asyncIterator", "dispose", "asyncDispose"} {
		throw(symbol.DefineDataProperty(name, goja.NewSymbol("Symbol."+name), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	}
}

// utcDates makes UTC the local time, which in the engine is that of the process.
func (s *sandbox) utcDates() {
	for _, month := range []time.Month{time.January, time.July} {
		if _, offset := time.Date(2025, month, 1, 0, 0, 0, 0, time.Local).Zone(); offset != 0 {
			if s.part == nil {
				s.part = s.newPart()
			}
			s.runPart("utc")
			return
		}
	}
}
