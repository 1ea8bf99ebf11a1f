package fsys

// Straight is the short way of [Root.Resolve], or nil.
func (r *Root) Straight(path string) *Place { return r.straight(path) }

// LongWay is [Root.Resolve] without the short one.
func (r *Root) LongWay(path string) (*Place, error) { return r.resolve(path, false) }
