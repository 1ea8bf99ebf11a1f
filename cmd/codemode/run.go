package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/plain"
	"codemode/ops/policy"
	"codemode/ops/wording"
	"codemode/runtime"
)

// defaultMemory bounds what a script may use unless the host says otherwise.
const defaultMemory = 256 << 20

func newRunCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run [flags] SCRIPT|-|-e CODE [ARG...]",
		Short: "Run a script",
		Long: `Run runs a script: JavaScript, the body of an async function, with the functions
of "codemode types" and its arguments in args. It comes from a file, from
standard input (-), from the command line (-e CODE), or with the program: run @
lists those, and @NAME runs one (a file of such a name is ./@NAME).

The script's output and the value it returns go to standard output, what its
operations did, each when it has ended, to standard error; with --json one run
report goes to standard output. Flags may stand anywhere before --; a script's own arguments that start
with a dash stand behind it.`,
		Example: `  codemode run reorganise.js src lib
  codemode run --root . --timeout 60s --json untrusted.js
  codemode run -e 'return (await tools.glob({pattern: "**/*.orig"})).matches'
  echo 'await tools.delete({path: "build"})' | codemode run -
  codemode run tidy.js -- --depth 3
  codemode run @rename -- --dry --to kebab src`,
		ValidArgsFunction: completeScript,
	}
	f := addFlags(cmd)
	f.memory = defaultMemory
	cmd.Flags().Lookup("memory").DefValue = f.memory.String()
	var code string
	cmd.Flags().StringVarP(&code, "eval", "e", "", "run `CODE` instead of a file")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) {
			return errors.New(err.Error() + "; arguments of the script that start with a dash stand behind --")
		}
		return err
	})
	deterministic := false
	cmd.Flags().BoolVar(&deterministic, "deterministic", false, "fix Date, Math.random and the time zone, so that runs are alike")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(cmd); err != nil {
			return err
		}
		if len(args) == 1 && args[0] == builtinMark && !cmd.Flags().Changed("eval") {
			return p.listBuiltins(f)
		}
		script, t, err := p.readScript(cmd, code, args)
		if err != nil {
			return err
		}
		script.Deterministic = deterministic
		return p.runScript(f, script, t)
	}
	return cmd
}

// readScript finds the script among the arguments.
func (p *program) readScript(cmd *cobra.Command, code string, args []string) (runtime.Script, task, error) {
	if cmd.Flags().Changed("eval") {
		return runtime.Script{Name: fromLine, Source: code, Args: args}, task{source: fromLine, script: code, args: args}, nil
	}
	if len(args) == 0 {
		return runtime.Script{}, task{}, misuse("codemode run needs a script: a file, - for standard input, or -e CODE")
	}
	name := args[0]
	if builtin, ok := strings.CutPrefix(name, builtinMark); ok {
		return builtinScript(builtin, args[1:])
	}
	text, err := p.readSource(name)
	if err != nil {
		return runtime.Script{}, task{}, misuse("script %s: %v", policy.Printable(name), reason(err))
	}
	shown := filepath.Base(name)
	if name == fromStdin {
		shown = "stdin.js"
	}
	t := task{source: name, script: text, args: args[1:]}
	if name != fromStdin {
		if t.file, err = filepath.Abs(name); err != nil {
			return runtime.Script{}, task{}, misuse("script %s: %v", policy.Printable(name), err)
		}
	}
	return runtime.Script{Name: shown, Source: text, Args: args[1:]}, t, nil
}

func (p *program) readSource(name string) (string, error) {
	in := p.in
	if name != fromStdin {
		info, err := os.Stat(name)
		if err != nil {
			return "", err
		}
		if info.IsDir() {
			return "", errors.New("it is a directory")
		}
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, runtime.MaxSource+1))
	if err == nil && len(text) > runtime.MaxSource {
		err = errors.New("it is larger than " + wording.Bytes(runtime.MaxSource))
	}
	return string(text), err
}

// runScript runs a script and shows what became of it.
func (p *program) runScript(f *flags, script runtime.Script, t task) error {
	report, err := p.carryOut(f, script, t)
	if err != nil {
		return err
	}
	if f.json {
		if err := p.screen.document(report); err != nil {
			return err
		}
	} else {
		p.showReport(f, report)
	}
	return withStatus(statusOfRun(report))
}

