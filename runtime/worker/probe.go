package worker

import "io"

// probes are what the tests of this package have a confined child try instead of
// serving, by mode. A program has none.
var probes = map[string]func(out io.Writer){}
