package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/ops"
)

// scriptTool is the tool that runs a script.
const scriptTool = "codemode"

// guide are the rules of a script that matter, in a few lines.
const guide = `Runs a script that may delete, copy, move, edit, list and search files: the way to change many things in one step. JavaScript or TypeScript, the body of an async function: top-level await and return work; no process, network or packages.
- Calls run one at a time in call order, also unawaited ones. A failure rejects with OperationError; unhandled, it stops the script before its next step. Nothing is rolled back.
- Some removals are asked of the person (what Git tracks, what lies outside the project, other repositories). No argument approves. Don't work around a refusal: say what was refused.
- With session, top-level declarations and globals persist between calls of the same name.
Example:
for (const path of (await tools.glob({pattern: "assets/*.png"})).matches)
  await tools.move({path, target: path.replace("assets/", "images/"), overwrite: false});
Declarations:
`

// description is what a model reads about a tool.
func description(tool string) string {
	switch tool {
	case scriptTool:
		return guide + declarations()
	case "move":
		return "Moves or renames one file, link or directory, to exactly the new path. Give path and target, or src with dst (or delete: true), never a mixture. A directory replaces an existing one."
	case "delete":
		return "Deletes one file, link or whole directory; links are unlinked, never followed."
	case "copy":
		return "Copies one file, link or directory to exactly target. Directories are merged, files overwritten."
	case "write":
		return "Writes a file from text or bytes (base64), in one step. With overwrite an existing one, which must have been read in this session."
	case "edit":
		return "Changes parts of a UTF-8 file: edits [{find, replace, all?} or {range: {start, end}, replace}]. All are held against the text as it is; all apply or none. find must occur once, unless all."
	case "read":
		return "Reads a file: as text, or in base64."
	}
	s := parsed(schemaOf(tool))
	text, _ := s["description"].(string)
	return text
}

// tools is the list that a client gets.
func tools() []*sdk.Tool {
	yes, no := true, false
	// A delete that is repeated finds nothing, and a move neither: both then
	// change nothing. Repeating a copy copies again what the source is then, a
	// write writes the same. An edit may find what it looks for in what it made.
	list := []*sdk.Tool{{
		Name: scriptTool, Description: description(scriptTool), InputSchema: scriptSchema(), OutputSchema: resultSchema(scriptTool),
		Annotations: &sdk.ToolAnnotations{Title: "Run a script", DestructiveHint: &yes, OpenWorldHint: &no},
	}}
	for _, op := range ops.Operations {
		if op == ops.Mkdir {
			continue // every tool can make parents, and a script has it
		}
		name := string(op)
		list = append(list, &sdk.Tool{
			Name: name, Description: description(name), InputSchema: inputSchema(name), OutputSchema: resultSchema(name),
			Annotations: &sdk.ToolAnnotations{DestructiveHint: &yes, IdempotentHint: op != ops.Edit, OpenWorldHint: &no},
		})
	}
	for _, name := range ops.Queries {
		list = append(list, &sdk.Tool{
			Name: name, Description: description(name), InputSchema: inputSchema(name), OutputSchema: resultSchema(name),
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
		})
	}
	return list
}

// handler answers the calls of one tool.
func (s *Server) handler(tool string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (result *sdk.CallToolResult, err error) {
		admitted, err := s.admit()
		if err != nil {
			return nil, &jsonrpc.Error{Code: codeBusy, Message: err.Error()}
		}
		defer admitted()
		c, err := s.connection(req.Session)
		if err != nil {
			return nil, &jsonrpc.Error{Code: codeClosed, Message: err.Error()}
		}
		ctx, leave, err := c.enter(ctx)
		if err != nil {
			return nil, &jsonrpc.Error{Code: codeClosed, Message: err.Error()}
		}
		defer leave()
		ctx, told := follow(ctx, req, changes(tool))
		defer told()
		defer leave() // before the progress, which may wait for a client that does not read
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("the server failed, please report it: %v", r)
			}
		}()
		defer c.turns.wait(ctx, req.Extra)()
		return c.call(ctx, tool, arguments(req)), nil
	}
}

// Codes of JSON-RPC errors, from the range that is the server's own.
const (
	codeBusy   = -32001
	codeClosed = -32002
)

// arguments are those of a call, as the client spelled them.
func arguments(req *sdk.CallToolRequest) json.RawMessage {
	if len(req.Params.Arguments) == 0 {
		return json.RawMessage("{}")
	}
	return req.Params.Arguments
}

// call carries out one call.
func (c *connection) call(ctx context.Context, tool string, args json.RawMessage) *sdk.CallToolResult {
	run, err := c.begin(ctx)
	if err != nil {
		return failed(err.Error())
	}
	var result *sdk.CallToolResult
	switch {
	case tool == scriptTool:
		result = c.script(ctx, run, args)
	case changes(tool):
		result = receiptResult(run.Session.Call(ctx, ops.Operation(tool), args, ""))
	default:
		result = query(ctx, run.Session, tool, args)
	}
	if note := c.takeNote(); note != "" {
		result.Content = append([]sdk.Content{&sdk.TextContent{Text: note}}, result.Content...)
	}
	return result
}
