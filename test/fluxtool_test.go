package test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// fluxbuild is Flux's own builder, built once from the module in test/flux into the cache at the module's root. That takes
// minutes, so it is done only where it is asked for.
func fluxbuild(t *testing.T) string {
	t.Helper()
	path, err := buildFlux()
	if err != nil {
		need(t, "Flux's builder", err.Error())
	}
	return path
}

var buildFlux = sync.OnceValues(func() (string, error) {
	path := filepath.Join(root, ".cache", "fluxbuild-v1.41.0", "fluxbuild")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if !*e2e {
		return "", errors.New("it is built with go test ./test -e2e, once")
	}
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = filepath.Join(root, "test", "flux")
	if out, err := build.CombinedOutput(); err != nil {
		return "", &unavailable{"test/flux", lastLine(out)}
	}
	return path, nil
})
