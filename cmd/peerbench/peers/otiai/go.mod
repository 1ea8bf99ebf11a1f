module peerbench/otiai

go 1.26.0

require github.com/otiai10/copy v1.14.1

require (
	github.com/otiai10/mint v1.6.3 // indirect
	golang.org/x/sync v0.8.0 // indirect
	golang.org/x/sys v0.24.0 // indirect
)
