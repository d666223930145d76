//go:build !nokustomize

// Package kustomization builds kustomizations in process, without plugins and without network.
package kustomization

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/internal/files"
)

// Build returns the manifests of a kustomization, as kustomize build prints them. There may be none.
func Build(dir string) ([]byte, error) {
	d := newDisk()
	return build(d, d, dir)
}

// BuildWithin is Build for a kustomization that is not trusted: it reads nothing outside of the directory root.
func BuildWithin(root, dir string) ([]byte, error) {
	d := newDisk()
	return build(d, bounded{d, files.RealPath(root)}, dir)
}

// build builds a kustomization from a view of a disk.
func build(d *disk, view filesys.FileSystem, dir string) ([]byte, error) {
	if !view.IsDir(dir) {
		return nil, fmt.Errorf("there is no directory %s to build; -k takes a directory with a kustomization, and -f takes files", dir)
	}
	offline()
	defer withoutPrograms()()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(view, dir)
	switch {
	case d.refused != nil:
		return nil, d.refused
	case err != nil:
		return nil, explain(dir, err)
	}
	return built.AsYaml()
}

// offline disables HTTP in the whole program, because kustomize may take any path in a kustomization for a URL.
var offline = sync.OnceFunc(func() { http.DefaultTransport = noNetwork{} })

type noNetwork struct{}

func (noNetwork) RoundTrip(request *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("%s is on another machine, and Pillion fetches nothing; copy it into the tree", request.URL)
}

// withoutPrograms unsets PATH until restore is called, because kustomize runs git for remote repositories. Which paths it takes
// for repositories changes between versions, so nothing here tries to recognise them.
func withoutPrograms() (restore func()) {
	path, set := os.LookupEnv("PATH")
	_ = os.Unsetenv("PATH") // it fails only for an invalid name
	return func() {
		if set {
			_ = os.Setenv("PATH", path)
		}
	}
}

func absolute(dir string) string {
	if path, err := filepath.EvalSymlinks(dir); err == nil {
		dir = path
	}
	path, _ := filepath.Abs(dir) // it is only compared
	return path
}

// explain adds a remedy to an error of kustomize.
func explain(dir string, err error) error {
	message := err.Error()
	switch {
	case strings.Contains(message, "unable to find one of 'kustomization.yaml'") && strings.Contains(message, "'"+absolute(dir)+"'"):
		return fmt.Errorf("there is no readable kustomization.yaml in %s; name a directory that has one, or use -f for manifests", dir)
	case strings.Contains(message, "plugins disabled"):
		return fmt.Errorf("the kustomization in %s runs plugins or functions, which -k does not support; if that is Pillion itself, "+
			"remove the injector from its transformers and pass it with -c, or pipe the result of kustomize: "+
			"kustomize build --enable-alpha-plugins --enable-exec %[1]s | pillion ... -f - (%w)", dir, err)
	case strings.Contains(message, "no 'git' program on path"):
		return fmt.Errorf("the kustomization in %s refers to a remote repository, and Pillion fetches nothing; copy it into the tree (if it is "+
			"there, start its path with ./), or pipe the result of kustomize: kustomize build %[1]s | pillion ... -f - (%w)", dir, err)
	}
	return fmt.Errorf("the kustomization in %s cannot be built: %w", dir, err)
}
