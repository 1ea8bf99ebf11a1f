package ops

import (
	"iter"
	"slices"
	"strings"
)

// pathTree keeps values by absolute cleaned path, so that what is at and below
// a path is found without a look at everything else: a run may do a hundred
// thousand operations. The zero value is empty.
type pathTree[T any] struct {
	value *T // nil where only deeper paths have one
	below map[string]*pathTree[T]
}

// parts are the components of a path, each with where it ends.
func parts(path string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for from := 1; from < len(path); {
			to := from + strings.IndexByte(path[from:], '/')
			if to < from {
				to = len(path)
			}
			if !yield(path[from:to], to) {
				return
			}
			from = to + 1
		}
	}
}

// put sets the value of a path.
func (t *pathTree[T]) put(path string, value T) {
	for name := range parts(path) {
		next := t.below[name]
		if next == nil {
			if t.below == nil {
				t.below = map[string]*pathTree[T]{}
			}
			next = &pathTree[T]{}
			t.below[name] = next
		}
		t = next
	}
	t.value = &value
}

// at is what is kept at and below a path; empty if nothing is.
func (t *pathTree[T]) at(path string) *pathTree[T] {
	for name := range parts(path) {
		if t = t.below[name]; t == nil {
			return &pathTree[T]{}
		}
	}
	return t
}

// get returns the value of a path.
func (t *pathTree[T]) get(path string) (value T, ok bool) {
	if found := t.at(path).value; found != nil {
		return *found, true
	}
	return value, false
}

// upward yields the path and those around it that have a value, the path first.
func (t *pathTree[T]) upward(path string) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		type stop struct {
			path  string
			value *T
		}
		stops, at := []stop{{"/", t.value}}, t
		for name, end := range parts(path) {
			if at = at.below[name]; at == nil {
				break
			}
			stops = append(stops, stop{path[:end], at.value})
		}
		for _, s := range slices.Backward(stops) {
			if s.value != nil && !yield(s.path, *s.value) {
				return
			}
		}
	}
}

// inside returns one of the values below this one.
func (t *pathTree[T]) inside() (value T, ok bool) {
	for _, next := range t.below {
		if next.value != nil {
			return *next.value, true
		}
		return next.inside() // no branch is empty
	}
	return value, false
}

// all yields every value with its path, for a tree that stands at a path.
func (t *pathTree[T]) all(path string) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) { t.visit(path, yield) }
}

func (t *pathTree[T]) visit(path string, yield func(string, T) bool) bool {
	if t.value != nil && !yield(path, *t.value) {
		return false
	}
	for name, next := range t.below {
		if !next.visit(strings.TrimSuffix(path, "/")+"/"+name, yield) {
			return false
		}
	}
	return true
}

// cut takes a path out, with everything below it if deep, and returns what was
// taken.
func (t *pathTree[T]) cut(path string, deep bool) pathTree[T] {
	type step struct {
		in   *pathTree[T]
		name string
	}
	var way []step
	for name := range parts(path) {
		next := t.below[name]
		if next == nil {
			return pathTree[T]{}
		}
		way = append(way, step{t, name})
		t = next
	}
	taken := pathTree[T]{value: t.value}
	t.value = nil
	if deep {
		taken.below, t.below = t.below, nil
	}
	for _, s := range slices.Backward(way) {
		if t.value != nil || len(t.below) > 0 {
			break
		}
		delete(s.in.below, s.name)
		t = s.in
	}
	return taken
}
