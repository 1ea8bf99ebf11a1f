package bindings_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"codemode/bindings"
	"codemode/ops"
	"codemode/ops/policy"
	"codemode/runtime"
)

// clean is the example of the README: it lets a script delete a folder.
func clean(ctx context.Context, dir string) error {
	session, err := ops.Open(ops.Config{
		Dir: dir,
		Approve: func(ctx context.Context, q policy.Question) (bool, error) {
			fmt.Println("approve", q.Operation, filepath.Base(string(q.Path)), q.Reasons)
			return true, nil
		},
	})
	if err != nil {
		return err
	}
	defer session.Close()
	report := bindings.Run(ctx, session, bindings.Options{
		Script: runtime.Script{Name: "clean.js", Source: `
			await tools.delete({ path: "build" });
			return "clean";
		`},
		Timeout: 10 * time.Second,
	})
	if report.Error != nil {
		return errors.New(report.Error.Message)
	}
	for _, receipt := range report.Operations {
		fmt.Println(receipt.Operation, receipt.Effect)
	}
	return nil
}

func Example_embedding() {
	dir, err := os.MkdirTemp("", "codemode-example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.MkdirAll(filepath.Join(dir, "build"), 0o755)
	if err := clean(context.Background(), dir); err != nil {
		panic(err)
	}
	// Output:
	// approve delete build [no-git]
	// delete applied
}
