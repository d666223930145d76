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
	// maxTemplateBytes bounds what is looked at as a template. Helm stores a whole chart in a Secret, which has less.
	maxTemplateBytes = 1 << 20
	// maxTemplateDepth bounds the actions and the parentheses of a template, and by that how deep they are nested: Go's parser
	// calls itself for each level.
	maxTemplateDepth = 10_000
)

// isTemplate tells whether a file that cannot be read as it is is certainly a Helm template: Go
// can parse it as a template, and with its actions taken out it can be read. What stays
// unreadable is broken for another reason, and to pass it over would leave a workload out.
func isTemplate(text []byte) bool {
	if !bytes.Contains(text, []byte("{{")) || !isParsable(text) || readable(text) {
		return false
	}
	tree := parse.New("")
	tree.Mode = parse.SkipFuncCheck // Helm has functions of its own
	if _, err := tree.Parse(string(text), "", "", map[string]*parse.Tree{}); err != nil {
		return false
	}
	return readable(withoutActions(text))
}

// isParsable tells whether a text is within the bounds of a template.
func isParsable(text []byte) bool {
	return len(text) <= maxTemplateBytes &&
		bytes.Count(text, []byte("{{")) <= maxTemplateDepth && bytes.Count(text, []byte("(")) <= maxTemplateDepth
}

// readable tells whether every object of a text can be parsed, and has no mapping as a key: that
// is how YAML reads {{ .Name }} outside of quotes, and no Kubernetes object has one.
func readable(text []byte) bool {
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

// withoutActions puts a word in the place of each action. An action that is the rest of its
// line, or of a key's or an entry's, goes away: it may render to lines of its own.
func withoutActions(text []byte) []byte {
	return action().ReplaceAll(restOfLine().ReplaceAll(text, []byte("$1$2")), []byte("x"))
}

// anAction ends at the first pair of braces; strings that hold one are too rare in Helm's templates to matter.
const anAction = `\{\{(?:[^}]|\}[^}])*\}\}`

var (
	action     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(anAction) })
	restOfLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)(^|[:-])[ \t]*(?:` + anAction + `[ \t]*)+(\r?$)`)
	})
)
