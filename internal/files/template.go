package files

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"sync"
	"text/template/parse"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/manifest"
)

const (
	// maxTemplateBytes bounds the size of a template. Helm stores a whole chart in a Secret, which is smaller.
	maxTemplateBytes = 1 << 20
	// maxTemplateDepth bounds the actions and the parentheses of a template, and thereby their depth, because Go's parser is
	// recursive.
	maxTemplateDepth = 10_000
)

// isTemplate reports whether a file is certainly a Helm template: it is not YAML, Go parses it as a template, and it is
// YAML once the actions are removed. A file that is still not YAML then is broken for another reason, and passing over it
// could miss a workload.
func isTemplate(text []byte) bool {
	if !bytes.Contains(text, []byte("{{")) || !hasTemplateSize(text) || isReadable(text) {
		return false
	}
	tree := parse.New("")
	tree.Mode = parse.SkipFuncCheck // Helm has functions of its own
	if _, err := tree.Parse(string(text), "", "", map[string]*parse.Tree{}); err != nil {
		return false
	}
	return isReadable(withoutActions(text))
}

// hasTemplateSize reports whether a text is within the bounds of a template.
func hasTemplateSize(text []byte) bool {
	return len(text) <= maxTemplateBytes &&
		bytes.Count(text, []byte("{{")) <= maxTemplateDepth && bytes.Count(text, []byte("(")) <= maxTemplateDepth
}

// isReadable reports whether every object of a text can be parsed, and has no mapping as a key: {{ .Name }} outside of quotes
// is such a mapping in YAML, and no Kubernetes object has one.
func isReadable(text []byte) bool {
	stream, err := manifest.Read(text)
	if errors.Is(err, manifest.ErrEmpty) {
		return true
	}
	return err == nil && !slices.ContainsFunc(stream.Items, func(item manifest.Item) bool {
		_, object, err := item.Parse()
		return err != nil && !manifest.IsKeyError(err) || object != nil && hasMappingAsKey(object)
	})
}

func hasMappingAsKey(n *yaml.Node) bool {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.MappingNode || hasMappingAsKey(child) {
			return true
		}
	}
	return false
}

// withoutActions replaces each action by a word. It removes actions at the end of a line that have nothing in front of them
// except a key or a dash, because they may be rendered as lines of their own.
func withoutActions(text []byte) []byte {
	return action().ReplaceAll(restOfLine().ReplaceAll(text, []byte("$1$2")), []byte("x"))
}

// anAction matches up to the first closing braces. Strings that contain braces are too rare in Helm's templates to matter.
const anAction = `\{\{(?:[^}]|\}[^}])*\}\}`

var (
	action     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(anAction) })
	restOfLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)(^|[:-])[ \t]*(?:` + anAction + `[ \t]*)+(\r?$)`)
	})
)
