package test

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

// run runs a program in dir with stdin. It fails the test only if the program cannot be started.
func run(t *testing.T, dir, stdin, name string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := exec.Command(name, args...)
	command.Dir = dir
	command.Stdin = strings.NewReader(stdin)
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", name, err)
	}
	return result{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}
}

// mustRun runs a program that has to succeed.
func mustRun(t *testing.T, dir, stdin, name string, args ...string) result {
	t.Helper()
	r := run(t, dir, stdin, name, args...)
	if r.exitCode != 0 {
		t.Fatalf("%s %s: exit code %d\n%s%s", name, strings.Join(args, " "), r.exitCode, r.stderr, r.stdout)
	}
	return r
}

// gitRepository makes dir a git repository with all its files committed, so that gitDiff shows what a tool changes.
func gitRepository(t *testing.T, dir string) {
	t.Helper()
	tool(t, "git")
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	for _, name := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+name+"_NAME", "Test")
		t.Setenv("GIT_"+name+"_EMAIL", "test@example.com")
	}
	mustRun(t, dir, "", "git", "init", "--quiet")
	mustRun(t, dir, "", "git", "add", "--all")
	mustRun(t, dir, "", "git", "commit", "--quiet", "--message", "before")
}

// gitDiff returns the changes since gitRepository, including new files. It leaves out the Kptfile, where newer versions
// of kpt write notes about the run, and the `index` lines, which repeat the changes as hashes.
func gitDiff(t *testing.T, dir string) string {
	t.Helper()
	mustRun(t, dir, "", "git", "add", "--all", "--intent-to-add")
	diff := mustRun(t, dir, "", "git", "diff", "--no-color", "--no-ext-diff", "--", ".", ":!Kptfile").stdout
	var lines strings.Builder
	for line := range strings.Lines(diff) {
		if !strings.HasPrefix(line, "index ") {
			lines.WriteString(line)
		}
	}
	return lines.String()
}
