package bindings_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/ops"
	"codemode/ops/opstest"
	"codemode/ops/policy"
)

// throughFaces calls f of fs through each face and returns what each answered: the
// code, whether the error is an OperationError, and its effect.
const throughFaces = `
const fs = require('node:fs');
const said = async (f) => { try { await f(); return 'done' } catch (e) { return [e.code, e instanceof OperationError && e instanceof Error, e.effect, e.receipt?.error?.code ?? '-', typeof e.message].join(' ') } };
const each = async (name, ...args) => [
	await said(() => fs[name + 'Sync'](...args)),
	await said(() => fs.promises[name](...args)),
	await said(() => new Promise((resolve, reject) => fs[name](...args, (e, v) => e ? reject(e) : resolve(v)))),
];
`

// What Node would allow and the engine refuses comes with the engine's code, its
// message and its receipt, through every face, and nothing is changed.
func TestNodeFSRefusals(t *testing.T) {
	t.Parallel()
	denied := func(context.Context, policy.Question) (bool, error) { return false, nil }
	hook := ops.HookFunc("keeper", func(_ context.Context, e policy.Event) (policy.Decision, error) {
		return policy.Decision{Deny: strings.Contains(string(e.Path), "hooked"), Reason: "it is kept"}, nil
	})
	tree := `mkdir -p proj/tracked proj/keep proj/hooked proj/other out; echo a > proj/a; echo b > proj/b; echo c > proj/tracked/c; echo k > proj/keep/k; echo h > proj/hooked/h; echo o > out/o
ln -s ../out proj/link; git init -q proj; cd proj; git add tracked; git commit -qm x`
	for name, tt := range map[string]struct {
		config ops.Config
		call   string
		code   string
	}{
		"not approved":       {ops.Config{Approve: denied}, `'rm', 'tracked', {recursive: true}`, "DELETE_NOT_APPROVED"},
		"nobody to ask":      {ops.Config{}, `'rm', 'tracked', {recursive: true, force: true}`, "DELETE_CONFIRMATION_REQUIRED"},
		"rename of tracked":  {ops.Config{Approve: denied}, `'rename', 'tracked', 'elsewhere'`, "DELETE_NOT_APPROVED"},
		"external":           {ops.Config{Approve: denied}, `'unlink', '../out/o'`, "DELETE_NOT_APPROVED"},
		"external overwrite": {ops.Config{Approve: denied}, `'writeFile', '../out/o', 'new'`, "DELETE_NOT_APPROVED"},
		"external copy":      {ops.Config{Approve: denied}, `'copyFile', 'a', '../out/o'`, "DELETE_NOT_APPROVED"},
		"protected file":     {ops.Config{Protected: []string{"keep/**"}}, `'rm', 'keep/k'`, "DELETE_PROTECTED_TARGET"},
		"protected write":    {ops.Config{Protected: []string{"keep/**"}}, `'writeFile', 'keep/k', 'new'`, "DELETE_PROTECTED_TARGET"},
		"protected append":   {ops.Config{Protected: []string{"keep/**"}}, `'appendFile', 'keep/k', 'new'`, "DELETE_PROTECTED_TARGET"},
		"protected new":      {ops.Config{Protected: []string{"keep/**"}}, `'mkdir', 'keep/n'`, "DELETE_PROTECTED_TARGET"},
		"protected rename":   {ops.Config{Protected: []string{"keep/**"}}, `'rename', 'a', 'keep/k'`, "DELETE_PROTECTED_TARGET"},
		"protected cp":       {ops.Config{Protected: []string{"keep/**"}}, `'cp', 'tracked', 'keep/t', {recursive: true}`, "DELETE_PROTECTED_TARGET"},
		"git":                {ops.Config{}, `'writeFile', '.git/hooks/pre-commit', 'x'`, "DELETE_PROTECTED_TARGET"},
		"git config":         {ops.Config{}, `'rm', '.git', {recursive: true, force: true}`, "DELETE_PROTECTED_TARGET"},
		"hook":               {ops.Config{Hooks: []ops.Hook{hook}}, `'rm', 'hooked', {recursive: true}`, "HOOK_DENIED"},
		"hook on unlink":     {ops.Config{Hooks: []ops.Hook{hook}}, `'unlink', 'hooked/h'`, "HOOK_DENIED"},
		"hook on rmdir":      {ops.Config{Hooks: []ops.Hook{hook}, Dir: "other"}, `'rmdir', '../hooked-empty'`, "HOOK_DENIED"},
		"ask replace write":  {ops.Config{Approve: denied, Ask: policy.Ask{Replace: true}}, `'writeFile', 'a', 'new'`, "DELETE_NOT_APPROVED"},
		"ask replace append": {ops.Config{Approve: denied, Ask: policy.Ask{Replace: true}}, `'appendFile', 'a', 'new'`, "DELETE_NOT_APPROVED"},
		"ask replace rename": {ops.Config{Approve: denied, Ask: policy.Ask{Replace: true}}, `'rename', 'a', 'b'`, "DELETE_NOT_APPROVED"},
		"ask replace copy":   {ops.Config{Approve: denied, Ask: policy.Ask{Replace: true}}, `'copyFile', 'a', 'b'`, "DELETE_NOT_APPROVED"},
		"outside":            {ops.Config{Root: "."}, `'rm', '../out/o'`, "OUTSIDE_ROOT"},
		"outside, forced":    {ops.Config{Root: "."}, `'rm', 'link/o', {force: true}`, "OUTSIDE_ROOT"},
		"outside write":      {ops.Config{Root: "."}, `'writeFile', 'link/n', 'x'`, "OUTSIDE_ROOT"},
		"outside mkdir":      {ops.Config{Root: "."}, `'mkdir', '../out/n/m', {recursive: true}`, "OUTSIDE_ROOT"},
		"outside rename":     {ops.Config{Root: "."}, `'rename', 'a', '../out/a'`, "OUTSIDE_ROOT"},
		"outside copy":       {ops.Config{Root: "."}, `'copyFile', 'a', 'link/a'`, "OUTSIDE_ROOT"},
		"a URI":              {ops.Config{}, `'rm', 'https://example.org/x'`, "UNSUPPORTED_SOURCE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := opstest.NewWorld(t)
			w.Setup(t, "mkdir -p proj/hooked-empty\n"+tree, false)
			tt.config.Homes = []string{filepath.Join(w.W, "home")}
			tt.config.Dir = filepath.Join(w.W, "proj", tt.config.Dir)
			if tt.config.Root != "" {
				tt.config.Root = filepath.Join(w.W, "proj")
			}
			s, err := ops.Open(tt.config)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			before := w.Listing(t)
			r := run(t, s, throughFaces+"return await each("+tt.call+")")
			one := fmt.Sprintf("%s true not-applied %s string", tt.code, tt.code)
			data, _ := json.Marshal([]string{one, one, one})
			want(t, r, string(data))
			if len(r.Operations) != 3 {
				t.Errorf("%d receipts of 3 calls", len(r.Operations))
			}
			if after := w.Listing(t); after != before {
				t.Errorf("something was changed:\n%s", lineDifference(before, after))
			}
		})
	}
}

