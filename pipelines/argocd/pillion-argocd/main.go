// Pillion-argocd is the program that Argo CD's plugin server runs for an application. It reports whether the application uses
// Pillion and which parameters it has, and renders the application with its sidecars.
//
// It is a separate program, and only in the plugin's image, because it runs Helm, and Pillion itself runs no programs. It is not
// a script, so that parameters, which the owners of applications write, never reach a shell.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
)

const usage = `usage: pillion-argocd match|parameters|generate

Run by argocd-cmp-server in the directory of an application; see plugin.yaml.`

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

var verbs = map[string]func(app application, out, stderr io.Writer) error{
	"match":      match,
	"parameters": announce,
	"generate":   generate,
}

func run(args []string, out, stderr io.Writer) error {
	if slices.Contains(args, "--help") {
		_, err := fmt.Fprintln(out, usage)
		return err
	}
	if len(args) != 1 || verbs[args[0]] == nil {
		return fmt.Errorf("there is no verb in %q\n%s", args, usage)
	}
	app, err := currentApplication(os.LookupEnv)
	if err != nil {
		return err
	}
	// Some versions of Argo CD show the errors of generate only, so match must not fail because of parameters.
	if args[0] != "match" {
		if app.parameters, err = readParameters(app.sent); err != nil {
			return err
		}
	}
	return verbs[args[0]](app, out, stderr)
}
