package cases

import (
	"strings"
	"testing"
)

func TestAll(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.Problem == "" || c.Why == "" || c.Source == "" {
			t.Errorf("%s: it does not say what went wrong where, or why it matters", c.ID)
		}
	}
}

// A file that lost cases, or says something that nobody checks, must not pass.
func TestParseIsStrict(t *testing.T) {
	const good = `[{"id":"a","action":{"op":"delete","path":"x"},"expected":{"outcome":["refused","ok"],"disk":["true"]},"needs":["race"]}]`
	if all, err := parse([]byte(good)); err != nil || len(all) != 1 || len(all[0].Expected.Operations()[0]) != 2 {
		t.Fatalf("%v %v", all, err)
	}
	for name, bad := range map[string]string{
		"no case":         `[]`,
		"no list":         `{}`,
		"more behind":     good + good,
		"unknown field":   strings.Replace(good, `"needs"`, `"need"`, 1),
		"inner field":     strings.Replace(good, `"disk"`, `"disc":1,"disk"`, 1),
		"unknown outcome": strings.Replace(good, `"refused"`, `"rejected"`, 1),
		"empty outcomes":  strings.Replace(good, `["refused","ok"]`, `[]`, 1),
		"unknown need":    strings.Replace(good, `"race"`, `"races"`, 1),
		"unknown action":  strings.Replace(good, `"op":"delete"`, `"op":"remove"`, 1),
		"no path":         strings.Replace(good, `"path"`, `"from"`, 1),
		"no disk tests":   strings.Replace(good, `["true"]`, `[]`, 1),
		"no outcome":      strings.Replace(good, `"outcome":["refused","ok"],`, ``, 1),
		"unknown effect":  strings.Replace(good, `"disk"`, `"effect":"done","disk"`, 1),
		"bad timeout":     strings.Replace(good, `"path":"x"`, `"path":"x","timeout":"soon"`, 1),
		"same id twice":   good[:len(good)-1] + "," + good[1:],
	} {
		if _, err := parse([]byte(bad)); err == nil {
			t.Errorf("%s: accepted %s", name, bad)
		}
	}
}
