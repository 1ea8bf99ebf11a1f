package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A site is where a piece of work finds and leaves what it works on.
type site struct {
	from, to *volume
	tree     func(*lab) tree
}

// here is a site on one volume.
func here(k kind, t func(*lab) tree) func(*lab) (site, error) { return across(k, k, t) }

func across(from, to kind, t func(*lab) tree) func(*lab) (p site, err error) {
	return func(l *lab) (p site, err error) {
		p.tree = t
		if p.from, err = l.volume(from); err != nil {
			return p, err
		}
		p.to, err = l.volume(to)
		return p, err
	}
}

func (p site) settle(l *lab) error {
	if err := p.from.settle(l.ctx); err != nil || p.to == p.from {
		return err
	}
	return p.to.settle(l.ctx)
}

// copySide copies a tree that is laid out once. What a copy leaves is removed,
// and what it made counted, before the next sample.
func copySide(t tool, at func(*lab) (site, error), before func(*lab) error) side {
	return side{name: t.name, does: t.does, ours: t.ours, open: func(l *lab) (*sampler, error) {
		run, err := t.open(l)
		if err != nil {
			return nil, err
		}
		p, err := at(l)
		if err != nil {
			return nil, err
		}
		source, entries, err := p.from.master(p.tree(l))
		if err != nil {
			return nil, err
		}
		target := filepath.Join(p.to.project, "copy")
		return &sampler{sample: func() (took float64, err error) {
			defer os.RemoveAll(target)
			if err := p.settle(l); err != nil {
				return 0, err
			}
			if before != nil {
				if err := before(l); err != nil {
					return 0, err
				}
			}
			if took, err = run(p.to.project, source, target); err != nil {
				return 0, err
			}
			return took, holds(target, entries)
		}}, nil
	}}
}

// removeSide removes a tree that is laid out for it.
func removeSide(t tool, at func(*lab) (site, error)) side {
	return side{name: t.name, does: t.does, ours: t.ours, open: func(l *lab) (*sampler, error) {
		run, err := t.open(l)
		if err != nil {
			return nil, err
		}
		p, err := at(l)
		if err != nil {
			return nil, err
		}
		target := filepath.Join(p.from.project, "old")
		return &sampler{sample: func() (took float64, err error) {
			defer os.RemoveAll(target)
			if err := p.tree(l).plant(target); err != nil {
				return 0, err
			}
			if err := p.settle(l); err != nil {
				return 0, err
			}
			if took, err = run(p.from.project, target); err != nil {
				return 0, err
			}
			return took, absent(target)
		}}, nil
	}}
}

// removeAheadSide removes trees that are all laid out before the first sample.
func removeAheadSide(t tool, at func(*lab) (site, error)) side {
	return side{name: t.name, does: t.does + "; all trees were laid out before", ours: t.ours, open: func(l *lab) (*sampler, error) {
		run, err := t.open(l)
		if err != nil {
			return nil, err
		}
		p, err := at(l)
		if err != nil {
			return nil, err
		}
		next := 0
		name := func(n int) string {
			return filepath.Join(p.from.project, fmt.Sprintf("%s-%d", filepath.Base(t.name), n))
		}
		for n := range l.samples {
			if err := p.tree(l).plant(name(n)); err != nil {
				return nil, err
			}
			if err := l.ctx.Err(); err != nil {
				return nil, err
			}
		}
		return &sampler{sample: func() (float64, error) {
			target := name(next)
			next++
			if err := p.settle(l); err != nil {
				return 0, err
			}
			took, err := run(p.from.project, target)
			if err != nil {
				return 0, err
			}
			return took, absent(target)
		}}, nil
	}}
}

// moveSide moves a tree. On one volume it goes to and fro; with replace there is
// always the one of the sample before at the target.
func moveSide(t tool, at func(*lab) (site, error), replace bool) side {
	return side{name: t.name, does: t.does, ours: t.ours, open: func(l *lab) (*sampler, error) {
		run, err := t.open(l)
		if err != nil {
			return nil, err
		}
		p, err := at(l)
		if err != nil {
			return nil, err
		}
		source, target := filepath.Join(p.from.project, t.name+" source"), filepath.Join(p.to.project, t.name+" target")
		remove := func() { os.RemoveAll(source); os.RemoveAll(target) }
		plots := []string{source}
		if replace {
			plots = append(plots, target)
		}
		sample := func() (took float64, err error) {
			for _, plot := range plots {
				if absent(plot) != nil {
					continue
				}
				if err := p.tree(l).plant(plot); err != nil {
					return 0, err
				}
			}
			entries, err := count(source)
			if err != nil {
				return 0, err
			}
			if err := p.settle(l); err != nil {
				return 0, err
			}
			if took, err = run(p.from.project, source, target); err != nil {
				return 0, err
			}
			if err := errors.Join(absent(source), holds(target, entries)); err != nil {
				return 0, err
			}
			switch {
			case replace:
			case p.from == p.to:
				source, target = target, source
				plots[0] = source
			default:
				return took, os.RemoveAll(target)
			}
			return took, nil
		}
		return &sampler{sample: sample, close: remove}, nil
	}}
}

// holds makes sure that work was done, and not only fast.
func holds(dir string, entries int) error {
	n, err := count(dir)
	if err == nil && n != entries {
		err = fmt.Errorf("%d entries came of %d", n, entries)
	}
	return err
}

func absent(path string) error {
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		return fmt.Errorf("%s is still there", filepath.Base(path))
	}
	return nil
}
