package main

import (
	"context"
	"crypto/rand"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"codemode/bindings/mcp"
	"codemode/ops/policy"
)

// tokenVariable holds the bearer token that clients must send.
const tokenVariable = "CODEMODE_HTTP_TOKEN"

// httpFlags are those of serving over HTTP.
type httpFlags struct {
	address   string
	hosts     []string
	tokenFile string
}

func addHTTPFlags(cmd *cobra.Command) *httpFlags {
	w := &httpFlags{}
	set := cmd.Flags()
	set.StringVar(&w.address, "http", "", "serve streamable HTTP on `ADDR`, such as 127.0.0.1:7777, instead of standard input and output")
	set.StringSliceVar(&w.hosts, "http-host", nil, "let other machines in, which reach this one as `NAME`; without it ADDR must be of this machine alone")
	set.StringVar(&w.tokenFile, "http-token-file", "", "read the bearer token that clients must send from `FILE` (default: $"+tokenVariable+", else a new one is made and shown)")
	return w
}

// serveHTTP serves until a signal ends it.
func (p *program) serveHTTP(base *host, server *mcp.Server, w *httpFlags, quiet bool) error {
	address, err := w.listenAddress()
	if err != nil {
		return err
	}
	token, made, err := p.token(w)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return misuse("--http %s: %v", policy.Printable(w.address), err)
	}
	handler, err := server.Handler(mcp.HTTP{Token: token, Hosts: w.hosts})
	if err != nil {
		listener.Close()
		return misuse("%v", err)
	}
	web := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
	}
	if !quiet || made {
		p.screen.note("codemode: serving MCP on http://" + listener.Addr().String() + mcp.Path)
	}
	if made {
		p.screen.note("codemode: clients must send the header Authorization: Bearer " + token)
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	select {
	case err = <-failed:
		return failure("serving HTTP: %v", err)
	case <-base.ctx.Done():
	}
	server.Close() // calls end, and with them their requests
	closing, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if web.Shutdown(closing) != nil {
		_ = web.Close() // streams that stay open say nothing any more
	}
	return nil
}

// listenAddress is where to listen: on this machine alone, unless the host has
// named those names by which others reach it.
func (w *httpFlags) listenAddress() (string, error) {
	name, port, err := net.SplitHostPort(w.address)
	if err != nil {
		return "", misuse("--http %s: write it as HOST:PORT, such as 127.0.0.1:7777", policy.Printable(w.address))
	}
	if name == "" && len(w.hosts) == 0 || name == "localhost" {
		name = "127.0.0.1"
	}
	if ip := net.ParseIP(name); (ip == nil || !ip.IsLoopback()) && len(w.hosts) == 0 {
		return "", misuse("--http %s could be reached from other machines; use 127.0.0.1, or name this machine with --http-host NAME if that is wanted", policy.Printable(w.address))
	}
	return net.JoinHostPort(name, port), nil
}

// token is what clients must send; made says that nobody knows it yet.
func (p *program) token(w *httpFlags) (token string, made bool, err error) {
	switch {
	case w.tokenFile != "":
		info, err := os.Stat(w.tokenFile)
		if err != nil {
			return "", false, misuse("--http-token-file %s: %v", policy.Printable(w.tokenFile), reason(err))
		}
		if looseMode(info.Mode()) {
			return "", false, misuse("--http-token-file %s can be read by others; make it readable for you alone: chmod 600", policy.Printable(w.tokenFile))
		}
		data, err := readPlain(w.tokenFile)
		if err != nil {
			return "", false, misuse("--http-token-file %s: %v", policy.Printable(w.tokenFile), reason(err))
		}
		token = strings.TrimSpace(string(data))
	case p.env.get(tokenVariable) != "":
		token = p.env.get(tokenVariable)
	default:
		return rand.Text(), true, nil
	}
	if err := mcp.CheckToken(token); err != nil {
		return "", false, misuse("%v", err)
	}
	return token, false, nil
}

// looseMode reports whether others than the owner may read a file.
func looseMode(mode fs.FileMode) bool {
	return os.PathSeparator == '/' && mode.Perm()&0o077 != 0
}
