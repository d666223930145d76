package main

import (
	"bytes"
	"errors"
	"io"

	"pillion.dev/pillion/internal/command"
	"pillion.dev/pillion/internal/kustomization"
)

// The renderers. Auto is whatever Argo CD itself would take for the directory.
const (
	auto      = "auto"
	plain     = "plain"
	kustomize = "kustomize"
	helm      = "helm"
)

var renderers = []string{auto, plain, kustomize, helm}

// errSaid ends the program after Pillion has said what is wrong.
var errSaid = errors.New("the sidecars cannot be injected")

// generate renders the application and injects into what comes out.
func generate(app application, out, say io.Writer) error {
	configs, err := app.configs()
	if err != nil {
		return err
	}
	args := []string{"inject", "--allow-empty"} // an application may have nothing yet, with Argo CD itself, too
	for _, config := range configs {
		args = append(args, "--config", config)
	}
	var manifests bytes.Buffer
	switch app.renderer() {
	case helm:
		if err := app.helmTemplate(&manifests); err != nil {
			return err
		}
		args = append(args, "--filename", "-")
	case kustomize:
		built, err := kustomization.BuildWithin(app.root, app.dir)
		if err != nil {
			return err
		}
		manifests.Write(built)
		args = append(args, "--filename", "-")
	default:
		args = append(args, "--filename", ".")
		if app.parameters.recurse {
			args = append(args, "--recursive")
		}
	}
	if command.Run(args, &manifests, out, say) != 0 {
		return errSaid
	}
	return nil
}

// renderer is the one that was asked for, or the one that was found.
func (app application) renderer() string {
	if app.parameters.renderer != auto {
		return app.parameters.renderer
	}
	return app.detected()
}

// detected is what makes manifests of the directory, by the files that are in it.
func (app application) detected() string {
	switch {
	case app.has("Chart.yaml"):
		return helm
	case app.has("kustomization.yaml"), app.has("kustomization.yml"), app.has("Kustomization"):
		return kustomize
	default:
		return plain
	}
}