// Reading is confined, too, and tells nothing of what is outside.
func TestNodeFSConfined(t *testing.T) {
	t.Parallel()
	s, dir := newSession(t, func(c *ops.Config) {
		c.Root = filepath.Join(c.Dir, "root")
		os.MkdirAll(filepath.Join(c.Root, "d"), 0o755)
		os.WriteFile(filepath.Join(c.Dir, "secret"), nil, 0o644)
		os.WriteFile(filepath.Join(c.Root, "d/in"), []byte("in"), 0o644)
		os.Symlink("../secret", filepath.Join(c.Root, "out"))
		os.Symlink("d/in", filepath.Join(c.Root, "link"))
	})
	r := run(t, s, `const fs = require('fs'), code = (f) => { try { return f() } catch (e) { return e.code } };
		return [code(() => fs.readFileSync('../secret')), code(() => fs.readFileSync('out')), code(() => fs.statSync('out')), code(() => fs.realpathSync('out')), code(() => fs.realpathSync.native('out')),
			code(() => fs.accessSync('out')), fs.existsSync('out'), fs.existsSync('../secret'), fs.existsSync('../nothing'), code(() => fs.readdirSync('..')), fs.readlinkSync('out'), fs.lstatSync('out').isSymbolicLink(),
			fs.readFileSync('/d/in', 'utf8'), fs.readdirSync('/').join(), fs.realpathSync('link')]`)
	want(t, r, `["OUTSIDE_ROOT","OUTSIDE_ROOT","OUTSIDE_ROOT","OUTSIDE_ROOT","OUTSIDE_ROOT","OUTSIDE_ROOT",false,false,false,"OUTSIDE_ROOT","../secret",true,"in","d,link,out",`+fmt.Sprintf("%q]", filepath.Join(dir, "root/d/in")))
	if len(r.Operations) != 0 {
		t.Error("reading made receipts")
	}
}

