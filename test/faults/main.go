// Faults plants faults in packages, one at a time, and tells how many of them the packages' own tests notice. It must run
// in the module. The tests run in short mode. The faults are spread over each package, and the same for the same seed.
// The files stay as they are: the compiler gets the changed ones as an overlay.
//
//	go run ./test/faults ./internal/core/stamp
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

func main() {
	count := flag.Int("count", 20, "the number of faults in each package")
	least := flag.Int("least", 16, "the number of faults that must be noticed in each package")
	seed := flag.Uint64("seed", 1, "which faults")
	flag.Parse()
	isEnough := true
	for _, name := range flag.Args() {
		noticed, err := check(name, *count, *seed)
		if err != nil {
			fmt.Fprintf(os.Stderr, "faults: %s: %v\n", name, err)
			os.Exit(1)
		}
		isEnough = isEnough && noticed >= *least
	}
	if !isEnough {
		os.Exit(1)
	}
}

// subject is a package whose tests are tested.
type subject struct {
	Dir          string
	ImportPath   string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	scratch      string        // a directory
	takes        time.Duration // the tests without a fault
}

// check prints which faults the tests of a package do not notice, and returns how many they do.
func check(name string, count int, seed uint64) (noticed int, err error) {
	s, err := load(name)
	if err != nil {
		return 0, err
	}
	if len(s.TestGoFiles)+len(s.XTestGoFiles) == 0 {
		fmt.Printf("%s: it has no tests\n", s.ImportPath)
		return 0, nil
	}
	s.scratch, err = os.MkdirTemp("", "faults")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(s.scratch) //nolint:errcheck // a directory left in the temporary space harms nobody
	if !s.compiles(nil) {
		return 0, errors.New("its tests do not compile")
	}
	start := time.Now()
	if !s.passes(time.Minute) {
		return 0, errors.New("its tests fail or take minutes without a fault")
	}
	s.takes = time.Since(start)

	var all []fault
	for _, file := range s.GoFiles {
		found, err := faultsIn(filepath.Join(s.Dir, file))
		if err != nil {
			return 0, err
		}
		all = append(all, found...)
	}
	planted := 0
	for _, group := range spread(all, count, seed) {
		for _, f := range group {
			if !s.compiles(&f) {
				continue // another one of the group takes its place
			}
			planted++
			if s.passes(10*s.takes + 10*time.Second) {
				fmt.Println("not noticed:", f)
			} else {
				noticed++
			}
			break
		}
	}
	fmt.Printf("%s: %d of %d faults are noticed; the tests take %s\n", s.ImportPath, noticed, planted, s.takes.Round(100*time.Millisecond))
	return noticed, nil
}

func load(name string) (s subject, err error) {
	text, err := exec.Command("go", "list", "-json=Dir,ImportPath,GoFiles,TestGoFiles,XTestGoFiles", name).Output()
	if err != nil {
		return s, err
	}
	err = json.Unmarshal(text, &s)
	return s, err
}

// compiles compiles the tests with a fault, if there is one, and reports whether that is possible.
func (s subject) compiles(f *fault) bool {
	overlay := map[string]map[string]string{"Replace": {}}
	if f != nil {
		overlay["Replace"][f.file] = s.write("fault.go", f.planted())
	}
	text, _ := json.Marshal(overlay)
	at := s.write("overlay.json", text)
	return exec.Command("go", "test", "-c", "-vet=off", "-overlay", at, "-o", s.tests(), s.ImportPath).Run() == nil
}

// write writes a file into the scratch directory, and returns its path. If that fails, the compiler does as well.
func (s subject) write(name string, text []byte) string {
	path := filepath.Join(s.scratch, name)
	_ = os.WriteFile(path, text, 0o600)
	return path
}

func (s subject) tests() string { return filepath.Join(s.scratch, "tests") }

// passes runs the tests that were compiled last, with bounds for their time and memory: a fault may make a loop endless.
func (s subject) passes(most time.Duration) bool {
	const kibibytes = "6000000"
	tests := exec.Command("sh", "-c", "ulimit -v "+kibibytes+` && exec "$@"`, "sh", s.tests(), "-test.short", "-test.failfast",
		"-test.timeout="+most.String())
	tests.Dir = s.Dir
	tests.Env = append(os.Environ(), "TMPDIR="+s.scratch)
	return tests.Run() == nil
}
