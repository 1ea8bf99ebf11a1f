package main

import (
	"fmt"
	goruntime "runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"codemode/runtime/worker"
)

func newVersionCommand(p *program) *cobra.Command {
	var details bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  codemode version -v",
		Args:    exactly(0, "no arguments"),
	}
	cmd.Flags().BoolVarP(&details, "verbose", "v", false, "print how it was built and what it can do here, too")
	cmd.RunE = func(*cobra.Command, []string) error {
		version, revision := built()
		p.screen.say("codemode " + version)
		if !details {
			return nil
		}
		rows := [][]string{
			{"revision", revision},
			{"go", goruntime.Version()},
			{"platform", goruntime.GOOS + "/" + goruntime.GOARCH + ", " + support},
		}
		for _, line := range table(append(rows, isolation()...)) {
			p.screen.say(line)
		}
		return nil
	}
	return cmd
}

// isolation is what keeps a script's process from everything else here.
func isolation() [][]string {
	protections, err := worker.Protections()
	if err != nil {
		return [][]string{{"isolation", "a process of its own cannot be started: " + err.Error() + "; --isolation none does without"}}
	}
	rows := [][]string{{"isolation", "each script has a process of its own"}}
	for _, x := range protections {
		state := "in force: "
		if !x.InForce {
			state = "NOT in force: "
		}
		rows = append(rows, []string{"", state + x.Name + " (" + x.Meaning + ")"})
	}
	return rows
}

// built is what the Go toolchain recorded.
func built() (version, revision string) {
	version, revision = "(devel)", "unknown"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version, revision
	}
	if info.Main.Version != "" {
		version = info.Main.Version
	}
	modified := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = " with changes"
		}
	}
	return version, fmt.Sprint(revision, modified)
}