// Every effect is an operation with its receipt; looking is none.
func TestNodeFSReceipts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ source, effects, value string }{
		{`fs.writeFileSync('n', 'a\n'); fs.writeFileSync('n', 'b\n'); fs.appendFileSync('n', 'c\n'); return fs.readFileSync('n', 'utf8')`,
			"1 write applied, 2 write applied, 3 write applied", `"b\nc\n"`},
		{`fs.mkdirSync('n/m', {recursive: true}); fs.mkdirSync('n/m', {recursive: true}); fs.mkdtempSync('n/t-'); fs.rmdirSync('n/m'); fs.rmSync('n', {recursive: true}); fs.rmSync('n', {force: true})`,
			"1 mkdir applied, 2 mkdir applied, 3 delete applied, 4 delete applied", ""},
		{`fs.copyFileSync('a', 'n'); fs.renameSync('n', 'm'); fs.cpSync('d', 'e', {recursive: true}); fs.unlinkSync('m')`,
			"1 copy applied, 2 move applied, 3 copy applied, 4 delete applied", ""},
		{`fs.readFileSync('a'); fs.readdirSync('d', {recursive: true}); fs.statSync('a'); fs.lstatSync('a'); fs.accessSync('a', 6); fs.existsSync('a'); fs.realpathSync('a'); fs.renameSync('a', 'a')`, "", ""},
		// What Node does not mean is not done by halves: it never reaches the engine.
		{`for (const f of [() => fs.renameSync('a', 'd'), () => fs.rmdirSync('d'), () => fs.unlinkSync('d'), () => fs.rmSync('d'), () => fs.copyFileSync('a', 'no/n'), () => fs.cpSync('d', 'd/x', {recursive: true})]) { try { f(); return 'done' } catch {} }`, "", ""},
		{`try { fs.rmSync('no') } catch (e) { return [e.code, e.effect, e.receipt.error.code, e.cause.code] }`, "1 delete not-applied ENOENT", `["ENOENT","not-applied","ENOENT","ENOENT"]`},
		{`try { fs.writeFileSync('a', 'x', {flag: 'wx'}) } catch (e) { return [e.code, e.receipt.error.code] }`, "1 write not-applied TARGET_EXISTS", `["EEXIST","TARGET_EXISTS"]`},
		// A run spares its own results: three files onto one name lose two.
		{`fs.renameSync('a', 'one'); try { fs.renameSync('b', 'one') } catch (e) { return [e.code, fs.readFileSync('b', 'utf8')] }`,
			"1 move applied, 2 move not-applied OVERWRITES_OWN_RESULT", `["OVERWRITES_OWN_RESULT","content of b"]`},
		{`fs.copyFileSync('a', 'one'); fs.copyFileSync('a', 'one'); try { fs.copyFileSync('b', 'one') } catch (e) { return e.code }`,
			"1 copy applied, 2 copy applied, 3 copy not-applied OVERWRITES_OWN_RESULT", `"OVERWRITES_OWN_RESULT"`},
		{`await Promise.allSettled(['a', 'b', 'c'].map(f => fs.promises.rename(f, 'one'))).then(l => l.map(r => r.status))`,
			"1 move applied, 2 move not-applied OVERWRITES_OWN_RESULT, 3 move not-applied OVERWRITES_OWN_RESULT", ""},
		// Several names of one call are one operation.
		{`fs.cpSync('d', 'e', {recursive: true, filter: s => !s.endsWith('y')}); return fs.readdirSync('e', {recursive: true})`, "1 mkdir applied, 2 copy applied, 3 copy applied", `["sub","sub/z","x"]`},
	} {
		s, dir := newSession(t)
		write(t, dir, "a", "b", "c", "d/x", "d/y", "d/sub/z")
		r := run(t, s, "const fs = require('fs');"+tt.source)
		if !r.OK || effects(r) != tt.effects || tt.value != "" && string(r.Value) != tt.value {
			t.Errorf("%s\n got %s, %s, %v\nwant %s, %s", tt.source, effects(r), r.Value, r.Error, tt.effects, tt.value)
		}
	}
	s, dir := newSession(t)
	write(t, dir, "a")
	r := run(t, s, `require('fs').writeFileSync('a', 'new')`)
	if op := r.Operations[0]; string(op.Path) != filepath.Join(dir, "a") || !strings.Contains(string(op.Diff), "-content of a") || op.Replaced == nil {
		t.Errorf("%+v", op)
	}
}

