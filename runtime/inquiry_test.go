package runtime_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

// members asks for what can follow a name: "name:kind", by the depth.
func (c *conversation) members(name string) (list []string) {
	c.t.Helper()
	r := c.run(runtime.Script{Source: name, Inquiry: runtime.InquireMembers}, runtime.Options{})
	if !r.OK {
		c.t.Fatalf("%s: %s", name, r.Error.Message)
	}
	var members []runtime.Member
	if err := json.Unmarshal(r.Value, &members); err != nil {
		c.t.Fatalf("%s: %v: %s", name, err, r.Value)
	}
	for _, m := range members {
		if m.Depth == 0 {
			list = append(list, m.Name+":"+m.Kind)
		} else {
			list = append(list, "^"+m.Name)
		}
	}
	return list
}

func TestMembersRunNothing(t *testing.T) {
	c := converse(t)
	if got := c.members("tools"); !slices.Contains(got, "echo:function") { // the first thing that is asked
		t.Errorf("tools has %v", got)
	}
	if got := c.members("Intl"); !slices.Contains(got, "NumberFormat:function") { // made when it is mentioned
		t.Errorf("Intl has %v", got)
	}
	c.ask(`
		globalThis.ran = 0;
		var box = {plain: 1, get trap() { ran++; return 1 }, deep: [{leaf: 'x'}], f() {}, 'not a name': 1, K: class {}};
		var proxy = new Proxy({}, {ownKeys() { ran++; for (;;) {} }, get() { ran++; for (;;) {} }, getOwnPropertyDescriptor() { ran++ }, getPrototypeOf() { ran++; return null }});
		var under = Object.create(proxy);
		Object.getOwnPropertyNames = Reflect.ownKeys = () => { ran++ };
		Object.defineProperty(globalThis, 'String', {get() { ran++ }, configurable: true});
		var long = new Array(1e6).fill(0), bytes = new Uint8Array(1e6), text = 'abc'`)
	want := "K:class deep:object f:function plain:number trap:accessor"
	if got := strings.Join(c.members("box"), " "); !strings.HasPrefix(got, want+" ^") {
		t.Errorf("box has %s", got)
	}
	for name, want := range map[string]string{"box.deep.0": "leaf:string", "box.deep": "length:number", "text": "^toUpperCase", "box.deep.0.leaf": "^trim", "long": "^fill", "bytes": "^fill", "box.plain": "^toFixed", "": "box:object"} {
		if got := c.members(name); !slices.Contains(got, want) {
			t.Errorf("%s has no %s but %v", name, want, got)
		}
	}
	for _, name := range []string{"box.trap", "box.trap.x", "nowhere", "box.nothing", "proxy", "under", "a b", "box..f", "undefined", "box.deep.7"} {
		if got := c.members(name); len(got) != 0 {
			t.Errorf("%s has %v", name, got)
		}
	}
	if got := c.ask("ran"); got != "0" {
		t.Errorf("%s things ran", got)
	}
}

func TestWholeRunsNothing(t *testing.T) {
	c := converse(t)
	for source, want := range map[string]string{
		"1 + 1": "whole", "const x = {": "incomplete", "f(": "incomplete", "`a": "incomplete", "throw new Error('ran')": "whole",
		"a b": "wrong", "}": "wrong", "if (a) {\n  b()\n}": "whole", "/* a": "incomplete", "await tools.list({path: '.'": "incomplete", "": "whole",
	} {
		r := c.run(runtime.Script{Source: source, Interactive: true, Inquiry: runtime.InquireWhole}, runtime.Options{})
		got := "whole"
		switch {
		case r.Incomplete:
			got = "incomplete"
		case !r.OK:
			got = "wrong"
		}
		if got != want {
			t.Errorf("%s is %s, not %s: %v", source, got, want, r.Error)
		}
	}
}

func TestAPromptWaitsForItsTimers(t *testing.T) {
	c := converse(t)
	r := c.run(runtime.Script{Interactive: true, Source: "setTimeout(() => { console.log('one'); setTimeout(console.log, 20, 'two') }, 20); 'set'"}, runtime.Options{})
	if got := texts(r); got != "one\ntwo" || r.Shown != "'set'" {
		t.Errorf("%q, shown %s", got, r.Shown)
	}
	r = c.run(runtime.Script{Interactive: true, Source: "var n = 0; setInterval(() => n++, 5)"}, runtime.Options{Deadline: runtime.NewDeadline(200 * time.Millisecond)})
	if r.OK || r.Error.Kind != runtime.KindTimeout || r.Lost {
		t.Errorf("%+v %+v", r, r.Error)
	}
	if got := c.ask("n > 3"); got != "true" {
		t.Error(got)
	}
	if got := c.ask("setTimeout(() => { throw new Error('late') }, 5); 1"); !strings.Contains(got, "late") {
		t.Error(got)
	}
}
