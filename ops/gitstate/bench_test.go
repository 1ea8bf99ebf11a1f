package gitstate

import (
	"context"
	"testing"
	"time"
)

func BenchmarkClassify(b *testing.B) {
	ctx := context.Background()
	small := newWorld(b, "repo proj")
	large := newWorld(b, `git init -q proj; cd proj
		b=e69de29bb2d1d6434b8b29ae775ad8c2e48c5391
		for d in $(seq -w 0 99); do for f in $(seq -w 0 999); do printf '100644 %s\tsome/directory-%s/that-has-a/rather-long-name/file-%s.go\n' $b $d $f; done; done | git update-index --index-info
		mkdir -p some/directory-50`)
	for _, c := range []struct {
		name string
		w    *world
		path string
	}{{"small", small, "proj/sub/u"}, {"large", large, "proj/some/directory-50x"}} {
		path, from := c.w.path(c.path), c.w.path("proj")
		b.Run(c.name+"/first", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if v := New(Options{}).Classify(ctx, path, false, from); v != (Verdict{Repository: from}) {
					b.Fatalf("%+v", v)
				}
			}
		})
		in := New(Options{})
		in.Classify(ctx, path, false, from)
		b.Run(c.name+"/fresh", func(b *testing.B) { // the index was changed in the last seconds
			for b.Loop() {
				in.slots[slotKey{c.w.path("proj/.git/index"), "sha1"}].inputs[0].settled = false
				in.Classify(ctx, path, false, from)
			}
		})
		for _, i := range in.slots[slotKey{c.w.path("proj/.git/index"), "sha1"}].inputs {
			for !i.settled {
				time.Sleep(100 * time.Millisecond)
				i.same()
			}
		}
		b.Run(c.name+"/kept", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in.Classify(ctx, path, false, from)
			}
		})
	}
}
