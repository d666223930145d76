package test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	// The tests run the program and do not call it. This import makes go test's cache depend on it.
	_ "pillion.dev/pillion/internal/edge/command"
)

var program = flag.String("pillion", "", "test this program instead of building one")

// root is the directory of the module, and binDir that of the pillion under test. Both are absolute, because tests run
// tools in other directories.
var root, binDir string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runWithPillion(m))
}

// runWithPillion builds the program once and adds it to PATH, where kustomize and kpt look for exec functions.
func runWithPillion(m *testing.M) int {
	var err error
	if root, err = filepath.Abs(".."); err != nil {
		return fail(err)
	}
	if binDir, err = os.MkdirTemp("", "pillion-test"); err != nil {
		return fail(err)
	}
	defer os.RemoveAll(binDir) //nolint:errcheck // a directory left in the temporary space harms nobody

	if err := putPillionInto(binDir); err != nil {
		return fail(err)
	}
	if err := os.Setenv("PATH", binDir+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		return fail(err)
	}
	defer removeImages()
	return m.Run()
}

func putPillionInto(dir string) error {
	path := filepath.Join(dir, "pillion")
	if *program != "" {
		return os.Symlink(*program, path)
	}
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = root
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as in the Makefile
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building pillion: %w\n%s", err, out)
	}
	return nil
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
