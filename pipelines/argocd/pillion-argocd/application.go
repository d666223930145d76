package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// application is one source of an Argo CD Application, as the plugin server unpacked it.
type application struct {
	dir  string // the source's path, where its manifests are
	root string // the part of its repository that was sent; the application may read nothing outside
	// named is whether the Application names a plugin. Argo CD sends parameters then, even if they are empty.
	named      bool
	sent       string // the parameters as they were sent
	parameters parameters
	platform   platform
	release    release
}

// release is where an application goes, as Helm needs to know it. Manifests without a namespace go to this one.
type release struct {
	name, namespace, kubeVersion string
	apiVersions                  []string
}

// lookup returns an environment variable, and whether it is set.
type lookup func(name string) (string, bool)

// currentApplication returns the application in the working directory.
func currentApplication(env lookup) (application, error) {
	here, err := os.Getwd()
	if err != nil {
		return application{}, err
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return application{}, err
	}
	get := func(name string) string { value, _ := env(name); return value }

	app := application{dir: here, root: repositoryOf(here, get("ARGOCD_APP_SOURCE_PATH"))}
	app.release = release{name: releaseName(get("ARGOCD_APP_NAME")), namespace: get("ARGOCD_APP_NAMESPACE"), kubeVersion: get("KUBE_VERSION")}
	if versions := get("KUBE_API_VERSIONS"); versions != "" {
		app.release.apiVersions = strings.Split(versions, ",")
	}
	app.sent, app.named = env("ARGOCD_APP_PARAMETERS")
	return app, nil
}

// releaseName returns the name of the Application, which Argo CD itself uses for Helm. For an Application outside of
// Argo CD's namespace, Argo CD sends NAMESPACE_NAME; names in Kubernetes contain no underscores.
func releaseName(sent string) string {
	return sent[strings.Index(sent, "_")+1:]
}

// repositoryOf returns the directory that the path of a source is relative to. Argo CD may send only a part of the
// repository, so dir may lack the beginning of the path.
func repositoryOf(dir, path string) string {
	names := strings.Split(filepath.Clean(path), "/")
	for i := len(names) - 1; i >= 0 && filepath.Base(dir) == names[i]; i-- {
		dir = filepath.Dir(dir)
	}
	return dir
}

// file returns the real path of a file or directory that a parameter names, relative to the application's directory. A
// file outside of the repository is an error.
func (app application) file(parameter, name string) (string, error) {
	if filepath.IsAbs(name) {
		return "", fmt.Errorf("parameter %s: %q is an absolute path; write it relative to the application's directory", parameter, name)
	}
	path, isInside := within(app.root, filepath.Join(app.dir, name))
	switch {
	case path == "":
		return "", fmt.Errorf("parameter %s: there is no file %q in the application's directory", parameter, name)
	case !isInside:
		return "", fmt.Errorf("parameter %s: %q leads out of the repository, or out of the part of it that Argo CD sends "+
			"(see the annotation argocd.argoproj.io/manifest-generate-paths)", parameter, name)
	}
	return path, nil
}

// has reports whether the application's directory has a file of that name.
func (app application) has(name string) bool {
	info, err := os.Stat(filepath.Join(app.dir, name))
	return err == nil && info.Mode().IsRegular()
}

// configs returns the paths of the configs: the platform's, and those that the parameters name, or else the one that is
// found.
func (app application) configs() ([]string, error) {
	var named []string
	for _, name := range app.parameters.configs {
		path, err := app.file("config", name)
		if err != nil {
			return nil, err
		}
		named = append(named, path)
	}
	if len(named) > 0 {
		return app.platform.with(named, app.parameters.recurse)
	}
	configs, err := app.platform.configsFor(app.dir, app.root)
	if len(configs) == 0 && err == nil {
		err = fmt.Errorf("there is no config for this application: add an %s to its directory, name one with the parameter config, "+
			"or let the platform team create %s", configName, configMap)
	}
	return configs, err
}
