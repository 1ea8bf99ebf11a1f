package gitstate

// foldNames: the file systems of this platform usually ignore case.
const foldNames = true

func isPlatformControlName(name string) bool { return ntfsControlName(name) }
