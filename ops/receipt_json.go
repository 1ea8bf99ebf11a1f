package ops

import "codemode/ops/plain"

// AppendJSON appends the receipt with the meaning that encoding/json would give
// it, in a fraction of the time: every call writes its receipt twice, into the
// journal and to whoever made it.
func (r *Receipt) AppendJSON(dst []byte) ([]byte, error) {
	w := plain.Begin(dst)
	w.String("kind", r.Kind)
	w.Int("seq", int64(r.Seq))
	w.String("operation", string(r.Operation))
	w.Bool("ok", r.OK)
	w.String("effect", string(r.Effect))
	w.String("path", string(r.Path))
	w.StringIf("target", string(r.Target))
	w.StringIf("resolvedPath", string(r.ResolvedPath))
	w.StringIf("resolvedTarget", string(r.ResolvedTarget))
	w.StringIf("sourceKind", r.SourceKind)
	if r.Error != nil {
		w.Any("error", r.Error)
	}
	if len(r.Approvals) > 0 {
		w.Any("approvals", r.Approvals)
	}
	if r.Replaced != nil {
		w.Any("replaced", r.Replaced)
	}
	w.Int("entries", r.Entries)
	w.Int("bytes", r.Bytes)
	w.StringIf("diff", string(r.Diff))
	if r.Evidence != nil {
		w.Any("evidence", r.Evidence)
	}
	w.Time("startedAt", r.StartedAt)
	w.Decimal("durationMs", r.DurationMs)
	return w.End()
}

// AppendJSON appends the record like [Receipt.AppendJSON].
func (s *started) AppendJSON(dst []byte) ([]byte, error) {
	w := plain.Begin(dst)
	w.String("type", s.Type)
	w.Time("time", s.Time)
	w.Int("seq", int64(s.Seq))
	w.String("operation", string(s.Operation))
	w.String("path", string(s.Path))
	w.StringIf("target", string(s.Target))
	w.String("sourceKind", s.Kind)
	w.Int("entries", s.Entries)
	w.Int("bytes", s.Bytes)
	w.StringIf("hidden", s.Hidden)
	w.String("object", s.Object)
	w.StringIf("replaces", s.Replaces)
	w.StringIf("parent", string(s.Parent))
	return w.End()
}

// AppendJSON appends the record like [Receipt.AppendJSON].
func (f *finished) AppendJSON(dst []byte) ([]byte, error) {
	w := plain.Begin(dst)
	w.String("type", f.Type)
	w.Time("time", f.Time)
	w.Append("receipt", f.Receipt.AppendJSON)
	return w.End()
}
