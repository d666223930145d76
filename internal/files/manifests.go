package files

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"pillion.dev/pillion/internal/manifest"
)

// Manifests takes the files of a directory that hold Kubernetes objects. One that looks as if
// it should and cannot be read is an error: to pass it over would be to leave a workload out.
func Manifests(text []byte) (Why, error) {
	stream, err := manifest.Read(text)
	switch {
	case err != nil && bytes.Contains(text, []byte("{{")):
		return HelmTemplate, nil
	case err != nil && looksLikeObject().Match(text):
		return "", nil // for the run to say what is wrong, and where
	case err != nil || stream.ResourceList:
		return NoObject, nil
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
		return "", nil
	case others > 0:
		return BuildConfig, nil
	default:
		return NoObject, nil
	}
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
