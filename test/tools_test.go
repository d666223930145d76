package test

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pillion.dev/pillion/test/tools"
)

// testImage has a registry in its name, because kpt takes a plain name for one of its own catalog. Its tag is unique for this
// run, because other tests on the machine may use the same Docker engine.
var testImage = "pillion.dev/pillion:test-" + strconv.Itoa(os.Getpid())

// tool returns the path of a program, and skips the test if it is not installed.
func tool(t *testing.T, name string) string {
	t.Helper()
	return tools.Installed(t, name)
}

// kustomize returns the path of the real program.
func kustomize(t *testing.T) string {
	t.Helper()
	return tools.Kustomize.Path(t)
}

// fluxbuild returns the path of Flux's own builder, from the module in test/flux.
func fluxbuild(t *testing.T) string {
	t.Helper()
	return tools.FluxBuild.Path(t)
}

// image builds the container image once by the Makefile, and returns its name. It skips the test if there is no Docker engine.
func image(t *testing.T) string {
	t.Helper()
	tool(t, "docker")
	tool(t, "make")
	if out, err := buildImage(); err != nil {
		t.Fatalf("make image: %v\n%s", err, out)
	}
	return testImage
}

var buildImage = sync.OnceValues(func() (string, error) {
	name, tag, _ := strings.Cut(testImage, ":")
	build := exec.Command("make", "image", "IMAGE="+name, "VERSION="+tag, "GOARCH="+runtime.GOARCH)
	build.Dir = root
	out, err := build.CombinedOutput()
	imageBuilt.Store(err == nil)
	return string(out), err
})

// imageBuilt is whether there is an image to remove at the end.
var imageBuilt atomic.Bool

// removeImage removes the image. If that fails, an image is left behind, and no test fails.
func removeImage() {
	if imageBuilt.Load() {
		_ = exec.Command("docker", "image", "rm", "--force", testImage).Run()
	}
}
