// Pillion-argocd is what Argo CD's plugin server starts for an application: it says whether the application is for
// Pillion, which parameters it takes, and renders it with its sidecars.
//
// It is a program of its own, and only in the plugin's image, since it starts Helm: Pillion itself starts nothing. It is no
// script, since parameters are written by the people who own the applications, and they never meet a shell this way.
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

var verbs = map[string]func(app application, out, say io.Writer) error{
	"match":      match,
	"parameters": announce,
	"generate":   generate,
}

func run(args []string, out, say io.Writer) error {
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
	// Argo CD shows what generate says, and not in every version what match says: that one is not to fail on parameters.
	if args[0] != "match" {
		if app.parameters, err = readParameters(app.sent); err != nil {
			return err
		}
	}
	return verbs[args[0]](app, out, say)
}
