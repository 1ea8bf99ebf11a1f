package runtime_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"codemode/runtime"
)

// TestRegExpLikeNode holds what exec, replace and split make of many patterns
// and texts against what Node.js made of them.
func TestRegExpLikeNode(t *testing.T) {
	data, err := os.ReadFile("testdata/regexp.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(string(data)) // surrogates are moved to the private area: JSON cannot hold lone ones everywhere
	if err != nil {
		t.Fatal(err)
	}
	r := runtime.Run(context.Background(), runtime.Script{
		Source:  regexpScript,
		Globals: map[string]json.RawMessage{"RECORDED": text},
	}, &fakeHost{}, runtime.Options{Deadline: runtime.NewDeadline(time.Minute)})
	if !r.OK {
		t.Fatalf("%s\n%s", r.Error.Message, r.Error.Stack)
	}
	var wrong []string
	if err := json.Unmarshal(r.Value, &wrong); err != nil {
		t.Fatal(err)
	}
	for _, line := range wrong {
		t.Error(line)
	}
	t.Log(texts(r))
}

const regexpScript = `
const {inputs, cases, errors} = JSON.parse(RECORDED, (k, v) => typeof v === 'string' ? [...v].map(c => c >= '\ue000' && c < '\ue800' ? String.fromCharCode(c.charCodeAt(0) - 0x800) : c).join('') : v), wrong = [];
let n = 0;
const known = v => v.map(x => x === undefined ? null : x);
const check = (name, s, got, want) => {
	n++;
	got = JSON.stringify(got); want = JSON.stringify(want);
	if (got !== want && wrong.length < 60) wrong.push(name + ' on ' + JSON.stringify(s) + '\n got ' + got.slice(0, 300) + '\nwant ' + want.slice(0, 300));
};
for (const {p, f, r, replace, split, error} of cases) {
	let re;
	try { re = new RegExp(p, f) } catch (e) { if (!error) wrong.push('/' + p + '/' + f + ': ' + e.message); continue }
	if (error) { wrong.push('/' + p + '/' + f + ' is refused by Node'); continue }
	inputs.forEach((s, i) => {
		const re = new RegExp(p, f), found = [];
		let m, k = 0;
		if (re.global || re.sticky) {
			while ((m = re.exec(s)) && k++ < 60) {
				found.push([m.index, ...m]);
				if (m[0] === '') re.lastIndex += (re.unicode || re.unicodeSets) && s.codePointAt(re.lastIndex) > 0xffff ? 2 : 1;
			}
		} else if (m = re.exec(s)) found.push([m.index, ...m]);
		if (re.hasIndices) { re.lastIndex = 0; m = re.exec(s); found.push(m ? known([...m.indices]) : null) }
		check(String(re), s, found.map(x => x && known(x)), r[i]);
		check(re + ' replace', s, s.replace(new RegExp(p, f), '<$&|$1>'), replace[i]);
		check(re + ' split', s, known(s.split(new RegExp(p, f)).slice(0, 40)), split[i]);
	});
}
for (const [p, f, refused] of errors) {
	let got = false;
	try { new RegExp(p, f) } catch (e) { got = e instanceof SyntaxError }
	check('refuses /' + p + '/' + f, '', got, refused);
}
text(n + ' checks');
return wrong`
