//go:build !unix

package gitstate

// ownerOf is not known where users have no numbers.
func ownerOf(string) (uid int, known bool) { return 0, false }
