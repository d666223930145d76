package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	// ownConfig is the file beside an application's manifests that asks for Pillion, and is its config.
	ownConfig = "pillion.yaml"
	// platformConfig is where the platform team mounts the injectors that are for every application.
	platformConfig = "/etc/pillion"
)

// application is one source of an Argo CD Application, as the plugin server has unpacked it.
type application struct {
	dir  string // the source's path, where its manifests are
	root string // what was sent of its repository; nothing above it is the application's to read
	// named is true where the Application names a plugin, which Argo CD tells by sending parameters, though it be none.
	named      bool
	sent       string // the parameters as they were sent
	parameters parameters
	platform   string // the directory of the platform's configs
	release    release
}

// release is what Helm is told about the application.
type release struct {
	name, namespace, kubeVersion string
	apiVersions                  []string
}

// lookup is a variable of the environment, and whether it is set.
type lookup func(name string) (string, bool)

// currentApplication is the one in whose directory the program was started.
func currentApplication(env lookup) (application, error) {
	here, err := os.Getwd()
	if err != nil {
		return application{}, err
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return application{}, err
	}
	get := func(name string) string { value, _ := env(name); return value }

	app := application{dir: here, root: repositoryOf(here, get("ARGOCD_APP_SOURCE_PATH")), platform: platformConfig}
	app.release = release{name: releaseName(get("ARGOCD_APP_NAME")), namespace: get("ARGOCD_APP_NAMESPACE"), kubeVersion: get("KUBE_VERSION")}
	if versions := get("KUBE_API_VERSIONS"); versions != "" {
		app.release.apiVersions = strings.Split(versions, ",")
	}
	app.sent, app.named = env("ARGOCD_APP_PARAMETERS")
	return app, nil
}

// releaseName is the Application's own name, as Argo CD itself takes it for Helm. For an Application outside of Argo CD's
// namespace what is sent is NAMESPACE_NAME; no name in Kubernetes has an underscore of its own.
func releaseName(sent string) string {
	_, name, outside := strings.Cut(sent, "_")
	if !outside {
		return sent
	}
	return name
}

// repositoryOf is the directory that the source's path starts from. Argo CD may send a part of the repository only, so that
// the beginning of the path may be missing in dir.
func repositoryOf(dir, path string) string {
	names := strings.Split(filepath.Clean(path), "/")
	for i := len(names) - 1; i >= 0 && filepath.Base(dir) == names[i]; i-- {
		dir = filepath.Dir(dir)
	}
	return dir
}

// file is the real path of a file or directory that a parameter names, from the application's directory. It is in the
// application's repository, or an error.
func (app application) file(parameter, name string) (string, error) {
	if filepath.IsAbs(name) {
		return "", fmt.Errorf("parameter %s: %q is an absolute path; write it from the application's directory", parameter, name)
	}
	path, err := filepath.EvalSymlinks(filepath.Join(app.dir, name))
	if err != nil {
		return "", fmt.Errorf("parameter %s: there is no file %q in the application's directory", parameter, name)
	}
	inside, err := filepath.Rel(app.root, path)
	if err != nil || !filepath.IsLocal(inside) {
		return "", fmt.Errorf("parameter %s: %q leads out of the repository, or out of the part of it that Argo CD sends "+
			"(see the annotation argocd.argoproj.io/manifest-generate-paths)", parameter, name)
	}
	return path, nil
}

// has tells whether a file of that name is in the application's directory.
func (app application) has(name string) bool {
	info, err := os.Stat(filepath.Join(app.dir, name))
	return err == nil && info.Mode().IsRegular()
}

// configs are the configs to inject: first the platform's, then the application's own.
func (app application) configs() ([]string, error) {
	var configs []string
	if entries, err := os.ReadDir(app.platform); err == nil && len(entries) > 0 {
		configs = append(configs, app.platform)
	}
	names := app.parameters.configs
	if len(names) == 0 && app.has(ownConfig) {
		names = []string{ownConfig}
	}
	for _, name := range names {
		path, err := app.file("config", name)
		if err != nil {
			return nil, err
		}
		configs = append(configs, path)
	}
	if len(configs) == 0 {
		return nil, fmt.Errorf("there is no config for this application: add a %s to its directory, name one with the parameter config, "+
			"or let the platform team mount one at %s", ownConfig, app.platform)
	}
	return configs, nil
}
