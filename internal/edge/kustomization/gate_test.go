package kustomization

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const anywhere = "/anywhere/bin"

// isOpen reports whether HTTP and PATH are as they were before.
func isOpen(before http.RoundTripper) bool {
	return http.DefaultTransport == before && os.Getenv("PATH") == anywhere
}

func TestTheGateOpensWithTheLastBuild(t *testing.T) {
	t.Setenv("PATH", anywhere)
	before := http.DefaultTransport
	var g gate
	first := g.close()
	second := g.close()
	first()
	if _, hasPath := os.LookupEnv("PATH"); hasPath || http.DefaultTransport != (noNetwork{}) {
		t.Error("the gate is open during the second build")
	}
	second()
	if !isOpen(before) {
		t.Error("the gate stays closed")
	}
	_ = os.Unsetenv("PATH")
	g.close()()
	if _, hasPath := os.LookupEnv("PATH"); hasPath {
		t.Error("PATH is set, and was not")
	}
}

func TestBuildsAtTheSameTimeReachNothingOutside(t *testing.T) {
	t.Setenv("PATH", anywhere)
	before := http.DefaultTransport
	resources := []string{"https://127.0.0.1:1/pod.yaml", "https://github.com/a/b", "pod.yaml"}
	errs := make([]error, 3*len(resources))
	var builds sync.WaitGroup
	for i := range errs {
		dir := t.TempDir()
		write(t, dir, "kustomization.yaml", "resources: ["+resources[i%len(resources)]+"]\n")
		write(t, dir, "pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n")
		builds.Go(func() { _, errs[i] = NewDisk(nil).Build(dir) })
	}
	builds.Wait()
	if !isOpen(before) {
		t.Error("a build leaves HTTP or programs closed")
	}
	for i, err := range errs {
		isRemote := i%len(resources) < 2
		if (err != nil) != isRemote || isRemote && !strings.Contains(err.Error(), "Pillion fetches nothing") {
			t.Errorf("%s: %v", resources[i%len(resources)], err)
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
