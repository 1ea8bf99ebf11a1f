package mcp_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"codemode/bindings"
	"codemode/bindings/mcp"
	"codemode/ops"
)

// serve serves a directory.
func serve(ctx context.Context, dir string, in io.Reader, out io.Writer) error {
	server := mcp.New(mcp.Config{
		Version: "1.0",
		Open: func(ctx context.Context, c mcp.Client) (*mcp.Run, error) {
			session, err := ops.Open(ops.Config{Dir: dir, Approve: c.Ask})
			if err != nil {
				return nil, err
			}
			return &mcp.Run{ID: "1", Session: session, End: func(bindings.Report) { session.Close() }}, nil
		},
	})
	defer server.Close()
	return server.Serve(ctx, in, out)
}

func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	requests := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"example","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"ping"}
`)
	var answers strings.Builder
	if err := serve(context.Background(), dir, requests, &answers); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.Count(answers.String(), "\n"), "answers")
	// Output: 2 answers
}
