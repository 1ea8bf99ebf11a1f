package bindings

import "codemode/runtime"

// A tool is a function of `tools`.
type tool struct{ name, description string }

// allTools says in one sentence each what the functions of `tools` do; the
// details are in tools.d.ts.
func allTools() []tool {
	return []tool{
		{"delete", "Deletes one file, symbolic link or whole directory; links are never followed."},
		{"copy", "Copies one file, symbolic link or whole directory to exactly the target; directories are merged."},
		{"move", "Moves one file, symbolic link or whole directory to exactly the target; an existing directory is replaced."},
		{"list", "Lists a directory."},
		{"stat", "Describes one object; of a symbolic link, the link itself."},
		{"read", "Reads a file."},
		{"glob", "Finds paths by a pattern."},
		{"search", "Finds lines in files by a text or a regular expression."},
	}
}

func toolList() []runtime.Tool {
	var list []runtime.Tool
	for _, t := range allTools() {
		list = append(list, runtime.Tool{Name: t.name, Description: t.description})
	}
	return list
}
