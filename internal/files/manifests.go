package files

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/manifest"
)

// Manifests takes the files of a directory that hold Kubernetes objects. One that looks as if
// it should and cannot be read is an error: to pass it over would be to leave a workload out.
func Manifests(name string, text []byte) Why {
	stream, err := manifest.Read(text)
	switch {
	case slices.Contains(Kustomizations(), name) || name == "Kptfile": // whose apiVersion and kind may be left out
		return BuildConfig
	case bytes.Contains(text, []byte("{{")) && (err != nil || slices.ContainsFunc(stream.Items, isTemplate)):
		return HelmTemplate
	case err != nil && looksLikeObject().Match(text):
		return "" // for the run to say what is wrong, and where
	case err != nil || stream.ResourceList:
		return NoObject
	}
	objects, others := 0, 0
	for _, item := range stream.Items {
		switch {
		case item.APIVersion == "" || item.Kind == "":
		case isBuildKind(item):
			others++
		default:
			objects++
		}
	}
	switch {
	case objects > 0:
		return ""
	case others > 0:
		return BuildConfig
	default:
		return NoObject
	}
}

// Kustomizations are the names by which kustomize knows its own file; of several in a directory
// it takes none.
func Kustomizations() []string {
	return []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}
}

// isTemplate tells whether an item is still to be rendered: outside of quotes, {{ .Name }} is
// no YAML, or a mapping whose key is a mapping, which no Kubernetes object has.
func isTemplate(item manifest.Item) bool {
	_, object, err := item.Parse()
	return err != nil || hasMappingAsKey(object)
}

func hasMappingAsKey(n *yaml.Node) bool {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.MappingNode || hasMappingAsKey(child) {
			return true
		}
	}
	return false
}

var looksLikeObject = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*"?(apiVersion|kind)"?\s*:`)
})

// isBuildKind tells objects that say how to build and are never applied to a cluster.
func isBuildKind(item manifest.Item) bool {
	group, _, _ := strings.Cut(item.APIVersion, "/")
	switch group {
	case "kustomize.config.k8s.io", "kpt.dev", "pillion.dev", "config.kubernetes.io":
		return true
	}
	return false
}
