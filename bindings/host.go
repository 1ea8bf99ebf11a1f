package bindings

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"codemode/ops"
	"codemode/ops/plain"
	"codemode/runtime"
)

// host is what a script can reach: the tools of one session and one store. It
// keeps the receipts of its own run, since a session may serve several.
type host struct {
	session *ops.Session
	store   *Store
	clocks  clocks
	abandon <-chan struct{}
	script  string // the name of the script
	path    string // the file that it is, if any
	modules fs.FS  // where its imports are found; nil: in the project

	mu       sync.Mutex
	sealed   bool
	busy     chan struct{} // closed when the call in flight has ended; nil when there is none
	receipts []ops.Receipt
}

// Tools implements [runtime.Host].
func (h *host) Tools() []runtime.Tool { return toolList() }

// Store implements [runtime.Host].
func (h *host) Store(key string, value []byte) error { return h.store.Set(key, value) }

// Load implements [runtime.Host].
func (h *host) Load(key string) ([]byte, bool) { return h.store.Get(key) }

// Call implements [runtime.Host].
func (h *host) Call(ctx context.Context, c runtime.Call) runtime.Result {
	if !h.enter() {
		// An abandoned run hands its report over at once. What has not begun by
		// then must not begin behind its back.
		return refused(c.Name, &ops.Error{Code: ops.Aborted, Message: "cancelled before anything was changed"}, c.Args)
	}
	defer h.leave()
	ctx, cancel := h.context(ctx)
	defer cancel()
	if op := ops.Operation(c.Name); slices.Contains(ops.Operations, op) {
		receipt := h.session.Call(ctx, op, c.Args, c.Problem)
		h.keep(receipt)
		return receiptResult(receipt)
	}
	value, err := h.session.Query(ctx, c.Name, c.Args, c.Problem)
	if err != nil {
		return refused(c.Name, err, c.Args)
	}
	return runtime.Result{Value: value}
}

// context is that of one call. When the run has been abandoned it is done
// already: the operation in flight may have ended because of that, and the next
// must not begin before the runtime has noticed.
func (h *host) context(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(h.clocks.within(ctx))
	select {
	case <-h.abandon:
		cancel()
	default:
	}
	return ctx, cancel
}

func (h *host) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sealed {
		return false
	}
	h.busy = make(chan struct{})
	return true
}

func (h *host) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.busy)
	h.busy = nil
}

func (h *host) keep(r ops.Receipt) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.receipts = append(h.receipts, r)
}

// seal lets no further call in. The channel is closed when the call in flight
// has ended; it is nil when there is none.
func (h *host) seal() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sealed = true
	return h.busy
}

// taken returns the receipts of this run, never nil.
func (h *host) taken() []ops.Receipt {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]ops.Receipt{}, h.receipts...)
}

// receiptResult hands a receipt to the script: as a value when the operation was
// done, else as an OperationError that carries it.
func receiptResult(r ops.Receipt) runtime.Result {
	data, err := r.AppendJSON(make([]byte, 0, 512))
	if err != nil { // cannot be, but what was done must not be reported as undone
		return runtime.Result{Err: &runtime.CallError{Message: "the receipt cannot be written: " + err.Error()}}
	}
	if r.OK {
		return runtime.Result{Value: data}
	}
	props := errorProps{
		Code: r.Error.Code, Effect: r.Effect, Operation: string(r.Operation), Path: r.Path, Target: r.Target, Receipt: data,
	}
	return runtime.Result{Err: props.callError(r.Error.Message)}
}

// refused hands the error of a call that has no receipt to the script. Nothing
// of the kind has changed anything.
func refused(tool string, err error, args []byte) runtime.Result {
	props := errorProps{Code: "EIO", Effect: ops.NotApplied, Operation: tool, Path: pathIn(args)}
	var failed *ops.Error
	if errors.As(err, &failed) {
		props.Code = failed.Code
	}
	return runtime.Result{Err: props.callError(err.Error())}
}

// errorProps are the properties of an OperationError.
type errorProps struct {
	Code      ops.Code        `json:"code"`
	Effect    ops.Effect      `json:"effect"`
	Operation string          `json:"operation"`
	Path      plain.Text      `json:"path,omitempty"`
	Target    plain.Text      `json:"target,omitempty"`
	Receipt   json.RawMessage `json:"receipt,omitempty"`
}

func (p errorProps) callError(message string) *runtime.CallError {
	data, err := json.Marshal(p)
	if err != nil {
		return &runtime.CallError{Message: message}
	}
	return &runtime.CallError{Message: message, Props: data}
}

// pathIn is the path in arguments, as it was given, or "".
func pathIn(args []byte) plain.Text {
	v, err := plain.Parse(args)
	if err != nil {
		return ""
	}
	object, ok := v.(*plain.Object)
	if !ok {
		return ""
	}
	path, _ := member(object, "path").(string)
	return plain.Text(path)
}
