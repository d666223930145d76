package test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	// The tests run the program and do not call it; with this, go test's cache knows that they depend on it all the same.
	_ "pillion.dev/pillion/internal/command"
)

var (
	update  = flag.Bool("update", false, "write the golden files again instead of comparing with them")
	program = flag.String("pillion", "", "test this program instead of building one")
)

// root is the module's directory, and binDir the directory that holds the pillion under test: both are absolute, since
// tests run tools in other directories.
var root, binDir string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runWithPillion(m))
}

// runWithPillion builds the program once and puts it on PATH, which is where exec functions are found by bare name.
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
	defer removeImage()
	return m.Run()
}

func putPillionInto(dir string) error {
	path := filepath.Join(dir, "pillion")
	if *program != "" {
		return os.Symlink(*program, path)
	}
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building pillion: %w\n%s", err, out)
	}
	return nil
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
