package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

type greeter struct{}

func (greeter) Tools() []runtime.Tool {
	return []runtime.Tool{{Name: "greet", Description: "Greets somebody: {name}."}}
}

func (greeter) Call(ctx context.Context, c runtime.Call) runtime.Result {
	var args struct{ Name string }
	if c.Problem != "" || json.Unmarshal(c.Args, &args) != nil {
		return runtime.Result{Err: &runtime.CallError{
			Message: "greet: " + c.Problem,
			Props:   []byte(`{"code":"INVALID_ARGUMENTS"}`),
		}}
	}
	value, _ := json.Marshal("Hello, " + args.Name + "!")
	return runtime.Result{Value: value}
}

func (greeter) Store(string, []byte) error { return errors.New("this host keeps nothing") }
func (greeter) Load(string) ([]byte, bool) { return nil, false }

func Example() {
	script := runtime.Script{Name: "hello.js", Source: `
		text(await tools.greet({name: 'you'}))
		try { await tools.greet({name: () => 'me'}) } catch (e) { text(e.code) }
		return 1 + 1`}
	report := runtime.Run(context.Background(), script, greeter{}, runtime.Options{
		Deadline: runtime.NewDeadline(5 * time.Second),
	})
	for _, o := range report.Output {
		fmt.Println(o.Text)
	}
	fmt.Println(report.OK, string(report.Value))
	// Output:
	// Hello, you!
	// INVALID_ARGUMENTS
	// true 2
}

// TestReadmeShowsTheExample holds that the program in README.md is the one above.
func TestReadmeShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(readme), "```go\n")
	code, _, ok := strings.Cut(code, "```")
	if !ok || !strings.Contains(string(source), code) {
		t.Error("the Go code in README.md is not in example_test.go")
	}
}
