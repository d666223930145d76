package files

import (
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
)

// maxKustomizationBytes bounds a kustomization. A larger one is not read, and so leaves nothing out.
const maxKustomizationBytes = 1 << 20

// kustomization is the files and directories that a kustomization uses.
type kustomization struct {
	path string // of the kustomization itself, as the user would write it
	dir  string // its real path

	resources []string // manifests, and directories with other kustomizations
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

func (k *kustomization) add(object *node.Node) {
	for _, field := range []string{"resources", "bases", "components"} {
		k.resources = k.appendPaths(k.resources, node.List(object, field)...)
	}
	k.patches = k.appendPaths(k.patches, node.List(object, "patchesStrategicMerge")...)
	for _, field := range []string{"patches", "patchesJson6902"} {
		for _, entry := range node.List(object, field) {
			k.patches = k.appendPaths(k.patches, node.Get(entry, "path"))
		}
	}
	for _, field := range []string{"generators", "transformers", "validators", "configurations", "crds"} {
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

// appendPaths appends the paths of files and directories.
func (k *kustomization) appendPaths(paths []string, values ...*node.Node) []string {
	for _, value := range values {
		paths = k.appendPath(paths, node.Text(value))
	}
	return paths
}

// appendPath appends an absolute path, unless it is a URL, or a patch or config that is written in place of its path.
func (k *kustomization) appendPath(paths []string, path string) []string {
	if path == "" || strings.ContainsAny(path, "\n{") || strings.Contains(path, "://") || filepath.IsAbs(path) {
		return paths
	}
	return append(paths, filepath.Join(k.dir, filepath.FromSlash(path)))
}

// addKustomization adds what a kustomization uses. A file that is a resource of any kustomization is a manifest, by its own name and by
// that of a symbolic link to it.
func (r *reading) addKustomization(k kustomization) {
	for _, path := range k.resources {
		r.resources[location(path)], r.resources[RealPath(path)] = true, true
	}
	for _, path := range k.patches {
		r.used[RealPath(path)] = Passed{Why: KustomizePatch, By: k.path}
	}
	for _, path := range k.inputs {
		r.used[RealPath(path)] = Passed{Why: KustomizeInput, By: k.path}
	}
}

// leaveOut moves files that kustomizations use as patches and configs to those that are passed over. A file that the user named
// stays.
func (r *reading) leaveOut() {
	if len(r.used) == 0 {
		return
	}
	r.found.Files = slices.DeleteFunc(r.found.Files, func(file File) bool {
		path := RealPath(file.Path)
		passed, isUsed := r.used[path]
		if !isUsed || r.resources[path] || r.named[path] {
			return false
		}
		passed.Path, passed.Text = file.Path, file.Text
		r.found.Passed = append(r.found.Passed, passed)
		return true
	})
}
