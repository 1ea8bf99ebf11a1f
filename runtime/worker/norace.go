//go:build !race

package worker

const shadowed = 1