// carryOut runs a script and records it. What it prints and does is shown
// meanwhile.
func (p *program) carryOut(f *flags, script runtime.Script, t task) (r bindings.Report, err error) {
	t.live = !f.json && !f.quiet
	h, err := p.openHost(f, t)
	if err != nil {
		return r, err
	}
	defer h.close()
	o := bindings.Options{
		Script: script, Timeout: time.Duration(f.timeout), Memory: int64(f.memory), Abandon: h.stop.abandon, RunID: h.journal.id, Path: t.file, Modules: t.modules, Engine: h.engine,
	}
	if !f.json {
		o.OnOutput = p.showOutput
	}
	r = bindings.Run(h.ctx, h.session, o)
	h.end(p, r)
	return r, nil
}

// showOutput prints a piece of output when the script makes it.
func (p *program) showOutput(o runtime.Output) {
	switch {
	case o.Type == runtime.OutputImage:
		p.screen.note("[an image, " + policy.Printable(o.MimeType) + ", which --json contains]")
	default:
		p.screen.script(o.Text, o.Stream == "stderr")
	}
}

// showReport prints what a run came to, its output and operations excepted.
func (p *program) showReport(f *flags, r bindings.Report) {
	if text := shownValue(r.Value); text != "" {
		p.screen.script(text, false)
	}
	if !f.quiet && len(r.Operations) > 1 {
		p.screen.note(wording.Tally(r.Operations))
	}
	if r.Error != nil {
		p.screen.runError(r.Error, !f.quiet && refusedBy(r) != nil)
	}
}

// runError says why a run is not ok, with the script's own frames. A refusal
// that was shown with its operation is not said twice.
func (s *screen) runError(e *runtime.Error, shown bool) {
	what := map[string]string{
		runtime.KindScript:  "the script failed",
		runtime.KindTimeout: "the deadline passed",
		runtime.KindAborted: "cancelled",
		runtime.KindMemory:  "the memory limit was reached",
		runtime.KindOutput:  "the output limit was reached",
		runtime.KindSandbox: "the script engine failed",
	}[e.Kind]
	message := tame(e.Message)
	if shown {
		message = "it did not handle that an operation failed, see above; nothing was tried after it"
	}
	s.complain(what + ": " + message)
	s.frames(e.Stack)
}

// frames shows where an error came from.
func (s *screen) frames(stack string) {
	for _, frame := range strings.Split(strings.TrimRight(stack, "\n"), "\n") {
		if frame = strings.TrimSpace(tame(frame)); strings.HasPrefix(frame, "at ") {
			s.advise("    " + frame)
		}
	}
}

// shownValue is how a returned value is printed: a string as it is, nothing
// for null, and anything else as JSON.
func shownValue(value json.RawMessage) string {
	if v, err := plain.Parse(value); err == nil {
		switch v := v.(type) {
		case nil:
			return ""
		case string:
			return v
		}
	}
	var b bytes.Buffer
	if json.Indent(&b, value, "", "  ") != nil {
		return string(value)
	}
	return b.String()
}

// statusOfRun is the exit status for a run. A script that a refusal ended is
// itself refused only if it had changed nothing before.
func statusOfRun(r bindings.Report) int {
	changed := false
	for _, op := range r.Operations {
		if op.Effect == ops.Unknown {
			return statusUnknown
		}
		changed = changed || op.Effect == ops.Applied
	}
	switch {
	case r.OK || r.Error == nil:
		return statusOK
	case r.Error.Kind == runtime.KindTimeout:
		return statusDeadline
	case r.Error.Kind == runtime.KindAborted:
		return statusCancelled
	case r.Error.Kind != runtime.KindScript:
		return statusFailed
	}
	if op := refusedBy(r); op != nil && !changed {
		return statusRefused
	}
	return statusFailed
}

// refusedBy is the operation whose failure ended the script, if one did: the
// script's error then has the operation's message for its own.
func refusedBy(r bindings.Report) *ops.Receipt {
	if r.Error == nil || r.Error.Kind != runtime.KindScript {
		return nil
	}
	for i := range r.Operations {
		if op := &r.Operations[i]; op.Error != nil && op.Error.Message == r.Error.Message {
			return op
		}
	}
	return nil
}
