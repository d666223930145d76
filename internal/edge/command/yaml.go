package command

import (
	"bytes"
	"errors"
	"fmt"

	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// noManifests replaces an empty output, which Helm 4 takes for a failed post-renderer.
const noManifests = "# no manifests\n"

// toYAML joins the files to one stream of documents. A single file is returned unchanged.
func toYAML(all []files.File) ([]byte, error) {
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
				b.WriteString("---\n") // otherwise kubectl reads the whole stream as JSON
			}
		}
		if i > 0 {
			text = bytes.TrimPrefix(text, []byte("\ufeff")) // it is allowed at the start of a stream only
			b.WriteString(separatorFor(text))
		}
		if i < len(all)-1 && len(text) > 0 && text[len(text)-1] != '\n' {
			if read.EndsOpen(text) {
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

// separatorFor returns the line between the documents in front of a text and the text. Directives, such as %YAML, must
// follow the end of a document, and have their own document marker.
func separatorFor(text []byte) string {
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

// errOpen is the error for a text that kubectl, which adds a missing newline at the end, reads differently from other
// tools.
var errOpen = errors.New("its last line belongs to a block scalar and has no newline at its end, " +
	"which kubectl adds and other tools do not; add it")
