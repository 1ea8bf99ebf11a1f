package mcp

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Path is where [Server.Handler] serves.
const Path = "/mcp"

// HTTP says how a server is reached over streamable HTTP.
type HTTP struct {
	// Token is what each request must carry as its bearer token, see [CheckToken].
	Token string
	// Hosts are the names, without a port, by which other machines reach this one.
	// Requests for any other name are refused, those of this machine alone (such
	// as localhost) excepted.
	Hosts []string
	// Idle is how long a connection lasts without a request; 0: [DefaultIdle].
	Idle time.Duration
}

// DefaultIdle is how long a connection over HTTP lasts without a request.
const DefaultIdle = 30 * time.Minute

const (
	minToken = 16
	// maxConnections bounds what clients that never say goodbye can take.
	maxConnections = 64
)

// CheckToken refuses a token that could be guessed, or cannot be sent.
func CheckToken(token string) error {
	if len(token) < minToken {
		return fmt.Errorf("the bearer token is shorter than %d characters", minToken)
	}
	for _, c := range []byte(token) {
		if c <= ' ' || c >= 0x7f {
			return errors.New("the bearer token has characters that a header cannot carry")
		}
	}
	return nil
}

// Handler serves streamable HTTP under [Path]. Each session of the protocol is a
// connection of its own.
//
// Requests are let in that name this machine as their host, come from no web
// page of another origin, and carry the token; in this order, so that a page
// that a browser shows learns nothing.
func (s *Server) Handler(o HTTP) (http.Handler, error) {
	if err := CheckToken(o.Token); err != nil {
		return nil, err
	}
	if o.Idle <= 0 {
		o.Idle = DefaultIdle
	}
	inner := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		SessionTimeout: o.Idle, MaxRequestBodyBytes: maxLine, DisableLocalhostProtection: true, // hosts are checked here
	})
	want := sha256.Sum256([]byte(o.Token))
	mux := http.NewServeMux()
	mux.HandleFunc(Path, func(w http.ResponseWriter, r *http.Request) {
		session := r.Header.Get("Mcp-Session-Id")
		switch {
		case session == "" && s.full():
			http.Error(w, "there are too many connections; end some, or wait until they are idle for long enough", http.StatusServiceUnavailable)
			return
		case r.Method == http.MethodDelete:
			s.hangUp(session)
		}
		inner.ServeHTTP(w, r)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !knownHost(r.Host, o.Hosts):
			http.Error(w, "this server is not known by that name", http.StatusForbidden)
		case !sameOrigin(r):
			http.Error(w, "web pages may not use this server", http.StatusForbidden)
		case !authorized(r, want):
			w.Header().Set("WWW-Authenticate", `Bearer realm="codemode"`)
			http.Error(w, "the bearer token is missing or wrong", http.StatusUnauthorized)
		default:
			mux.ServeHTTP(w, r)
		}
	}), nil
}

// knownHost checks the name under which a server was looked for. A page of
// somebody else's can let its own name point to this machine; it cannot say
// another in its requests.
func knownHost(host string, names []string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if ip := net.ParseIP(name); name == "localhost" || ip != nil && ip.IsLoopback() {
		return true
	}
	for _, known := range names {
		if name != "" && name == strings.ToLower(known) {
			return true
		}
	}
	return false
}

// sameOrigin lets requests pass that no web page makes, or one of this server's,
// of which there are none.
func sameOrigin(r *http.Request) bool {
	origin := r.Header.Values("Origin")
	if len(origin) == 0 {
		site := r.Header.Get("Sec-Fetch-Site")
		return site == "" || site == "none" || site == "same-origin"
	}
	return len(origin) == 1 && (origin[0] == "http://"+r.Host || origin[0] == "https://"+r.Host)
}

func authorized(r *http.Request, want [sha256.Size]byte) bool {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	got := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// full reports whether no further connection fits.
func (s *Server) full() bool {
	n := 0
	for range s.sdk.Sessions() {
		n++
	}
	return n >= maxConnections
}

// hangUp cancels the calls of a connection whose client ends it: the protocol's
// session ends when they have.
func (s *Server) hangUp(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ss, c := range s.connections {
		if session != "" && ss.ID() == session {
			c.cancel()
		}
	}
}
