package splice

import (
	"strings"

	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// withoutAnchors removes the anchors from YAML, so that a stamp can keep the rest as it is written. It returns a text that it
// cannot read as it is. The caller must refuse aliases that are left without their anchors.
func withoutAnchors(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	whole := []byte(text + "\n")
	document, err := read.Document(whole)
	if err != nil {
		return text
	}
	t := source{text: whole}
	var kept strings.Builder
	next := 0
	node.Visit(document, func(n *node.Node) {
		start := int(n.Start)
		end, _ := t.properties(n)
		if end == 0 || start < next || text[start] != '&' {
			return
		}
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
