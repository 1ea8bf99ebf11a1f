package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
	"codemode/runtime"
	"codemode/scripts"
)

func newDemoCommand(p *program) *cobra.Command {
	var clean bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Watch a script reorganise a Git repository made for it",
		Long: `Demo makes a Git repository in a temporary folder and runs a script on it: with
operations that just happen, some that ask (the demo answers, and says so), and
some that are refused. It ends with the journal. Nothing outside its folder is
touched. It needs git.`,
		Example: `  codemode demo
  codemode demo --clean      remove the folder afterwards`,
		Args: exactly(0, "no arguments"),
	}
	cmd.Flags().BoolVar(&clean, "clean", false, "remove the temporary folder at the end")
	cmd.RunE = func(*cobra.Command, []string) error { return p.demo(clean) }
	return cmd
}

// demoPlan is what has to come of the demonstration, operation by operation.
var demoPlan = [...]struct {
	op      ops.Operation
	path    string
	outcome string
}{
	{ops.Delete, "README.md.orig", "applied"},
	{ops.Delete, "src/app.js.orig", "applied"},
	{ops.Delete, "build", "applied"},
	{ops.Delete, "docs/latest", "applied"},
	{ops.Copy, "current", "applied"},
	{ops.Copy, "docs/guide.md", "applied"},
	{ops.Move, "notes", "applied"},
	{ops.Move, "src/util", "applied"},
	{ops.Delete, "src/legacy", "applied"},
	{ops.Delete, "third_party/widget", string(ops.NotApproved)},
	{ops.Delete, "test/fixtures", string(ops.HookDenied)},
	{ops.Delete, ".git", string(ops.ProtectedTarget)},
}

// demo shows everything once. It fails if anything comes out otherwise than
// planned.
func (p *program) demo(clean bool) (err error) {
	if !operable {
		return failure("the demo changes files, which is refused on this platform as yet: see codemode version -v")
	}
	if _, err := exec.LookPath("git"); err != nil {
		return failure("the demo makes a Git repository and needs the git program, which is not installed or not in PATH")
	}
	folder, err := demoFolder()
	if err != nil {
		return failure("the demo's folder: %w", err)
	}
	defer func() {
		if clean {
			if gone := os.RemoveAll(folder); gone != nil && err == nil {
				err = failure("the demo's folder: %w", gone)
			}
		}
	}()
	d := &demonstration{program: p.inside(folder), project: filepath.Join(folder, "shop")}
	if err := makeDemoProject(d.project, filepath.Join(folder, "home")); err != nil {
		return failure("the demo's project could not be made: %w", err)
	}
	if err := d.show(folder); err != nil {
		return err
	}
	if clean {
		p.screen.say("\nThe folder " + policy.Printable(folder) + " is removed again. Next: codemode run --help")
		return nil
	}
	d.title("Try it yourself")
	p.screen.say("The project, the script and the journal are in " + policy.Printable(folder) + "\n" +
		"Remove that folder when you have seen enough.\n\n" + demoNext(d.project))
	return nil
}

// demoNext are the first things to try, in the project of the demonstration.
func demoNext(project string) string {
	return "  cd " + quoted(project) + `
  codemode delete debug.log       Git ignores it: nobody is asked
  codemode delete docs/archive    new, Git does not know it: nobody is asked
  codemode delete src             Git tracks it: you are asked
  codemode run -e 'return await tools.glob({pattern: "**/*.js"})'
  codemode log                    what these did
  codemode types                  all that a script can call`
}

