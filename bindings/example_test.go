package bindings_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
	"codemode/runtime"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := os.MkdirAll(filepath.Join(dir, "build", "old"), 0o755); err != nil {
		fmt.Println(err)
		return
	}
	ask := func(q policy.Question) bool {
		fmt.Println("asked about", filepath.Base(string(q.Path)), q.Reasons)
		return true
	}
	const source = `
		await tools.move({path: 'build/old', target: 'attic'});
		await tools.delete({path: 'build'});`
	if err := tidy(context.Background(), dir, source, ask); err != nil {
		fmt.Println(err)
	}
	// Output:
	// asked about old [no-git]
	// asked about build [no-git]
	// move applied
	// delete applied
}

func tidy(ctx context.Context, dir, source string, ask func(policy.Question) bool) error {
	session, err := ops.Open(ops.Config{
		Dir: dir,
		Approve: func(ctx context.Context, q policy.Question) (bool, error) {
			return ask(q), nil
		},
	})
	if err != nil {
		return err
	}
	defer session.Close()
	report := bindings.Run(ctx, session, bindings.Options{
		Script:  runtime.Script{Name: "tidy.js", Source: source},
		Timeout: time.Minute,
		Memory:  256 << 20,
	})
	for _, receipt := range report.Operations {
		fmt.Println(receipt.Operation, receipt.Effect)
	}
	return nil
}
