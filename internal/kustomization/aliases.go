//go:build !nokustomize

package kustomization

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

const (
	// maxAliased bounds the text that all aliases of a kustomization stand for, because kustomize writes out each of
	// them: a few lines of aliases to aliases stand for gigabytes.
	maxAliased = 1 << 20
	// nodeText is how much text a value takes up beside its own: its indentation, its dash or colon, its line break.
	nodeText = 10
	// maxNested bounds how deep texts are looked for in texts: a kustomization holds a transformer, which holds a patch.
	maxNested = 4
)

// aliases counts the text that the aliases of all files stand for.
type aliases struct{ total int }

// add counts the aliases in a file. The line is that of the alias with which there are too many, or that never ends.
func (a *aliases) add(text []byte) (line int, err error) {
	count := aliasCount{room: maxAliased - a.total}
	err = count.text(string(text), 0)
	a.total = min(a.total+count.aliased, maxAliased)
	return count.line, err
}

// aliasCount counts in one text, and stops where there is no more room.
type aliasCount struct {
	room, aliased int
	line          int // of the last alias
	// sizes are the sizes of anchored nodes, written out; one that is being counted is -1.
	sizes map[*yaml.Node]int
}

// separator is where kustomize splits a file into documents, before it parses them.
var separator = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n---.*\n`) })

// text counts in each document of a text. What cannot be parsed is not counted: kustomize stops there too.
func (c *aliasCount) text(text string, nested int) error {
	if nested > maxNested || !strings.ContainsAny(text, `&\`) || !strings.ContainsAny(text, `*\`) {
		return nil // neither are there aliases, nor escapes for them in a nested text
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

// documents counts in the documents of a text that stands behind a number of lines.
func (c *aliasCount) documents(text string, before, nested int) error {
	decoder := yaml.NewDecoder(bytes.NewBufferString(text))
	for {
		var document yaml.Node
		if decoder.Decode(&document) != nil {
			return nil //nolint:nilerr // it is the end, or an error that kustomize reports
		}
		if _, err := c.size(&document, before, nested); err != nil {
			return err
		}
	}
}

// size is how much text a node is once it is written out. It counts the aliases in the node on the way.
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

// anchored counts an anchored node once, however many aliases refer to it.
func (c *aliasCount) anchored(n *yaml.Node, before, nested int) (int, error) {
	if size, counted := c.sizes[n]; counted {
		if size < 0 {
			return 0, fmt.Errorf("the alias *%s stands inside of what it refers to; write out what is meant", n.Anchor)
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

// content is the size of a node with what is in it. A text in which there are aliases counts with what they stand for:
// kustomize reads it once for every alias to it.
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
		return fmt.Errorf("the aliases of the kustomization stand for more than %d KiB; write out what is meant", maxAliased>>10)
	}
	return nil
}
