package test

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"pillion.dev/pillion/test/tools"
)

// testImage has a registry in its name, because kpt takes a plain name for one of its own catalog. Its tag is unique
// for this run, because other tests on the machine may use the same Docker engine.
var (
	testImageName, testImageTag = "pillion.dev/pillion", "test-" + strconv.Itoa(os.Getpid())

	testImage = testImageName + ":" + testImageTag
	// testAuditImage is the image of the watcher.
	testAuditImage = testImageName + "-audit:" + testImageTag
)

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

// image builds the container image once by the Makefile, and returns its name. It skips the test if there is no Docker
// engine.
func image(t *testing.T) string {
	t.Helper()
	return built(t, testImage, buildImage)
}

// auditImage does the same for the image of the watcher.
func auditImage(t *testing.T) string {
	t.Helper()
	return built(t, testAuditImage, buildAuditImage)
}

var buildImage, buildAuditImage = imageBuilder("image"), imageBuilder("image-audit")

func built(t *testing.T, name string, build func() (string, error)) string {
	t.Helper()
	tool(t, "docker")
	tool(t, "make")
	if out, err := build(); err != nil {
		t.Fatalf("%s cannot be built: %v\n%s", name, err, out)
	}
	return name
}

// imageBuilder returns a function that runs a target of the Makefile once, and returns what make printed.
func imageBuilder(target string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		build := exec.Command("make", target, "IMAGE="+testImageName, "VERSION="+testImageTag, "GOARCH="+runtime.GOARCH)
		build.Dir = root
		out, err := build.CombinedOutput()
		imageBuilt.Store(true)
		return string(out), err
	})
}

// imageBuilt is whether there may be images to remove at the end.
var imageBuilt atomic.Bool

// removeImages removes the images. If that fails, an image is left behind, and no test fails.
func removeImages() {
	if imageBuilt.Load() {
		_ = exec.Command("docker", "image", "rm", "--force", testImage, testAuditImage).Run()
	}
}
