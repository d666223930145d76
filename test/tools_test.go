package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

const kustomizeModule = "sigs.k8s.io/kustomize/kustomize/v5@v5.8.1"

// testImage has a registry in its name: kpt takes a bare name for one of its own catalog. Its tag is this run's own, since
// an engine is shared by all who test on a machine, and each takes its image away at the end.
var testImage = "pillion.dev/pillion:test-" + strconv.Itoa(os.Getpid())

// need skips the test and names the tool, in the words that test/summary looks for.
func need(t *testing.T, tool, why string) {
	t.Helper()
	t.Skipf("needs %s: %s", tool, why)
}

// tool is the path of a program, and skips the test where it is not installed.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		need(t, name, "not on PATH")
	}
	return path
}

// kustomize is the real program, built once from its module into the cache at the module's root.
func kustomize(t *testing.T) string {
	t.Helper()
	path, err := buildKustomize()
	if err != nil {
		need(t, "kustomize", err.Error())
	}
	return path
}

var buildKustomize = sync.OnceValues(func() (string, error) {
	_, version, _ := strings.Cut(kustomizeModule, "@")
	cache := filepath.Join(root, ".cache", "kustomize-"+version)
	path := filepath.Join(cache, "kustomize")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	install := exec.Command("go", "install", kustomizeModule)
	install.Env = append(os.Environ(), "GOBIN="+cache, "GOFLAGS=")
	if out, err := install.CombinedOutput(); err != nil {
		return "", &unavailable{kustomizeModule, lastLine(out)}
	}
	return path, nil
})

// image is the container image of Pillion, built once by the Makefile; it skips where no Docker engine answers.
func image(t *testing.T) string {
	t.Helper()
	docker := tool(t, "docker")
	if out, err := exec.Command(docker, "version").CombinedOutput(); err != nil {
		need(t, "docker", "no engine answers: "+lastLine(out))
	}
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

type unavailable struct{ what, why string }

func (u *unavailable) Error() string { return u.what + " cannot be had, " + u.why }

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
