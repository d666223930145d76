// Mutants checks the tests of admission policies: it changes single lines of the compiler, one at a time, and runs the tests. A change that
// no test notices is a missing test.
//
//	go -C test/admission run ./mutants [NAME ...]
//
// It takes about half a minute for each mutation, and changes no file: go test gets the changed file by -overlay. A mutation whose line does
// not exist any more is an error.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(names []string) error {
	if err := checkAll(); err != nil {
		return err
	}
	var survivors []string
	for _, m := range mutations {
		if len(names) > 0 && !slices.Contains(names, m.name) {
			continue
		}
		start := time.Now()
		killer, err := m.test()
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if killer == "" {
			killer = "SURVIVES"
			survivors = append(survivors, m.name)
		}
		fmt.Printf("%-40s %-14s %5.0fs  %s\n", m.name, m.file, time.Since(start).Seconds(), killer)
	}
	if len(survivors) > 0 {
		return fmt.Errorf("no test notices: %s", strings.Join(survivors, ", "))
	}
	return nil
}

// checkAll checks that each mutation changes exactly one place, before the first one takes time.
func checkAll() error {
	var errs []error
	for _, m := range mutations {
		_, err := m.changed()
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// path returns the absolute path of the file. The program runs in the directory of its module.
func (m mutation) path() (string, error) {
	return filepath.Abs(filepath.Join("..", "..", "internal", "admission", m.file))
}

// changed returns the text of the file with the change.
func (m mutation) changed() (string, error) {
	path, err := m.path()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("%s: %s has the text %d times, want once: %s", m.name, m.file, n, m.old)
	}
	return strings.Replace(string(text), m.old, m.replacement, 1), nil
}

// suites are the tests, those first that take less time.
var suites = []struct {
	dir  string
	args []string
}{
	{"../..", []string{"./internal/admission"}},
	{".", []string{"-short", "."}},
	{".", []string{"."}},
}

// test returns the name of the first test that fails with the mutation, or "" if none does.
func (m mutation) test() (string, error) {
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a directory left in the temporary space harms nobody
	overlay, err := m.writeOverlay(dir)
	if err != nil {
		return "", err
	}
	for _, suite := range suites {
		args := append([]string{"test", "-overlay", overlay, "-count=1", "-failfast", "-vet=off", "-timeout=20m"}, suite.args...)
		command := exec.Command("go", args...)
		command.Dir = suite.dir
		output, err := command.CombinedOutput()
		switch {
		case err == nil:
			continue
		case strings.Contains(string(output), "[build failed]"):
			return "", fmt.Errorf("it does not compile:\n%s", output)
		default:
			return firstFailure(string(output))
		}
	}
	return "", nil
}

// writeOverlay writes the changed file and the file that names it, and returns the latter.
func (m mutation) writeOverlay(dir string) (string, error) {
	path, err := m.path()
	if err != nil {
		return "", err
	}
	text, err := m.changed()
	if err != nil {
		return "", err
	}
	changed := filepath.Join(dir, m.file)
	if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
		return "", err
	}
	content, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, content, 0o600)
}

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// firstFailure returns the deepest test of the first failure: its line follows that of the tests that it belongs to.
func firstFailure(output string) (string, error) {
	name := ""
	for _, match := range failure.FindAllStringSubmatch(output, -1) {
		if !strings.HasPrefix(match[1], name) {
			break
		}
		name = match[1]
	}
	if name == "" {
		return "", fmt.Errorf("the tests fail without the name of a test:\n%s", output)
	}
	return name, nil
}
