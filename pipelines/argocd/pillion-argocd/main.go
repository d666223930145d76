// Pillion-argocd adds sidecars to the applications of Argo CD. Under a name that begins with kustomize or helm, it
// stands in for that tool: Argo CD's repo server runs it to render an application. As a plugin, it reports whether an
// application uses Pillion and which parameters it has, and renders the application.
//
// It is a separate program, and only in the image for Argo CD, because it runs other programs, and Pillion itself runs
// none. It is not a script, so that parameters, which the owners of applications write, never reach a shell.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
)

const usage = `usage: pillion-argocd install DIR
       pillion-argocd match|parameters|generate

The first copies this program to DIR/kustomize and DIR/helm, which run the tools of these names. argocd-cmp-server runs
the others in the directory of an application; see plugin.yaml.`

func main() {
	code := 0
	var err error
	if t, isTool := toolNamed(os.Args[0]); isTool {
		code, err = t.standIn(os.Args[1:], os.Stdout, os.Stderr)
	} else {
		err = run(os.Args[1:], os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		code = 1
	}
	os.Exit(code)
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
	if len(args) == 2 && args[0] == "install" {
		return install(args[1])
	}
	if len(args) != 1 || verbs[args[0]] == nil {
		return fmt.Errorf("there is no verb in %q\n%s", args, usage)
	}
	app, err := currentApplication(os.LookupEnv)
	if err != nil {
		return err
	}
	// Some versions of Argo CD show the errors of generate only, so match must not fail because of settings.
	if args[0] != "match" {
		if app.parameters, err = readParameters(app.sent); err != nil {
			return err
		}
		if app.platform, err = readPlatform(os.LookupEnv); err != nil {
			return err
		}
	}
	return verbs[args[0]](app, out, stderr)
}
