package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// clientConfig is how one client is told of a server.
type clientConfig struct {
	name  string
	where string // where to write it
	// elsewhere says that the client starts servers in a directory of its own, so
	// that the project must be named.
	elsewhere bool
	write     func(entry) ([]byte, error)
}

// entry is the server, as a client's configuration has it.
type entry struct {
	Type    string   `json:"type,omitempty" toml:"-"`
	Command string   `json:"command" toml:"command"`
	Args    []string `json:"args" toml:"args"`
}

func clientConfigs() []clientConfig {
	return []clientConfig{
		{name: "claude", where: "Claude Code: .mcp.json in the project; or, instead, run\n  claude mcp add codemode -- %s\n.mcp.json", write: jsonUnder("mcpServers", "")},
		{name: "claude-desktop", where: "Claude Desktop: claude_desktop_config.json (Settings, Developer, Edit Config)", elsewhere: true, write: jsonUnder("mcpServers", "")},
		{name: "codex", where: "Codex: ~/.codex/config.toml; or, instead, run\n  codex mcp add codemode -- %s\n~/.codex/config.toml", write: tomlUnder("mcp_servers")},
		{name: "cursor", where: "Cursor: .cursor/mcp.json in the project", write: jsonUnder("mcpServers", "")},
		{name: "gemini", where: "Gemini CLI: .gemini/settings.json in the project, or ~/.gemini/settings.json", write: jsonUnder("mcpServers", "")},
		{name: "vscode", where: "Visual Studio Code: .vscode/mcp.json in the project", write: jsonUnder("servers", "stdio")},
		{name: "windsurf", where: "Windsurf: ~/.codeium/windsurf/mcp_config.json", elsewhere: true, write: jsonUnder("mcpServers", "")},
	}
}

func clientNames() []string {
	var names []string
	for _, c := range clientConfigs() {
		names = append(names, c.name)
	}
	return names
}

// printConfig prints what to write into a client's configuration, and on
// standard error where. The other flags go into it.
func (p *program) printConfig(cmd *cobra.Command, name string) error {
	all := clientConfigs()
	i := slices.IndexFunc(all, func(c clientConfig) bool { return c.name == name })
	if i < 0 {
		return misuse("--print-config knows %s; others want the same command: codemode mcp", strings.Join(clientNames(), ", "))
	}
	if cmd.Flags().Changed("http") {
		return misuse("--print-config writes how a client starts the server; one that is reached by --http is given to the client by its address and token")
	}
	command, err := os.Executable()
	if err != nil {
		return failure("where this program lies: %v", err)
	}
	args := []string{"mcp"}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if flag.Name == "print-config" {
			return
		}
		value := flag.Value.String()
		if slices.Contains([]string{"cwd", "root", "config", "hooks"}, flag.Name) {
			if abs, err := filepath.Abs(value); err == nil {
				value = abs
			}
		}
		args = append(args, "--"+flag.Name+"="+value)
	})
	if given := cmd.Flags().Changed; all[i].elsewhere && !given("cwd") && !given("root") {
		dir, err := os.Getwd()
		if err != nil {
			return failure("the current directory: %v", err)
		}
		args = append(args, "--cwd="+dir)
	}
	text, err := all[i].write(entry{Command: command, Args: args})
	if err != nil {
		return failure("the configuration cannot be written: %v", err)
	}
	line := shellWord(command)
	for _, arg := range args {
		line += " " + shellWord(arg)
	}
	p.screen.note(strings.ReplaceAll(all[i].where, "%s", line) + ":")
	p.screen.say(strings.TrimRight(string(text), "\n"))
	return nil
}

// jsonUnder writes a server as a member of an object.
func jsonUnder(key, kind string) func(entry) ([]byte, error) {
	return func(server entry) ([]byte, error) {
		server.Type = kind
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err := enc.Encode(map[string]map[string]entry{key: {"codemode": server}})
		return b.Bytes(), err
	}
}

// tomlUnder writes a server as a table.
func tomlUnder(key string) func(entry) ([]byte, error) {
	return func(server entry) ([]byte, error) {
		return toml.Marshal(map[string]map[string]entry{key: {"codemode": server}})
	}
}

// shellWord quotes an argument for a shell, if it must be.
func shellWord(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+@%", r))
	}) < 0
	if plain && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
