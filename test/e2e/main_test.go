package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	// The tests run the program and do not call it. This import makes go test's cache depend on it.
	_ "pillion.dev/pillion/internal/edge/command"
	"pillion.dev/pillion/test/tools"
)

// root is the module's directory, and binDir the directory of the programs under test, which is on PATH.
var root, binDir string

func TestMain(m *testing.M) {
	flag.Parse()
	if !tools.E2E() {
		fmt.Println("not run: make e2e runs the pipelines with the real tools")
		return
	}
	os.Exit(runWithPrograms(m))
}

func runWithPrograms(m *testing.M) int {
	root = tools.Root()
	var err error
	if binDir, err = os.MkdirTemp("", "pillion-e2e"); err != nil {
		return fail(err)
	}
	defer os.RemoveAll(binDir) //nolint:errcheck // a directory left in the temporary space harms nobody
	build := exec.Command("go", "build", "-o", binDir+string(filepath.Separator), ".", "./pipelines/argocd/pillion-argocd")
	build.Dir = root
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fail(fmt.Errorf("building pillion: %w\n%s", err, out))
	}
	if err := os.Setenv("PATH", binDir+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		return fail(err)
	}
	return m.Run()
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
