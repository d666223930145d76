package main

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// helmTemplate renders the chart in the application's directory as Argo CD does. Charts that it depends on are not fetched:
// they have to be in its charts directory.
func (app application) helmTemplate(manifests io.Writer) error {
	args, err := app.helmArguments()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	template := exec.Command("helm", args...)
	template.Dir = app.dir
	template.Stdout, template.Stderr = manifests, &said
	if err := template.Run(); err != nil {
		return fmt.Errorf("helm template: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}

// helmArguments are flags whose values cannot be taken for other flags: each is one word with its name.
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
		// Helm takes a comma for the end of one path and the beginning of another, which may be anywhere.
		if strings.ContainsAny(path, `,"`) {
			return nil, fmt.Errorf("parameter value-files: %q has a comma or a quote in its name, which Helm cannot read; rename it", name)
		}
		args = append(args, "--values="+path)
	}
	return args, nil
}
