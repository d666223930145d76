package files

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
)

// maxKustomizationBytes bounds a kustomization. A larger one is not read, and so leaves nothing out.
const maxKustomizationBytes = 1 << 20

// kustomization is the files and directories that a kustomization uses, by their real paths.
type kustomization struct {
	path string // of the kustomization itself, as the user would write it
	dir  string

	resources []string // manifests, and directories with other kustomizations
	configs   []string // generators, transformers and validators, and directories that build them
	patches   []string
	inputs    []string // files that other fields use
}

// readKustomization reads the lists of a kustomization. One that cannot be read is as good as empty: kustomize reports what is
// wrong with it.
func readKustomization(path string, text []byte) kustomization {
	k := kustomization{path: path, dir: RealPath(filepath.Dir(path))}
	if len(text) > maxKustomizationBytes {
		return k
	}
	stream, err := manifest.Read(text)
	if err != nil {
		return k
	}
	for _, item := range stream.Items {
		if _, object, err := item.Parse(); err == nil && object != nil {
			k.add(object)
		}
	}
	return k
}

func (k *kustomization) add(object *yaml.Node) {
	for _, field := range []string{"resources", "bases", "components"} {
		k.resources = k.appendPaths(k.resources, node.List(object, field)...)
	}
	for _, field := range []string{"generators", "transformers", "validators"} {
		k.configs = k.appendPaths(k.configs, node.List(object, field)...)
	}
	k.patches = k.appendPaths(k.patches, node.List(object, "patchesStrategicMerge")...)
	for _, field := range []string{"patches", "patchesJson6902"} {
		for _, entry := range node.List(object, field) {
			k.patches = k.appendPaths(k.patches, node.Get(entry, "path"))
		}
	}
	for _, field := range []string{"configurations", "crds"} {
		k.inputs = k.appendPaths(k.inputs, node.List(object, field)...)
	}
	k.inputs = k.appendPaths(k.inputs, node.Get(object, "openapi", "path"))
	for _, entry := range node.List(object, "replacements") {
		k.inputs = k.appendPaths(k.inputs, node.Get(entry, "path"))
	}
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		for _, entry := range node.List(object, field) {
			k.inputs = k.appendPaths(k.inputs, append(node.List(entry, "envs"), node.Get(entry, "env"))...)
			for _, file := range node.List(entry, "files") { // it may have a key: config.yaml=files/a.yaml
				key, path, hasKey := strings.Cut(node.Text(file), "=")
				if !hasKey {
					path = key
				}
				k.inputs = k.appendPath(k.inputs, path)
			}
		}
	}
	for _, entry := range node.List(object, "helmCharts") {
		k.inputs = k.appendPaths(k.inputs, append(node.List(entry, "additionalValuesFiles"), node.Get(entry, "valuesFile"))...)
	}
}

// appendPaths appends the real paths of files and directories.
func (k *kustomization) appendPaths(paths []string, values ...*yaml.Node) []string {
	for _, value := range values {
		paths = k.appendPath(paths, node.Text(value))
	}
	return paths
}

// appendPath appends a real path, unless it is a URL, or a patch or config that is written in place of its path.
func (k *kustomization) appendPath(paths []string, path string) []string {
	if path == "" || strings.ContainsAny(path, "\n{") || strings.Contains(path, "://") || filepath.IsAbs(path) {
		return paths
	}
	return append(paths, RealPath(filepath.Join(k.dir, filepath.FromSlash(path))))
}

// kustomizations are those that were found in the directories.
type kustomizations []kustomization

// leftOut returns why files are not manifests, by their real paths. A file that is a resource of any kustomization is one.
func (all kustomizations) leftOut() map[string]Passed {
	left := map[string]Passed{}
	add := func(paths []string, why Why, by string) {
		for _, path := range paths {
			if _, isKnown := left[path]; !isKnown {
				left[path] = Passed{Why: why, By: by}
			}
		}
	}
	buildsConfigs := all.configDirs()
	for _, k := range all {
		add(k.patches, KustomizePatch, k.path)
		add(k.configs, KustomizeInput, k.path)
		add(k.inputs, KustomizeInput, k.path)
		if buildsConfigs[k.dir] {
			add(k.resources, KustomizeInput, k.path)
		}
	}
	for _, k := range all {
		if buildsConfigs[k.dir] {
			continue
		}
		for _, path := range k.resources {
			delete(left, path)
		}
	}
	return left
}

// configDirs returns the directories whose kustomizations only build generators, transformers and validators of others.
func (all kustomizations) configDirs() map[string]bool {
	type use struct {
		dir      string
		asConfig bool
	}
	inDir, isUsed := map[string][]kustomization{}, map[string]bool{}
	for _, k := range all {
		inDir[k.dir] = append(inDir[k.dir], k)
		for _, path := range slices.Concat(k.resources, k.configs) {
			isUsed[path] = true
		}
	}
	seen := map[use]bool{}
	follow := func(todo ...use) {
		for len(todo) > 0 {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[at] {
				continue
			}
			seen[at] = true
			for _, k := range inDir[at.dir] {
				for _, path := range k.resources {
					todo = append(todo, use{path, at.asConfig})
				}
				for _, path := range k.configs {
					todo = append(todo, use{path, true})
				}
			}
		}
	}
	for _, k := range all {
		if !isUsed[k.dir] {
			follow(use{k.dir, false})
		}
	}
	configs := map[string]bool{}
	for _, k := range all {
		if seen[use{k.dir, true}] && !seen[use{k.dir, false}] {
			configs[k.dir] = true
		}
	}
	return configs
}

// passOverOtherNames passes over the resources of kustomizations that do not have the names of manifests. kustomize reads them, if
// they are below the kustomization.
func (r *reading) passOverOtherNames() {
	seen := map[string]bool{}
	for _, k := range r.kustomizations {
		for _, path := range k.resources {
			below, err := filepath.Rel(k.dir, path)
			if err != nil || !filepath.IsLocal(below) || hasManifestName(filepath.Base(path)) || r.known[path] || seen[path] {
				continue
			}
			seen[path] = true
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
				path = filepath.Join(filepath.Dir(k.path), below)
				r.found.Passed = append(r.found.Passed, Passed{Path: path, Why: OtherName, By: k.path})
			}
		}
	}
}

// leaveOut moves files that kustomizations use as patches and configs to those that are passed over. A file that the user named
// stays.
func (r *reading) leaveOut() {
	left := r.kustomizations.leftOut()
	if len(left) == 0 {
		return
	}
	r.found.Files = slices.DeleteFunc(r.found.Files, func(file File) bool {
		path := RealPath(file.Path)
		passed, isLeftOut := left[path]
		if !isLeftOut || r.named[path] {
			return false
		}
		passed.Path, passed.Text = file.Path, file.Text
		r.found.Passed = append(r.found.Passed, passed)
		return true
	})
}
