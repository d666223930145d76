package splice

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/extent"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

// withoutAnchors removes the anchors from YAML, so that a stamp can keep the rest as it is written. It returns a text that it
// cannot read as it is. The caller must refuse aliases that are left without their anchors.
func withoutAnchors(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	whole := []byte(text + "\n")
	document, err := parse.Commented(whole)
	if err != nil {
		return text
	}
	extents, err := extent.Find(whole, document, nil)
	if err != nil {
		return text
	}
	var kept strings.Builder
	next := 0
	node.Visit(document, func(n *yaml.Node) {
		start := extents.Get(n).Start
		if n.Anchor == "" || start < next || start >= len(text) || !strings.HasPrefix(text[start:], "&"+n.Anchor) {
			return
		}
		end := start + len("&"+n.Anchor)
		switch {
		case strings.HasPrefix(text[end:], " "):
			end++
		case start > next && text[start-1] == ' ':
			start--
		}
		kept.WriteString(text[next:start])
		next = end
	})
	return kept.String() + text[next:]
}
