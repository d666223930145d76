package files

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

const (
	// maxAliased bounds the text that all aliases of a kustomization refer to, because kustomize expands each of them,
	// and a few lines of aliases to aliases expand to gigabytes.
	maxAliased = 1 << 20
	// nodeText is the size of the text around a value: its indentation, its dash or colon, its line break.
	nodeText = 10
	// maxNested bounds the depth of YAML texts in strings: a kustomization contains a transformer, which contains a
	// patch.
	maxNested = 4
)

// Aliases is the size of the text that the aliases of all files refer to.
type Aliases struct{ total int }

// Add counts the aliases of a file. With an error it returns the line of the alias that exceeds the bound or refers to
// itself.
func (a *Aliases) Add(text []byte) (line int, err error) {
	count := aliasCount{room: maxAliased - a.total}
	err = count.text(string(text), 0)
	a.total = min(a.total+count.aliased, maxAliased)
	return count.line, err
}

// aliasCount counts the aliases of one file until the bound is exceeded.
type aliasCount struct {
	room, aliased int
	line          int // of the last alias
	// sizes are the expanded sizes of anchored nodes; -1 for a node that is being counted.
	sizes map[*yaml.Node]int
}

// separator matches where kustomize splits a file into documents before it parses them.
var separator = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n---.*\n`) })

// text counts the aliases of a text, which may be a string in another one. It stops where YAML cannot be parsed, as
// kustomize does.
func (c *aliasCount) text(text string, nested int) error {
	if nested > maxNested || !strings.ContainsAny(text, `&\`) || !strings.ContainsAny(text, `*\`) {
		return nil // there are no aliases, nor escapes for them in a string
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	start, before := 0, 0
	for _, at := range append(separator().FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		if err := c.documents(text[start:at[0]], before, nested); err != nil {
			return err
		}
		before += strings.Count(text[start:at[1]], "\n")
		start = at[1]
	}
	return nil
}

// documents counts the aliases of a part of a text that starts after a number of lines.
func (c *aliasCount) documents(text string, before, nested int) error {
	decoder := yaml.NewDecoder(bytes.NewBufferString(text))
	for {
		var document yaml.Node
		if decoder.Decode(&document) != nil {
			return nil //nolint:nilerr // the end, or an error that kustomize reports
		}
		if _, err := c.size(&document, before, nested); err != nil {
			return err
		}
	}
}

// size returns the expanded size of a node, and counts the aliases in it.
func (c *aliasCount) size(n *yaml.Node, before, nested int) (int, error) {
	if nested == 0 {
		c.line = before + n.Line
	}
	if n.Kind == yaml.AliasNode {
		size, err := c.anchored(n.Alias, before, nested)
		if err != nil {
			return 0, err
		}
		return size, c.take(size)
	}
	if n.Anchor != "" {
		return c.anchored(n, before, nested)
	}
	return c.content(n, before, nested)
}

// anchored returns the expanded size of an anchored node, which it counts once for all aliases.
func (c *aliasCount) anchored(n *yaml.Node, before, nested int) (int, error) {
	if size, counted := c.sizes[n]; counted {
		if size < 0 {
			return 0, fmt.Errorf("the alias *%s is inside of its own anchor; write the value instead", n.Anchor)
		}
		return size, nil
	}
	if c.sizes == nil {
		c.sizes = map[*yaml.Node]int{}
	}
	c.sizes[n] = -1
	size, err := c.content(n, before, nested)
	c.sizes[n] = size
	return size, err
}

// content returns the expanded size of a node and its children. A string with YAML in it counts with the aliases in the
// YAML, because kustomize reads it again for every alias to the string.
func (c *aliasCount) content(n *yaml.Node, before, nested int) (int, error) {
	size := nodeText + len(n.Value)
	if n.Kind == yaml.ScalarNode {
		aliased := c.aliased
		err := c.text(n.Value, nested+1)
		return size + c.aliased - aliased, err
	}
	for _, child := range n.Content {
		more, err := c.size(child, before, nested)
		if err != nil {
			return 0, err
		}
		size += more
	}
	return size, nil
}

func (c *aliasCount) take(size int) error {
	if c.aliased += size; c.aliased > c.room {
		return fmt.Errorf("the aliases of the kustomization expand to more than %d KiB; write the values instead",
			maxAliased>>10)
	}
	return nil
}
