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

// testImage has a registry in its name: kpt takes a bare name for one of its own catalog. Its tag is this run's own, since
// an engine is shared by all who test on a machine, and each takes its image away at the end.
var testImage = "pillion.dev/pillion:test-" + strconv.Itoa(os.Getpid())

// tool is the path of a program, and skips the test where it is not installed.
func tool(t *testing.T, name string) string {
	t.Helper()
	return tools.Installed(t, name)
}

// kustomize is the real program.
func kustomize(t *testing.T) string {
	t.Helper()
	return tools.Kustomize.Path(t)
}

// fluxbuild is Flux's own builder, from the module in test/flux.
func fluxbuild(t *testing.T) string {
	t.Helper()
	return tools.FluxBuild.Path(t)
}

// image is the container image of Pillion, built once by the Makefile; it skips where no Docker engine answers.
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

// imageBuilt tells that there is an image to remove at the end.
var imageBuilt atomic.Bool

// removeImage leaves nothing behind in the engine; where that fails, an image is left, and no test has failed for it.
func removeImage() {
	if imageBuilt.Load() {
		_ = exec.Command("docker", "image", "rm", "--force", testImage).Run()
	}
}
