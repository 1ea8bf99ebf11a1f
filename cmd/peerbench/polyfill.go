package main

// polyfillBenches are about what a script pays for the built-ins that the engine
// lacks. pi-codemode has none of them beyond its engine's, so that only scripts
// of ours are compared: against one that mentions none.
func polyfillBenches() []bench {
	const (
		none   = "return 1"
		common = "void [structuredClone, URL, TextEncoder, AbortController]; return Object.groupBy([1, 2], (x) => x)[1][0]"
		all    = "return eval('1')" // what eval is given cannot be seen, so everything is made
	)
	const first = "a run whose child is started for it, and so has compiled none of the parts; the script mentions "
	const later = "a run in this process, which has compiled the parts before, mean of 20; the script mentions "
	const (
		someNames = "structuredClone, URL, TextEncoder, AbortController and Object.groupBy"
		allNames  = "eval, for which all parts are made"
	)
	return []bench{{
		name: "polyfills, new process",
		unit: millis,
		sides: []side{
			oursSide("none", first+"none", cold, oneRun(millis, always(none))),
			oursSide("common", first+someNames, cold, oneRun(millis, always(common))),
			oursSide("all", first+allNames, cold, oneRun(millis, always(all))),
		},
		pairs: []pair{{ours: "common", peer: "none"}, {ours: "all", peer: "none"}},
	}, {
		name: "polyfills, in-process",
		unit: millis,
		sides: []side{
			oursSide("none", later+"none", nil, manyRuns(millis, 20, always(none))),
			oursSide("common", later+someNames, nil, manyRuns(millis, 20, always(common))),
			oursSide("all", later+allNames, nil, manyRuns(millis, 20, always(all))),
		},
		pairs: []pair{{ours: "common", peer: "none"}, {ours: "all", peer: "none"}},
	}}
}
