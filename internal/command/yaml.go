package command

import (
	"bytes"
	"errors"
	"fmt"

	"pillion.dev/pillion/internal/files"
	"pillion.dev/pillion/internal/yaml/parse"
)

// noManifests stands for an empty output, which Helm 4 takes for the failure of a post-renderer.
const noManifests = "# no manifests\n"

// yamlOf is the files as one stream of documents. A single file comes out as it is.
func yamlOf(all []files.File) ([]byte, error) {
	var b bytes.Buffer
	size := 0
	for _, file := range all {
		size += len(file.Text) + len("---\n\n")
	}
	b.Grow(size)
	for i, file := range all {
		text := file.Text
		if len(all) > 1 && isJSON(text) {
			text = jsonInStream(text)
			if i == 0 {
				b.WriteString("---\n") // or kubectl reads all of it as JSON
			}
		}
		if i > 0 {
			text = bytes.TrimPrefix(text, []byte("\ufeff")) // which begins a stream
			b.WriteString(between(text))
		}
		if i < len(all)-1 && len(text) > 0 && text[len(text)-1] != '\n' {
			if parse.EndsOpen(text) {
				return nil, fmt.Errorf("%s: another file cannot follow it: %w", file.Path, errOpen)
			}
			text = append(bytes.Clone(text), '\n')
		}
		b.Write(text)
	}
	if len(bytes.TrimSpace(b.Bytes())) == 0 {
		return []byte(noManifests), nil
	}
	return b.Bytes(), nil
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

// errOpen is about a text that kubectl, which ends the last line itself, reads otherwise than others.
var errOpen = errors.New("its last line has no line end and belongs to a block scalar, " +
	"which kubectl reads with one and others without; end that line")
