//go:build !nokustomize

// Package kustomization builds kustomizations in process, without plugins and without network.
package kustomization

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// Build is the manifests that a kustomization makes, as kustomize build prints them; it may be that it makes none.
func Build(dir string) ([]byte, error) {
	all := newDisk()
	return build(all, all, dir)
}

// BuildWithin is Build for a kustomization by a stranger: nothing outside of the directory root is read.
func BuildWithin(root, dir string) ([]byte, error) {
	all := newDisk()
	inside, err := newBounded(all, root)
	if err != nil {
		return nil, err
	}
	return build(all, inside, dir)
}

// build builds from what is visible of a disk.
func build(all *disk, visible filesys.FileSystem, dir string) ([]byte, error) {
	if !visible.IsDir(dir) {
		return nil, fmt.Errorf("there is no directory %s to build", dir)
	}
	offline()
	defer withoutPrograms()()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(visible, dir)
	switch {
	case all.refused != nil:
		return nil, all.refused
	case err != nil:
		return nil, explain(dir, err)
	}
	return built.AsYaml()
}

// offline takes HTTP away from the program, which has no other use for it: any path in a
// kustomization, and in what it refers to, may be an address to kustomize.
var offline = sync.OnceFunc(func() { http.DefaultTransport = noNetwork{} })

type noNetwork struct{}

// RoundTrip refuses.
func (noNetwork) RoundTrip(request *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("%s is on another machine, and Pillion fetches nothing; copy it into the tree", request.URL)
}

// withoutPrograms lets no program be found until what it returns is called: for what is not on
// this machine, kustomize runs git. What looks like a repository to it is its own business and
// changes, so nothing here tells a path from an address.
func withoutPrograms() (restore func()) {
	path, set := os.LookupEnv("PATH")
	_ = os.Unsetenv("PATH") // fails for names that are none
	return func() {
		if set {
			_ = os.Setenv("PATH", path) // as it was
		}
	}
}

// explain adds what to do to kustomize's own words.
func explain(dir string, err error) error {
	words := err.Error()
	switch {
	case strings.Contains(words, "plugins disabled"):
		return fmt.Errorf("the kustomization in %s runs plugins or functions, which -k does not; where that is Pillion itself, take the injector out of its "+
			"transformers and give it with -c, or let kustomize run it: kustomize build --enable-alpha-plugins --enable-exec %[1]s (%w)", dir, err)
	case strings.Contains(words, "no 'git' program on path"):
		return fmt.Errorf("the kustomization in %s refers to a repository, and Pillion fetches nothing; copy it into the tree (where it is there, write ./ in front "+
			"of its path), or pipe what kustomize builds: kustomize build %[1]s | pillion ... -f - (%w)", dir, err)
	}
	return fmt.Errorf("the kustomization in %s cannot be built: %w", dir, err)
}
