package tools

import (
	"os/exec"
	"strings"
	"testing"
)

// version is the arguments with which installed programs print their version.
var version = map[string][]string{
	"docker":  {"version", "--format", "{{.Server.Version}}"},
	"kpt":     {"version"},
	"kubectl": {"version", "--client"},
}

// Installed returns the path of a program that is not built here. It skips the test if the program is not on PATH or
// does not run.
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
	Uses(tb, name, versionIn(out))
	return path
}

// versionIn returns the version in what a program prints: the last line, or that of the client before the others of
// kubectl.
func versionIn(out []byte) string {
	if _, client, found := strings.Cut(string(out), "Client Version: "); found {
		client, _, _ = strings.Cut(client, "\n")
		return client
	}
	return lastLine(out)
}
