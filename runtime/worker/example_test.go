package worker_test

import (
	"context"
	"fmt"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

// A script that would end a process ends its own. In a program, main calls
// [worker.Main] first; in tests, TestMain does.
func Example() {
	for _, source := range []string{"return await tools.echo({n: 1})", "'x'.repeat(2 ** 31)", "let a = []; a.length = 2 ** 32 - 1; a.indexOf(1)"} {
		report := isolated(source)
		if report.OK {
			fmt.Println(string(report.Value))
		} else {
			fmt.Println(report.Error.Kind)
		}
	}
	// Output:
	// {"n":1}
	// memory
	// timeout
}

func isolated(source string) runtime.Report {
	pool := worker.New(worker.Config{})
	defer pool.Close()
	report := runtime.Run(context.Background(), runtime.Script{Source: source}, echo{}, runtime.Options{
		Engine:   pool,
		Deadline: runtime.NewDeadline(300 * time.Millisecond),
	})
	return report
}