// The work is done when the call is made, whoever waits for it and however.
func TestNodeFSOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ source, effects, problem string }{
		{`fsp.copyFile('a', 'n'); tools.delete({path: 'a'}); fs.renameSync('b', 'm')`, "1 copy applied, 2 delete applied, 3 move applied", ""},
		{`await Promise.all([fsp.cp('d', 'backup', {recursive: true}), fsp.rm('d', {recursive: true})])`, "1 copy applied, 2 delete applied", ""},
		{`tools.copy({path: 'a', target: 'n'}); fs.rmSync('a')`, "1 copy applied, 2 delete applied", ""},
		{`fs.copyFile('a', 'n', () => fs.copyFile('n', 'm', () => fs.unlink('n', () => {})))`, "1 copy applied, 2 copy applied, 3 delete applied", ""},
		{`fs.unlink('a', (e) => { if (e) throw e; fs.unlink('a', (e) => { throw e }) })`, "1 delete applied, 2 delete not-applied ENOENT", "no such file or directory, unlink 'a'"},
		{`fsp.unlink('no')`, "1 delete not-applied ENOENT", "no such file or directory, unlink 'no'"},
		{`fsp.unlink('a'); throw new Error('stop')`, "1 delete applied", "stop"},
		{`fsp.unlink('a'); exit(); fsp.unlink('b')`, "1 delete applied", ""},
		{`const c = new AbortController(), p = fsp.writeFile('n', 'x', {signal: c.signal}); c.abort(); await p.catch(e => { if (e.name !== 'AbortError') throw e })`, "", ""},
	} {
		s, dir := newSession(t)
		write(t, dir, "a", "b", "d/x")
		r := run(t, s, "import fs, { promises as fsp } from 'node:fs';"+tt.source)
		if r.OK != (tt.problem == "") || effects(r) != tt.effects || !r.OK && !strings.Contains(r.Error.Message, tt.problem) {
			t.Errorf("%s\n got %s, %+v\nwant %s, %s", tt.source, effects(r), r.Error, tt.effects, tt.problem)
		}
	}
}

