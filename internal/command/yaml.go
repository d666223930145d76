package command

import (
	"bytes"
	"regexp"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/files"
)

// noManifests stands for an empty output, which Helm 4 takes for the failure of a post-renderer.
const noManifests = "# no manifests\n"

// yamlOf is the files as one stream of documents. A single file comes out as it is.
func yamlOf(all []files.File) []byte {
	var b bytes.Buffer
	size := 0
	for _, file := range all {
		size += len(file.Text) + len("---\n\n")
	}
	b.Grow(size)
	for i, file := range all {
		text := file.Text
		if i > 0 {
			text = bytes.TrimPrefix(text, []byte("\ufeff")) // which begins a stream
			b.WriteString(between(text))
		}
		if i < len(all)-1 && len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(withoutBreak(text), '\n')
		}
		b.Write(text)
	}
	if len(bytes.TrimSpace(b.Bytes())) == 0 {
		return []byte(noManifests)
	}
	return b.Bytes()
}

// between is the line that ends the documents in front of a text: directives, such as %YAML,
// stand behind the end of a document and bring their own marker.
func between(text []byte) string {
	for line := range bytes.Lines(text) {
		switch line = bytes.TrimRight(line, " \t\r\n"); {
		case len(line) == 0 || line[0] == '#':
		case line[0] == '%':
			return "...\n"
		default:
			if bytes.HasPrefix(text, []byte("---")) {
				return ""
			}
			return "---\n"
		}
	}
	return "---\n"
}

// blockHead is the end of the line on which a block of text begins.
var blockHead = regexp.MustCompile(`([|>])(\d*)[+-]?(\d*)(\s+#.*|\s*)$`)

// withoutBreak is a text that means the same with a line break behind it: where it ends in a
// block of text, the break would be part of that, unless its head says that there is none.
func withoutBreak(text []byte) []byte {
	line := lastBlockOf(text)
	lines := bytes.SplitAfter(text, []byte("\n"))
	if line == 0 || line > len(lines) {
		return bytes.Clone(text)
	}
	head := bytes.TrimRight(lines[line-1], "\r\n")
	behind := lines[line-1][len(head):]
	lines[line-1] = append(blockHead.ReplaceAll(head, []byte("${1}${2}${3}-${4}")), behind...)
	return bytes.Join(lines, nil)
}

// lastBlockOf is the line on which the block of text begins that a stream ends in; 0 for none.
func lastBlockOf(text []byte) int {
	var last yaml.Node
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var next yaml.Node
		if err := decoder.Decode(&next); err != nil {
			break // the end, since it was read before
		}
		last = next
	}
	n := &last
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		return 0
	}
	return n.Line
}
