package command_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"pillion.dev/pillion/internal/edge/command"
)

var update = flag.Bool("update", false, "write what the scripts expect again instead of comparing with it")

func TestMain(m *testing.M) {
	run := func() { os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
	testscript.Main(m, map[string]func(){"pillion": run, "kubectl-pillion": run})
}

// TestScripts runs the command line as people do: a script for each verb and for each mistake.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"mode":      mode,
			"replace":   replace,
			"interrupt": interrupt,
		},
		Condition: func(name string) (bool, error) {
			if name == "posix" {
				return runtime.GOOS != "windows", nil
			}
			return false, errors.New("no such condition: " + name)
		},
	})
}

// exits runs a command and holds its exit code against a number: exits 2 pillion diff.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitCodeOf(ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func exitCodeOf(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	default:
		return -1
	}
}

// mode holds the permissions of a file against a number: mode 640 web.yaml.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := strconv.FormatUint(uint64(info.Mode().Perm()), 8); got != args[0] {
		ts.Fatalf("%s has mode %s, want %s", args[1], got, args[0])
	}
}

// replace replaces a text in files, as a bot does: replace logs:1 logs:2 k8s/web.yaml.
func replace(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args[2:] {
		before := ts.ReadFile(name)
		after := strings.ReplaceAll(before, args[0], args[1])
		if after == before {
			ts.Fatalf("%s has no %s", name, args[0])
		}
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(after), 0o644))
	}
}

// interrupt runs a command whose standard input never ends, and sends it the signal of Ctrl-C while it reads.
func interrupt(ts *testscript.TestScript, _ bool, args []string) {
	cmd := exec.Command(args[0], args[1:]...)
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd.Path, cmd.Dir = path, ts.MkAbs(".")
	stdin, err := cmd.StdinPipe()
	ts.Check(err)
	defer stdin.Close() //nolint:errcheck // the command is gone by then
	ts.Check(cmd.Start())
	_, err = stdin.Write(make([]byte, 1<<20)) // more than a pipe holds, so that the command reads once this returns
	ts.Check(err)
	ts.Check(cmd.Process.Signal(os.Interrupt))
	if err := cmd.Wait(); err == nil || err.Error() != "signal: interrupt" { // to the shell, exit code 130
		ts.Fatalf("got %v, want an end by the signal", err)
	}
}
