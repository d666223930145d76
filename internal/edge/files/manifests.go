package files

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// Manifests is the Take of a Reader for files with Kubernetes objects. It takes a broken file that may have an object,
// because a workload would be missing without it, and the run reports what is wrong. A text without a name is one that the
// user named.
func Manifests(name string, text []byte) Why {
	if beginsWithObject(text) {
		return ""
	}
	why := NoObject
	if slices.Contains(Kustomizations(), name) { // the apiVersion and kind of a kustomization are optional
		why = BuildConfig
	}
	if bytes.HasPrefix(text, []byte("version https://git-lfs.github.com/spec/")) {
		return LFSPointer
	}
	if !mayHave(text, "kind") {
		return why
	}
	stream, err := manifest.Read(text)
	switch {
	case errors.Is(err, manifest.ErrAmbiguous): // other readers of YAML do not see what may be in it
		return ""
	case manifest.IsNoObject(err):
		return why
	case err != nil && name != "" && !mayHave(text, "apiVersion"): // such as JSON with comments, or tasks of Ansible
		return why
	case read.MayBeTemplate(text) && isTemplate(stream, err):
		return Template
	case err != nil:
		return ""
	case stream.ResourceList:
		return ResourceList
	}
	for _, item := range stream.Items {
		switch {
		case item.Broken != nil:
			return ""
		case item.Kind == "":
		case isBuildKind(item):
			why = BuildConfig
		default:
			return ""
		}
	}
	return why
}

// usualStart is how most manifests begin. A shorter kind may be another value, such as null, and an indented line goes
// on with it.
var usualStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^apiVersion: ((?:[a-z0-9.-]+/)?v[0-9][a-z0-9]*)\nkind: ([A-Z][A-Za-z]{5,})\n[a-zA-Z"']`)
})

// beginsWithObject reports whether the first lines of a text are certainly those of an object that Manifests takes,
// whatever follows. Most files need not be read for that.
func beginsWithObject(text []byte) bool {
	start := usualStart().FindSubmatch(text)
	if len(start) == 0 || bytes.HasSuffix(start[2], []byte("List")) || read.MayBeTemplate(text) {
		return false
	}
	return !isBuildKind(&manifest.Item{APIVersion: string(start[1]), Kind: string(start[2])})
}

// Items returns the objects of the file, which know their place in it.
func (f File) Items() ([]*manifest.Item, error) {
	stream, err := manifest.Read(f.Text)
	if err != nil {
		return nil, err
	}
	for i, item := range stream.Items {
		item.File = f.Path
		item.Index = i
	}
	return stream.Items, nil
}

// Kustomizations returns the names of kustomize's own file. kustomize refuses a directory that has several of them.
func Kustomizations() []string {
	return []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}
}

// mayHave reports whether a text has a word that every object has, or an escape or a tag by which it may be encoded.
func mayHave(text []byte, word string) bool {
	if bytes.IndexByte(text, 0) >= 0 {
		text = bytes.ReplaceAll(text, []byte{0}, nil) // UTF-16 has a 0 beside each letter
	}
	return bytes.Contains(text, []byte(word)) || bytes.ContainsAny(text, `!\`)
}

// isTemplate reports whether an action of a template is why a text cannot be read, or is a mapping that is a key:
// {{ .Name }} outside of quotes is one in YAML, and no Kubernetes object has such a key. The error is that of the text.
func isTemplate(stream *manifest.Stream, err error) bool {
	if err != nil {
		found, is := errors.AsType[*read.Error](err)
		return is && found.IsTemplate
	}
	return slices.ContainsFunc(stream.Items, func(item *manifest.Item) bool {
		_, object, err := item.Parse()
		return err != nil && isTemplate(nil, err) || object != nil && hasMappingAsKey(object)
	})
}

func hasMappingAsKey(n *node.Node) bool {
	if n.Kind == node.AliasNode {
		return false
	}
	for i, child := range n.Content {
		if n.Kind == node.MappingNode && i%2 == 0 && child.Kind == node.MappingNode || hasMappingAsKey(child) {
			return true
		}
	}
	return false
}

// isBuildKind reports whether an object configures a build, and is never applied to a cluster.
func isBuildKind(item *manifest.Item) bool {
	if item.APIVersion == "" {
		return item.Kind == "Kustomization" || item.Kind == "Component"
	}
	group, _, _ := strings.Cut(item.APIVersion, "/")
	return slices.Contains([]string{"kustomize.config.k8s.io", "kpt.dev", "pillion.dev", "config.kubernetes.io"}, group)
}