// A script that changes built-ins harms itself: whatever fs then does, it is an
// operation that the engine judged, on a path that the script named.
func TestNodeFSTampered(t *testing.T) {
	t.Parallel()
	for _, pollution := range []string{
		"Object.prototype.path = 'keep'", "Object.prototype.target = 'keep'", "Object.prototype.overwrite = true", "Object.prototype.recursive = true", "Object.prototype.force = true",
		"Array.prototype[0] = 'keep'", "Array.prototype[Symbol.iterator] = function* () { yield 'keep' }", "Array.prototype.slice = () => ['keep']", "String.prototype.replace = () => 'keep'",
		"String.prototype.startsWith = () => true", "String.prototype.endsWith = () => true", "String.prototype.lastIndexOf = () => 3", "String.prototype.includes = () => false",
		"RegExp.prototype.test = () => true", "Object.assign = (o) => o", "Promise.prototype.then = () => { throw 1 }", "globalThis.Promise = class { }", "Object.defineProperty(Object.prototype, 'kind', {get: () => 'file'})",
		"JSON.stringify = () => '{}'; JSON.parse = () => ({path: 'keep'})", "Function.prototype.apply = () => 'keep'; Function.prototype.call = () => 'keep'", "Error.prototype.code = 'ENOENT'",
	} {
		for _, first := range []bool{true, false} {
			s, dir := newSession(t)
			write(t, dir, "a", "b", "d/x", "keep/k")
			load, act := "const fs = require('fs');", "for (const f of [() => fs.rmSync('a'), () => fs.renameSync('b', 'n'), () => fs.rmSync('d'), () => fs.cpSync('d', 'e', {recursive: true}), () => fs.writeFileSync('w', 'w')]) { try { f() } catch {} }"
			source := load + pollution + ";" + act
			if first {
				source = pollution + ";" + load + act
			}
			r := run(t, s, source)
			for _, op := range r.Operations {
				for _, path := range []string{string(op.Path), string(op.Target)} {
					if name := strings.TrimPrefix(path, dir+"/"); path != "" && !strings.Contains(" a b n d e w ", " "+name+" ") && op.OK {
						t.Errorf("%s: %s of %s %s", pollution, op.Operation, op.Path, op.Target)
					}
				}
			}
			if !exists(dir, "keep/k") {
				t.Errorf("%s: what nobody named is gone", pollution)
			}
		}
	}
}

// All that Node's fs has is there; what is not offered says so, and what to do.
func TestNodeFSNotOffered(t *testing.T) {
	t.Parallel()
	const names = `appendFile,access,chown,chmod,close,copyFile,cp,exists,fchown,fchmod,fdatasync,fstat,fsync,ftruncate,futimes,lchown,lchmod,link,lstat,lutimes,mkdir,mkdtemp,open,readdir,read,readv,readFile,readlink,realpath,rename,rm,rmdir,stat,statfs,symlink,truncate,unlink,utimes,writeFile,write,writev,opendir,glob`
	s, _ := newSession(t)
	r := run(t, s, `const fs = require('fs'), offered = 'appendFile,access,copyFile,cp,exists,lstat,mkdir,mkdtemp,readdir,readFile,readlink,realpath,rename,rm,rmdir,stat,unlink,writeFile'.split(',');
		const wrong = [];
		const refused = async (name, f) => { try { await f('a', 'b'); wrong.push(name) } catch (e) { if (!(e instanceof Error) || e.code !== 'ERR_METHOD_NOT_IMPLEMENTED' || !e.message.startsWith('fs.' + name + ' is not offered to scripts: ')) wrong.push(name + e) } };
		for (const name of '`+names+`'.split(',')) {
			for (const full of [name, name + 'Sync']) {
				if (typeof fs[full] !== 'function' || fs[full].name !== full) wrong.push(full);
				else if (!offered.includes(name)) await refused(full, fs[full]);
			}
		}
		for (const name of 'open,opendir,truncate,statfs,symlink,link,chmod,lchmod,lchown,chown,utimes,lutimes,watch,glob'.split(',')) await refused('promises.' + name, fs.promises[name]);
		for (const name of 'watch,watchFile,unwatchFile,createReadStream,createWriteStream,openAsBlob'.split(',')) await refused(name, fs[name]);
		for (const name of 'ReadStream,WriteStream,Dir'.split(',')) await refused(name, (a) => new fs[name](a));
		for (const name of offered) if (name !== 'exists' && typeof fs.promises[name] !== 'function') wrong.push('promises.' + name);
		return wrong`)
	want(t, r, "[]")
}

