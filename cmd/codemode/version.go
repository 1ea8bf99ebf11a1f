package main

import (
	"fmt"
	goruntime "runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
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
		for _, line := range table([][]string{
			{"revision", revision},
			{"go", goruntime.Version()},
			{"platform", goruntime.GOOS + "/" + goruntime.GOARCH + ", " + support},
			{"isolation", "none (in-process); --isolation is accepted and has no effect yet"},
		}) {
			p.screen.say(line)
		}
		return nil
	}
	return cmd
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
