package runtime

// polyfills is a set of what a script needs and the engine lacks.
type polyfills uint32

// mentions are the words that show what a script needs.
var mentions = map[string]polyfills{}

func (s *sandbox) polyfill(needs polyfills) {}
