// Package worker gives each run of a script a process of its own: a child of the
// same program, confined by the kernel, which can be killed whatever the script
// does.
//
//	func main() {
//		worker.Main() // first thing: in a child it does not return
//		pool := worker.New(worker.Config{})
//		defer pool.Close()
//		report := runtime.Run(ctx, script, host, runtime.Options{Engine: pool})
//	}
//
// A program that does not call [Main] must not use a [Pool], and keeps the
// engine in its own process.
package worker
