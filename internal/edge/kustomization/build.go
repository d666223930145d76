//go:build !nokustomize

// Package kustomization builds kustomizations in process, without plugins and without network.
package kustomization

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/internal/edge/files"
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
	defer outside.close()()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(view, dir)
	switch {
	case d.refused != nil:
		return nil, d.refused
	case err != nil:
		return nil, explain(dir, err)
	}
	return built.AsYaml()
}

// explain adds a remedy to an error of kustomize.
func explain(dir string, err error) error {
	message := err.Error()
	switch {
	case strings.Contains(message, "unable to find one of 'kustomization.yaml'") && strings.Contains(message, "'"+files.RealPath(dir)+"'"):
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
