package runtime_test

import (
	"context"
	"fmt"

	"codemode/runtime"
)

func ExampleSession() {
	session := runtime.NewSession()
	defer session.Close()
	say := func(source string) {
		script := runtime.Script{Source: source, Interactive: true}
		report := runtime.Run(context.Background(), script, greeter{}, runtime.Options{Session: session})
		fmt.Println(report.Shown)
	}
	say("const greet = name => tools.greet({name})")
	say("await greet('you')")
	say("[_, _.length]")
	// Output:
	// undefined
	// 'Hello, you!'
	// [ 'Hello, you!', 11 ]
}
