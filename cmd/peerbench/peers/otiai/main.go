// Command otiai copies a tree with otiai10/copy, for peerbench. It is a module
// of its own, so that codemode does not depend on its peer.
package main

import (
	"fmt"
	"os"

	"github.com/otiai10/copy"
)

func main() {
	if err := copy.Copy(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
