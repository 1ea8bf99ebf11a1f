package fsys

// Straight is the short way of [Root.ResolveNear], or nil.
func (r *Root) Straight(path string, near *Place) *Place { return r.straight(path, near) }

// LongWay is [Root.Resolve] without the short one.
func (r *Root) LongWay(path string) (*Place, error) { return r.resolve(path, false) }
