package main

import (
	"errors"
	"os/user"
	"path/filepath"
	"strings"
)

// environment is the process's, as "NAME=value" strings.
type environment []string

// get returns the value of name, "" if it is not set.
func (e environment) get(name string) string {
	for _, pair := range e {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// home is the person's home directory.
func (e environment) home() (string, error) {
	if home := e.get("HOME"); filepath.IsAbs(home) {
		return filepath.Clean(home), nil
	}
	if home := accountHome(); home != "" {
		return home, nil
	}
	return "", errors.New("the home directory is unknown; set HOME to an absolute path")
}

// editor is the person's, as a command of the shell.
func (e environment) editor() string {
	for _, variable := range []string{"VISUAL", "EDITOR"} {
		if program := e.get(variable); program != "" {
			return program
		}
	}
	return "vi"
}

// homes are all home directories of the person.
func (e environment) homes() ([]string, error) {
	home, err := e.home()
	if err != nil {
		return nil, err
	}
	if account := accountHome(); account != "" && account != home {
		return []string{home, account}, nil
	}
	return []string{home}, nil
}

// accountHome is the home directory that the system has on record, which HOME
// may differ from (under sudo, for instance).
func accountHome() string {
	account, err := user.Current()
	if err != nil || !filepath.IsAbs(account.HomeDir) {
		return ""
	}
	return filepath.Clean(account.HomeDir)
}

// base is one of the base directories of the XDG specification, which says
// that a relative path in the variable is to be ignored.
func (e environment) base(variable, fallback string) (string, error) {
	if dir := e.get(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "codemode"), nil
	}
	home, err := e.home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, fallback, "codemode"), nil
}

// configDir holds the person's configuration.
func (e environment) configDir() (string, error) {
	return e.base("XDG_CONFIG_HOME", ".config")
}

// stateDir holds the journals.
func (e environment) stateDir() (string, error) {
	return e.base("XDG_STATE_HOME", filepath.Join(".local", "state"))
}