// Large files come in pieces, up to a limit; names that are not UTF-8 pass.
func TestNodeFSLargeAndStrange(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 30 MB in a script, which takes the race detector long")
	}
	t.Parallel()
	s, dir := newSession(t)
	text := strings.Repeat("eins ü€😀\n", 9<<16) // 9 MB, so that pieces end within characters
	if err := os.WriteFile(filepath.Join(dir, "large"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mixed"), []byte(text+"\xff"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "large"), int64(len(text))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sparse"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "sparse"), 1<<30); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "d/caf\xe9", "d/x")
	r := run(t, s, `const fs = require('fs'), code = (f) => { try { return f() } catch (e) { return e.code } };
		const text = fs.readFileSync('large', 'utf8'), mixed = fs.readFileSync('mixed', 'utf8');
		const [name] = fs.readdirSync('d'), [raw] = fs.readdirSync('d', 'buffer');
		fs.renameSync('d/' + name, 'd/caf\u00e9');
		return [text.length, text.endsWith('😀\n'), text.includes('\ufffd'), mixed.length, mixed.endsWith('\ufffd'), fs.readFileSync('large').length, code(() => fs.readFileSync('sparse')),
			raw.toString('hex'), fs.readdirSync('d').join(), code(() => fs.writeFileSync('huge', 'x'.repeat(5 << 20))), fs.existsSync('huge')]`)
	units := 10 * 9 << 16 // the last character is two
	want(t, r, fmt.Sprintf(`[%d,true,false,%d,true,%d,"ERR_FS_FILE_TOO_LARGE","636166e9","café,x","INVALID_ARGUMENTS",false]`, units, units+1, len(text)))
}

// The other modules that scripts know from Node are there by every name.
func TestNodeModules(t *testing.T) {
	t.Parallel()
	s, _ := newSession(t)
	for source, value := range map[string]string{
		`import util, { inspect, promisify, format } from 'node:util'; return [inspect({a: [1]}), typeof promisify, format('%s %d', 'a', 1), util.inspect('x')]`:    `["{ a: [ 1 ] }","function","a 1","'x'"]`,
		`import { fileURLToPath, pathToFileURL } from 'url'; return [fileURLToPath('file:///a%20b'), pathToFileURL('/a b').href]`:                                   `["/a b","file:///a%20b"]`,
		`import { Buffer } from 'node:buffer'; return [Buffer.from('é', 'utf16le').toString('hex'), Buffer.from('e900', 'hex').toString('ucs2')]`:                   `["e900","é"]`,
		`import assert from 'node:assert'; try { assert.strictEqual(1, 2); return 0 } catch (e) { return e.code }`:                                                  `"ERR_ASSERTION"`,
		`import os, { EOL, tmpdir } from 'node:os'; return [EOL, tmpdir(), Object.keys(os)]`:                                                                        `["\n","/tmp",["EOL","tmpdir"]]`,
		`import path, { join } from 'node:path'; return [join('a', '..', 'b'), path.posix === path]`:                                                                `["b",true]`,
		`import { EventEmitter } from 'node:events'; const e = new EventEmitter(); let n; e.on('x', (v) => n = v); e.emit('x', 3); return n`:                        `3`,
		`import { setTimeout as wait } from 'node:timers/promises'; return await wait(1, 'x')`:                                                                      `"x"`,
		`const fsp = await import('node:fs/promises'); return [typeof fsp.readFile, typeof fsp.default.rm, require('fs').promises === require('node:fs/promises')]`: `["function","function",true]`,
		`import * as fs from 'fs'; import { readFileSync } from 'node:fs'; return [typeof fs.default.rm, fs.readFileSync === readFileSync]`:                         `["function",true]`,
		`try { require('child_process') } catch (e) { return [/there is no module 'child_process'/.test(e.message) || e.message, /fs\/promises/.test(e.message)] }`: `[true,true]`,
	} {
		want(t, run(t, s, source), value)
	}
}

// lineDifference shows the lines that only one of two texts has.
func lineDifference(a, b string) string {
	var out strings.Builder
	only := func(sign, these, those string) {
		have := map[string]bool{}
		for line := range strings.SplitSeq(those, "\n") {
			have[line] = true
		}
		for line := range strings.SplitSeq(these, "\n") {
			if !have[line] {
				out.WriteString(sign + line + "\n")
			}
		}
	}
	only("- ", a, b)
	only("+ ", b, a)
	return out.String()
}
