package runtime

// words is what the identifiers in a source say about it.
type words struct {
	modern bool // it is TypeScript, a module, or has async iteration: the engine will not parse it
	needs  polyfills
}

// modernWords are found where the engine's parser would fail. One that means
// something else costs the time of a transform, nothing more.
var modernWords = map[string]bool{
	"import": true, "export": true, "interface": true, "enum": true, "namespace": true, "declare": true, "satisfies": true,
	"readonly": true, "implements": true, "abstract": true, "using": true, "accessor": true, "keyof": true, "infer": true,
}

// scanWords looks at every word of a source, in comments and strings too.
func scanWords(source string) words {
	var w words
	last := ""
	for i := 0; i < len(source); {
		if !isWordByte(source[i]) {
			i++
			continue
		}
		start := i
		for i < len(source) && isWordByte(source[i]) {
			i++
		}
		word := source[start:i]
		if modernWords[word] || last == "for" && word == "await" {
			w.modern = true
		}
		w.needs |= mentioned(last, word)
		last = word
	}
	return w
}
