// Package mcp serves the operations and the scripts of one [codemode/ops.Session]
// over the Model Context Protocol.
//
//	server := mcp.New(mcp.Config{Version: "1.0", Open: open})
//	defer server.Close()
//	err := server.Serve(ctx, os.Stdin, os.Stdout)
//
// A connection is one run: it has a session, a journal and a store of its own,
// and its receipts are numbered through. What a tool answers is what every other
// route answers, too: receipts, run reports and the results of queries, in the
// same JSON.
package mcp
