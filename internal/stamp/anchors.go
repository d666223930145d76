package stamp

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/extent"
	"pillion.dev/pillion/internal/yaml/parse"
)

// withoutAnchors is a text of YAML without its anchors, so that a stamp can keep the rest as it is written. What
// cannot be read, as where an alias is left without its anchor, is for the caller to refuse.
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
	eachAnchored(document, func(n *yaml.Node) {
		start := extents.Get(n).Start
		if start < next || start >= len(text) || !strings.HasPrefix(text[start:], "&"+n.Anchor) {
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

// eachAnchored calls do for the nodes that have an anchor, in the order of the text.
func eachAnchored(n *yaml.Node, do func(*yaml.Node)) {
	if n.Anchor != "" {
		do(n)
	}
	for _, child := range n.Content {
		eachAnchored(child, do)
	}
}
