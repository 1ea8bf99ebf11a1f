//go:build !unix

package gitstate

import "os"

const openFlags = os.O_RDONLY

func isAbsent(error) bool { return false }