// quoted is a word for a shell.
func quoted(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// demoFolder makes the temporary folder, named without links.
func demoFolder() (string, error) {
	folder, err := os.MkdirTemp("", "codemode-demo-")
	if err != nil {
		return "", err
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return "", err
	}
	for _, name := range []string{"shop", "home", "state", "config"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// inside is the same program for a person whose home, configuration and
// journals are in folder.
func (p *program) inside(folder string) *program {
	env := environment{"HOME=" + filepath.Join(folder, "home"), "XDG_STATE_HOME=" + filepath.Join(folder, "state"), "XDG_CONFIG_HOME=" + filepath.Join(folder, "config")}
	return &program{in: strings.NewReader(""), env: append(env, p.env...), screen: p.screen}
}

type demonstration struct {
	*program
	project string
}

func (d *demonstration) show(folder string) error {
	s := d.screen
	d.title("A project, in " + d.project)
	if err := d.list(); err != nil {
		return err
	}
	script := filepath.Join(folder, "demo.js")
	if err := os.WriteFile(script, []byte(scripts.Demo), 0o644); err != nil {
		return failure("the demo's script: %w", err)
	}
	d.title("A script, " + script)
	for _, line := range strings.Split(strings.TrimRight(scripts.Demo, "\n"), "\n") {
		s.say(strings.TrimRight("  "+line, " "))
	}
	d.title("It reorganises the project: codemode run " + script)
	report, err := d.carryOut(&flags{cwd: d.project, quiet: true, memory: defaultMemory, approve: choice{value: "ask"}},
		runtime.Script{Name: "demo.js", Source: scripts.Demo},
		task{source: script, script: scripts.Demo, approve: d.answer})
	if err != nil {
		return err
	}
	if text := shownValue(report.Value); text != "" {
		s.script(text, false)
	}
	if report.Error != nil {
		s.runError(report.Error, false)
	}
	d.title("What it did, operation by operation, as codemode log last shows it")
	state, err := d.env.stateDir()
	if err != nil {
		return failure("%w", err)
	}
	if err := d.logRun(state, "last", false); err != nil {
		return err
	}
	d.title("The project now")
	if err := d.list(); err != nil {
		return err
	}
	if err := d.check(report); err != nil {
		return failure("the demo did not go as planned: %w\nplease report this, with what stands above and codemode version -v", err)
	}
	return nil
}

func (d *demonstration) title(text string) {
	d.screen.say("\n" + d.screen.paint(bold, "== "+policy.Printable(text), d.screen.outTTY))
}

func (d *demonstration) list() error {
	lines, err := demoListing(d.project)
	if err != nil {
		return failure("the demo's project: %w", err)
	}
	for _, line := range lines {
		d.screen.say(line)
	}
	return nil
}

// answer shows the dialog as a terminal would and answers it: yes, but not to
// removing another repository.
func (d *demonstration) answer(_ context.Context, q policy.Question) (bool, error) {
	s := d.screen
	width := 0
	if s.outTTY {
		width = s.width(s.out)
	}
	shown := dialog(q, s.colours && s.outTTY, width)
	yes := true
	for _, r := range q.Reasons {
		yes = yes && r != policy.NestedRepository
	}
	word := "n"
	if yes {
		word = "y"
	}
	s.say("\n" + shown.text + shown.prompt + word)
	s.say(s.paint(dim, "(here the demo typed the answer by itself; otherwise you would)", s.outTTY))
	return yes, nil
}

// check holds the run against the plan.
func (d *demonstration) check(r bindings.Report) error {
	if !r.OK {
		return fmt.Errorf("the script failed")
	}
	if len(r.Operations) != len(demoPlan) {
		return fmt.Errorf("%d operations instead of %d", len(r.Operations), len(demoPlan))
	}
	for i, want := range demoPlan {
		got := r.Operations[i]
		outcome := string(got.Effect)
		if got.Error != nil {
			outcome = string(got.Error.Code)
		}
		if got.Operation != want.op || string(got.Path) != filepath.Join(d.project, filepath.FromSlash(want.path)) || outcome != want.outcome {
			return fmt.Errorf("operation %d: %s %s came out as %s; planned was %s %s, %s", i+1, got.Operation, policy.Printable(string(got.Path)), outcome, want.op, want.path, want.outcome)
		}
	}
	return checkDemoDisk(d.project)
}
