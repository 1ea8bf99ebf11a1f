package main

import (
	"strings"

	"github.com/spf13/cobra"

	"codemode/ops/policy"
	"codemode/runtime"
	"codemode/scripts"
)

// builtinMark begins the name of a script that comes with the program.
const builtinMark = "@"

// builtinScript is the script of that name. What it imports comes with the
// program, too.
func builtinScript(name string, args []string) (runtime.Script, task, error) {
	s, ok := scripts.Named(name)
	if !ok {
		return runtime.Script{}, task{}, misuse("there is no built-in script %s; there are\n%s", policy.Printable(builtinMark+name), builtinList())
	}
	t := task{source: builtinMark + name, script: s.Source, file: s.File, modules: scripts.Files, args: args}
	return runtime.Script{Name: s.File, Source: s.Source, Args: args}, t, nil
}

// listBuiltins prints the scripts that come with the program.
func (p *program) listBuiltins(f *flags) error {
	if f.json {
		return p.screen.document(scripts.All())
	}
	p.screen.script(builtinList()+"\ncodemode run @NAME -- --help says more about one", false)
	return nil
}

func builtinList() string {
	var b strings.Builder
	for _, s := range scripts.All() {
		b.WriteString("  " + builtinMark + s.Name + strings.Repeat(" ", max(1, 18-len(s.Name))) + s.Summary + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// completeScript offers the built-in scripts to shell completion, and files for
// everything else.
func completeScript(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || !strings.HasPrefix(typed, builtinMark) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, s := range scripts.All() {
		if name := builtinMark + s.Name; strings.HasPrefix(name, typed) {
			names = append(names, name+"\t"+s.Summary)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
