//go:build !linux

package main

import "errors"

var errLinux = errors.New("file operations exist on Linux only")

func (*lab) mount(kind) (string, func() error, error) { return "", nil, errLinux }

func syncVolume(string) error { return errLinux }

func dropCaches() error { return errLinux }
