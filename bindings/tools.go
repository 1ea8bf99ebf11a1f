package bindings

import "codemode/runtime"

// A tool is one function of `tools`.
type tool struct {
	name        string
	description string
	result      string // the schema file of what it resolves to
}

// allTools says in one sentence each what the functions of `tools` do; the
// details are in tools.d.ts.
func allTools() []tool {
	return []tool{
		{"delete", "Deletes one file, symbolic link or whole directory; links are never followed.", "receipt.json"},
		{"copy", "Copies one file, symbolic link or whole directory to exactly the target; directories are merged.", "receipt.json"},
		{"move", "Moves one file, symbolic link or whole directory to exactly the target; an existing directory is replaced.", "receipt.json"},
		{"write", "Writes a new file, or with overwrite one that was read before.", "receipt.json"},
		{"edit", "Changes parts of a text file, all of them or none.", "receipt.json"},
		{"mkdir", "Makes a directory and its missing parents.", "receipt.json"},
		{"list", "Lists a directory.", "listing.json"},
		{"stat", "Describes one object; of a symbolic link, the link itself.", "entry.json"},
		{"read", "Reads a file.", "content.json"},
		{"glob", "Finds paths by a pattern.", "globbed.json"},
		{"search", "Finds lines in files by a text or a regular expression.", "searchresult.json"},
	}
}

func toolList() []runtime.Tool {
	var list []runtime.Tool
	for _, t := range allTools() {
		list = append(list, runtime.Tool{Name: t.name, Description: t.description})
	}
	return list
}
