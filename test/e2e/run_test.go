package e2e

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// result is the output and the exit code of a program.
type result struct {
	stdout, stderr string
	exitCode       int
}

// run runs a command. It fails the test only if the command cannot be started.
func run(t *testing.T, command *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", command.Path, err)
	}
	return result{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}
}

// mustRun returns the output of a command that has to succeed.
func mustRun(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	r := run(t, command)
	if r.exitCode != 0 {
		t.Fatalf("%s: exit code %d\n%s%s", strings.Join(command.Args, " "), r.exitCode, r.stderr, r.stdout)
	}
	return r.stdout
}

// copyTree copies a directory, and makes its files plain ones.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
