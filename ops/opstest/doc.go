// Package opstest holds the engine to its contract. A vector is one behaviour
// in one file: how the disk looks before, what the host allows, the calls,
// what their receipts say, and how the disk looks after. The same vectors run
// through every route that a call can take; each route's tests hand a [Route]
// to [Run].
package opstest
