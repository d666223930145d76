package main

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// helmTemplate renders the chart in the application's directory as Argo CD does. It does not fetch dependencies: they
// must be in the charts directory.
func (app application) helmTemplate(manifests io.Writer) error {
	args, err := app.helmArguments()
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	template := exec.Command("helm", args...)
	template.Dir = app.dir
	template.Stdout, template.Stderr = manifests, &stderr
	if err := template.Run(); err != nil {
		return fmt.Errorf("helm template: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return nil
}

// helmArguments returns Helm's arguments. Each flag and its value are one argument, so that no value is taken for a
// flag.
func (app application) helmArguments() ([]string, error) {
	args := []string{"template", ".", "--include-crds", "--name-template=" + app.release.name}
	if app.release.namespace != "" {
		args = append(args, "--namespace="+app.release.namespace)
	}
	if app.release.kubeVersion != "" {
		args = append(args, "--kube-version="+app.release.kubeVersion)
	}
	for _, version := range app.release.apiVersions {
		args = append(args, "--api-versions="+version)
	}
	for _, name := range app.parameters.valueFiles {
		path, err := app.file("value-files", name)
		if err != nil {
			return nil, err
		}
		// Helm splits paths at commas, and the second part could be any file.
		if strings.ContainsAny(path, `,"`) {
			return nil, fmt.Errorf("parameter value-files: %q has a comma or a quote in its name, which Helm cannot read; rename it", name)
		}
		args = append(args, "--values="+path)
	}
	return args, nil
}
