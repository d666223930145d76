package tools

import (
	"os/exec"
	"testing"
)

// version is how to ask a program for its version, for those that are found and not built.
var version = map[string][]string{
	"docker": {"version", "--format", "{{.Server.Version}}"},
	"kpt":    {"version"},
}

// Installed is the path of a program that is not built here, and skips the test where it is not on PATH or does not answer.
func Installed(tb testing.TB, name string) string {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Uses(tb, name, "-")
		Need(tb, name, "not on PATH")
	}
	ask, known := version[name]
	if !known {
		return path // a tool of every machine, such as git, is not what is tested
	}
	out, err := exec.Command(path, ask...).CombinedOutput()
	if err != nil {
		Uses(tb, name, "-")
		Need(tb, name, "it does not answer: "+lastLine(out))
	}
	Uses(tb, name, lastLine(out))
	return path
}
