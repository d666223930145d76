package files

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/internal/manifest"
)

// Manifests is the Take of a Reader for files with Kubernetes objects. It takes a broken file that seems to have an object,
// because a workload would be missing without it, and the run reports what is wrong.
func Manifests(name string, text []byte) Why {
	stream, err := manifest.Read(text)
	switch {
	case slices.Contains(Kustomizations(), name) || name == "Kptfile": // their apiVersion and kind are optional
		return BuildConfig
	case isTemplate(text):
		return HelmTemplate
	case err != nil && objectKey().Match(bytes.ReplaceAll(text, []byte{0}, nil)): // UTF-16 has a 0 beside each letter
		return ""
	case err != nil || stream.ResourceList:
		return NoObject
	}
	why := NoObject
	for _, item := range stream.Items {
		switch {
		case item.APIVersion == "" || item.Kind == "":
		case isBuildKind(item):
			why = BuildConfig
		default:
			return ""
		}
	}
	return why
}

// Kustomizations returns the names of kustomize's own file. kustomize refuses a directory that has several of them.
func Kustomizations() []string {
	return []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}
}

// objectKey matches a key of an object anywhere in a line, because JSON may be on one line.
var objectKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(apiVersion|kind)["']?\s*:`)
})

// isBuildKind reports whether an object configures a build, and is never applied to a cluster.
func isBuildKind(item manifest.Item) bool {
	group, _, _ := strings.Cut(item.APIVersion, "/")
	return slices.Contains([]string{"kustomize.config.k8s.io", "kpt.dev", "pillion.dev", "config.kubernetes.io"}, group)
}
