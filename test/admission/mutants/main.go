// Mutants checks the tests of admission policies: it makes a mistake in one line of the compiler at a time, and runs the tests. A mistake
// that no test notices is a missing test.
//
//	go -C test/admission run ./mutants [NAME ...]
//
// It changes no file. The package internal/admission is built once more for each mistake, in directories that exist in the -overlay of
// go test only, and the tests choose one of them by the environment. A mistake whose line does not exist any more is an error.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
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
	chosen := mutations
	if len(names) > 0 {
		chosen = slices.DeleteFunc(slices.Clone(mutations), func(m mutation) bool { return !slices.Contains(names, m.name) })
	}
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a directory left in the temporary space harms nobody
	program, err := build(dir, chosen)
	if err != nil {
		return err
	}
	var survivors []string
	for i, m := range chosen {
		start := time.Now()
		killer, err := test(dir, program, i, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if killer == "" {
			killer = "SURVIVES"
			survivors = append(survivors, m.name)
		}
		fmt.Printf("%-32s %-13s %4.0fs  %s\n", m.name, m.file, time.Since(start).Seconds(), killer)
	}
	if len(survivors) > 0 {
		return fmt.Errorf("no test notices: %s", strings.Join(survivors, ", "))
	}
	return nil
}

// test returns the name of the first test that fails with the mistake, or "" if none does.
func test(dir, program string, index int, m mutation) (string, error) {
	overlay, err := m.writeOverlay(dir)
	if err != nil {
		return "", err
	}
	unit := exec.Command("go", "test", "-overlay", overlay, "-vet=off", "-failfast", "./internal/admission")
	unit.Dir = root
	// Tests that take less time come first. The negative control expects policies that are right, and older versions need the same code.
	const unfit, long = "TestChangedPoliciesAreFound|TestOlderVersions", "TestCases|TestExamples|TestPresets|TestRandomPods"
	single := exec.Command(program, "-test.failfast", "-test.skip="+unfit+"|"+long)
	few := exec.Command(program, "-test.failfast", "-test.short", "-test.run="+long)
	all := exec.Command(program, "-test.failfast", "-test.run="+long)
	few.Env, all.Env = []string{skipper + "=true"}, []string{skipper + "=true"}
	for _, command := range []*exec.Cmd{single, few, unit, all} {
		command.Env = append(command.Env, append(os.Environ(), fmt.Sprintf("%s=%d", chooser, index))...)
		output, err := command.CombinedOutput()
		var failed *exec.ExitError
		switch {
		case err == nil:
		case errors.As(err, &failed):
			return firstFailure(string(output))
		default:
			return "", err
		}
	}
	return "", nil
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
