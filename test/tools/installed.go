package tools

import (
	"os/exec"
	"testing"
)

// version is the arguments with which installed programs print their version.
var version = map[string][]string{
	"docker": {"version", "--format", "{{.Server.Version}}"},
	"kpt":    {"version"},
}

// Installed returns the path of a program that is not built here. It skips the test if the program is not on PATH or does not
// run.
func Installed(tb testing.TB, name string) string {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Uses(tb, name, "-")
		Need(tb, name, "not on PATH")
	}
	args, known := version[name]
	if !known {
		return path // the tests are not about tools that every machine has, such as git
	}
	out, err := exec.Command(path, args...).CombinedOutput()
	if err != nil {
		Uses(tb, name, "-")
		Need(tb, name, "it does not run: "+lastLine(out))
	}
	Uses(tb, name, lastLine(out))
	return path
}
