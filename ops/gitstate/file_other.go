//go:build !unix

package gitstate

import "os"

const openFlags = os.O_RDONLY

func isNotDir(error) bool { return false }
