package runtime_test

import (
	"context"
	"os"
	"testing"
	"time"

	"codemode/runtime"
)

const timeAndChance = `
const start = Date.now(), t0 = performance.now();
await new Promise(r => setTimeout(r, 20));
const waited = Date.now() - start;
while (Date.now() - start < 500);
return [start, waited >= 20 && waited < 1000, performance.now() > t0, Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(3))],
	new Date().getTimezoneOffset(), new Date(2024, 0, 5, 12).toISOString(), String(new Date(2024, 6, 5)), new Date('2024-07-05T10:00').toISOString(),
	new Date('July 5, 2024 10:00').toISOString(), new Date('2024-07-05').getHours(), Date.UTC(2024, 0), Date.parse('2024-07-05T10:00:00+02:00'),
	new Date(Date.UTC(2024, 0, 5)).toLocaleString(), Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(0).setHours(5), new Date(NaN).getTimezoneOffset(),
	typeof Date(), new Date(2024, 0) instanceof Date, Date.name, new Date(new Date(5)).getTime(), class extends Date {}.name]`

// TestDeterministicRunsAreEqual holds that also where the process has another
// time zone.
func TestDeterministicRunsAreEqual(t *testing.T) {
	local := time.Local
	defer func() { time.Local = local }()
	var values []string
	for _, zone := range []string{"UTC", "America/New_York", "Asia/Kolkata"} {
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv(isolatedEnv) == "" { // a child has no zone, whatever its parent's is
			time.Local = location
		}
		script := runtime.Script{Source: timeAndChance, Deterministic: true}
		r := runtime.Run(context.Background(), script, &fakeHost{}, runtime.Options{Deadline: runtime.NewDeadline(20 * time.Second)})
		if !r.OK {
			t.Fatalf("%s: %s\n%s", zone, r.Error.Message, r.Error.Stack)
		}
		values = append(values, string(r.Value))
	}
	for _, v := range values {
		if v != values[0] {
			t.Errorf("got %s\nand %s", values[0], v)
		}
	}
	t.Log(values[0])
	r := runtime.Run(context.Background(), runtime.Script{Source: "return [Math.random(), Date.now()]"}, &fakeHost{}, runtime.Options{})
	again := runtime.Run(context.Background(), runtime.Script{Source: "return [Math.random(), Date.now()]"}, &fakeHost{}, runtime.Options{})
	if string(r.Value) == string(again.Value) {
		t.Errorf("two ordinary runs both gave %s", r.Value)
	}
}
