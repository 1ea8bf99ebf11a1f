package gitstate

import "strings"

// IsControlName reports whether a single name (not a path) means ".git" on any
// file system that may be mounted here. Case never matters: a tree written on
// one system is used on another. On macOS and Windows the other spellings
// count too that their file systems take for ".git".
func IsControlName(name string) bool {
	return strings.EqualFold(name, ".git") || isPlatformControlName(name)
}

// IsBareLayout reports whether a directory has the entries that make Git use it
// as a repository without a ".git" around it. has tells whether the directory
// has an entry of the given name.
//
// It looks at names only and so says yes to some directories that Git would
// refuse.
func IsBareLayout(has func(name string) bool) bool {
	return has("HEAD") && (has("objects") && has("refs") || has("commondir"))
}

// hfsControlName: HFS+ ignores a number of invisible characters in names.
func hfsControlName(name string) bool {
	return strings.EqualFold(strings.Map(func(r rune) rune {
		if hfsIgnored(r) {
			return -1
		}
		return r
	}, name), ".git")
}

func hfsIgnored(r rune) bool {
	return r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff
}

// ntfsControlName: Windows drops trailing dots and blanks, gives a short name
// to what has none, and opens a stream for what follows a colon.
func ntfsControlName(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimRight(name, ". ")
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}
