// Fluxbuild builds a directory as Flux's kustomize-controller does, with Flux's own code: the generator merges the spec
// of a Flux Kustomization into the kustomization.yaml of the directory, and kustomize builds that in its own file
// system.
//
// It is a separate module, so that the dependencies of Flux are not dependencies of Pillion.
package main

import (
	"fmt"
	"os"

	"github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: fluxbuild SOURCE DIRECTORY FLUX-KUSTOMIZATION.yaml")
		os.Exit(2)
	}
	built, err := build(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(string(built))
}

func build(source, dir, file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var kustomization unstructured.Unstructured
	if err := yaml.Unmarshal(text, &kustomization.Object); err != nil {
		return nil, err
	}
	if _, err := kustomize.NewGenerator(source, kustomization).WriteFile(dir); err != nil {
		return nil, err
	}
	resources, err := kustomize.SecureBuild(source, dir, false)
	if err != nil {
		return nil, err
	}
	return resources.AsYaml()
}
