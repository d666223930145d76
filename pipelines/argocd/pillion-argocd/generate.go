package main

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"pillion.dev/pillion/internal/edge/command"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/edge/kustomization"
)

// The renderers. auto selects the one that Argo CD itself would use for the directory.
const (
	auto      = "auto"
	plain     = "plain"
	kustomize = "kustomize"
	helm      = "helm"
)

var renderers = []string{auto, plain, kustomize, helm}

// errFailed ends the program. Pillion has printed its findings already.
var errFailed = errors.New("the sidecars cannot be injected")

// generate renders the application and injects sidecars into its manifests.
func generate(app application, out, stderr io.Writer) error {
	configs, err := app.configs()
	if err != nil {
		return err
	}
	var manifests bytes.Buffer
	input := []string{"-"}
	switch app.renderer() {
	case helm:
		if err := app.helmTemplate(&manifests); err != nil {
			return err
		}
	case kustomize:
		built, err := kustomization.BuildWithin(app.root, app.dir)
		if err != nil {
			return err
		}
		manifests.Write(built)
	default:
		input = []string{"."}
		if app.parameters.recurse {
			input = append(input, "--recursive")
		}
	}
	return inject(configs, app.release.namespace, input, &manifests, out, stderr)
}

// inject adds sidecars to manifests and writes them. Its input is the arguments for their paths, of which - is what in
// has. Manifests without a namespace are in the given one.
func inject(configs []string, namespace string, input []string, in io.Reader, out, stderr io.Writer) error {
	args := append([]string{"inject", "--allow-empty"}, input...) // Argo CD accepts an application without manifests
	if namespace != "" {
		args = append(args, "--default-namespace="+namespace)
	}
	for _, config := range configs {
		args = append(args, "--config", config)
	}
	if command.Run(args, in, out, stderr) != 0 {
		return errFailed
	}
	return nil
}

// renderer returns the renderer that the parameters select.
func (app application) renderer() string {
	if app.parameters.renderer != auto {
		return app.parameters.renderer
	}
	return app.detected()
}

// detected returns the renderer for the files in the directory.
func (app application) detected() string {
	switch {
	case app.has("Chart.yaml"):
		return helm
	case slices.ContainsFunc(files.Kustomizations(), app.has):
		return kustomize
	default:
		return plain
	}
}
