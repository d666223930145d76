package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/pipelines/kpt/pillion"
)

// printDoc prints the documentation of the function as functions that are built with kpt's SDK do.
func printDoc(out io.Writer) error {
	doc := map[string]any{
		"short":    section(pillion.Readme, "Short"),
		"long":     section(pillion.Readme, "Long"),
		"examples": section(pillion.Readme, "Examples"),
	}
	if err := yaml.Unmarshal(pillion.Metadata, &doc); err != nil {
		return fmt.Errorf("the metadata of the function: %w", err)
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	return writeOutput(out, append(text, '\n'))
}

// section returns what is between the comments that mark a section of a page.
func section(page, name string) string {
	_, behind, _ := strings.Cut(page, "<!--mdtogo:"+name+"-->")
	text, _, _ := strings.Cut(behind, "<!--mdtogo-->")
	return strings.TrimSpace(text)
}
