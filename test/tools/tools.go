// Package tools finds and builds the real programs that tests run. Each is built once from its module, in the version
// of the table, into .cache in the root of the repository.
//
// A test logs which tools it uses, and skips if it needs one that is missing.
package tools

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// e2e is for all packages of tests that use tools.
var e2e = flag.Bool("e2e", false, "build the tools that take minutes, and run the tests that need them")

// E2E reports whether the tests run by make e2e, which includes those that take minutes.
func E2E() bool { return *e2e }

// Tool is a real program.
type Tool struct {
	Name, Version string
	slow          bool // to build
	build         func(t Tool, into string) *exec.Cmd
}

// found caches the result for each tool, so that a tool that cannot be built is not tried again by every test.
var found sync.Map

// Path returns the path of the program. It builds the program if necessary, and skips the test if that fails.
func (t Tool) Path(tb testing.TB) string {
	tb.Helper()
	Uses(tb, t.Name, t.Version)
	find, _ := found.LoadOrStore(t.Name+t.Version, sync.OnceValues(t.Find))
	path, err := find.(func() (string, error))()
	if err != nil {
		Need(tb, t.Name, err.Error())
	}
	return path
}

// Uses logs that the test uses a program.
func Uses(tb testing.TB, name, version string) {
	tb.Helper()
	tb.Logf("uses %s %s", name, version)
}

// Need skips the test and names the missing program.
func Need(tb testing.TB, name, why string) {
	tb.Helper()
	tb.Skipf("needs %s: %s", name, why)
}

// Find returns the path of the program, which it builds if necessary.
func (t Tool) Find() (string, error) {
	if t.slow && !*e2e { // even if it is there, so that make test does the same everywhere
		return "", errors.New("it takes minutes to build, and make e2e does it")
	}
	cache := filepath.Join(Root(), ".cache")
	path := filepath.Join(cache, t.Name+"-"+t.Version, t.Name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	// Packages are tested in parallel. Each build renames a complete program to the final path.
	scratch, err := os.MkdirTemp(cache, "build-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // what is left in the cache harms nobody
	build := t.build(t, scratch)
	// With the flags of make test, packages that are compiled already are not compiled again.
	build.Env = append(build.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath", "GOBIN="+scratch)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s %s cannot be built: %s", t.Name, t.Version, lastLine(out))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return path, os.Rename(filepath.Join(scratch, t.Name), path)
}

// Root returns the directory of Pillion's module.
func Root() string {
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}
	}
	panic("the tests do not run within the module")
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
