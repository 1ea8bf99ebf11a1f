package runtime_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"codemode/runtime"
)

// diskHost has a built-in module of its own.
type diskHost struct{ fakeHost }

func (h *diskHost) Module(specifier, importer string) (name, source string, err error) {
	if specifier == "disk" {
		return "disk", `(function (host) {
			return {echo: (v) => host.callSync('echo', {v}).v, later: (v) => host.call('echo', {v}), fail: () => host.callSync('fail', {}),
				slow: () => host.callSync('slow', {}), bad: () => host.callSync('echo', {v: () => 1}), none: () => host.callSync('none', {}), path: host.require('path')}
		})`, nil
	}
	return "", "", errors.New("not here")
}

// TestHostModules holds what a built-in module of the host's can do, and that a
// call which blocks keeps its place among those that do not.
func TestHostModules(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"return require('disk').echo(5)":                                  "5",
		"return require('node:disk').echo('x')":                           `"x"`,
		"import d, {echo} from 'disk'; return [echo(1), d.echo(2)]":       "[1,2]",
		"const {echo} = await import('node:disk'); return echo({a: [1]})": `{"a":[1]}`,
		"return require('disk').path.join('a', 'b')":                      `"a/b"`,
		"return require('disk') === require('node:disk')":                 "true",
		"try { require('disk').fail() } catch (e) { return [e.code, e instanceof OperationError, /script.js:1/.test(e.stack)] }":                           `["ENOENT",true,true]`,
		"try { require('disk').bad() } catch (e) { return e.code }":                                                                                        `"INVALID_ARGUMENTS"`,
		"try { require('disk').none() } catch (e) { return e.name }":                                                                                       `"TypeError"`,
		"const d = require('disk'); const p = tools.echo({n: 1}); const q = tools.echo({n: 2}); const s = d.echo(3); return [s, (await p).n, (await q).n]": "[3,1,2]",
		"const d = require('disk'); const p = d.later(1); await null; return [d.echo(2), (await p).v]":                                                     "[2,1]",
		"const d = require('disk'); const p = tools.fail({}).catch(e => e.code); const s = d.echo(1); return [s, await p]":                                 `[1,"ENOENT"]`,
		"let n = 0; const d = require('disk'); for (let i = 0; i < 3000; i++) { tools.echo({i}); if (i % 1000 == 999) n += d.echo(i) } return n":           "5997",
		"const d = require('disk'); setTimeout(() => { globalThis.t = d.echo('t') }, 1); await new Promise(r => setTimeout(r, 20)); return t":              `"t"`,
		"Object.prototype.v = 9; Array.prototype[0] = 8; return require('disk').echo(5)":                                                                   "5",
	} {
		r := execute(context.Background(), runtime.Script{Source: source}, &diskHost{}, runtime.Options{Deadline: runtime.NewDeadline(time.Minute)})
		if string(r.Value) != want {
			t.Errorf("%s\n got %s %+v\nwant %s", source, r.Value, r.Error, want)
		}
	}
}

// TestHostModuleStops holds that a script which waits in place is stopped like any
// other, and that a session goes on afterwards.
func TestHostModuleStops(t *testing.T) {
	t.Parallel()
	host := &diskHost{}
	host.answer = func(ctx context.Context, c runtime.Call) runtime.Result {
		if c.Name == "slow" {
			<-ctx.Done()
			return failure("ABORTED", "stopped")
		}
		return runtime.Result{Value: c.Args}
	}
	session := runtime.NewSession()
	defer session.Close()
	for range 3 {
		began := time.Now()
		r := execute(context.Background(), runtime.Script{Source: "globalThis.n = (globalThis.n ?? 0) + 1; await null; try { require('disk').slow() } catch { for (;;) {} }"}, host,
			runtime.Options{Deadline: runtime.NewDeadline(50 * time.Millisecond), Session: session})
		if r.Error == nil || r.Error.Kind != runtime.KindTimeout || r.Lost || time.Since(began) > 5*time.Second {
			t.Fatalf("%+v, lost %v, %v", r.Error, r.Lost, time.Since(began))
		}
	}
	r := execute(context.Background(), runtime.Script{Source: "return [n, require('disk').echo(1)]"}, host, runtime.Options{Session: session})
	if string(r.Value) != "[3,1]" {
		t.Errorf("%s %+v", r.Value, r.Error)
	}
}
