package files

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/internal/manifest"
)

// Manifests takes the files of a directory that hold Kubernetes objects. One that looks as if
// it should and cannot be read is an error: to pass it over would be to leave a workload out.
func Manifests(name string, text []byte) Why {
	stream, err := manifest.Read(text)
	switch {
	case slices.Contains(Kustomizations(), name) || name == "Kptfile": // whose apiVersion and kind may be left out
		return BuildConfig
	case isTemplate(text):
		return HelmTemplate
	case err != nil && looksLikeObject().Match(bytes.ReplaceAll(text, []byte{0}, nil)): // UTF-16 has a 0 beside each letter
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

// looksLikeObject finds the keys of an object anywhere: JSON on one line has no line that begins with them.
var looksLikeObject = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(apiVersion|kind)["']?\s*:`)
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
