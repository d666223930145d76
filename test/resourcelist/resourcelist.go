// Package resourcelist wraps YAML documents into a ResourceList and extracts them again as text, without a YAML
// library, so that tests can check comments and quotes.
package resourcelist

import (
	"errors"
	"fmt"
	"strings"
)

// Documents splits a YAML file at its `---` lines, and leaves out documents with nothing except comments.
func Documents(file string) []string {
	var documents []string
	var document strings.Builder
	flush := func() {
		if text := strings.Trim(document.String(), "\n"); holdsContent(text) {
			documents = append(documents, text+"\n")
		}
		document.Reset()
	}
	for line := range strings.Lines(file) {
		if strings.TrimRight(line, " \r\n") == "---" {
			flush()
			continue
		}
		document.WriteString(line)
	}
	flush()
	return documents
}

// Join is the inverse of Documents.
func Join(documents []string) string {
	return strings.Join(documents, "---\n")
}

// Wrap returns a ResourceList as kustomize or kpt would send it, in the field order of kyaml.
func Wrap(items []string, functionConfig string) string {
	var list strings.Builder
	list.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n")
	for _, item := range items {
		indented := indent(item)
		list.WriteString("- " + strings.TrimPrefix(indented, "  "))
	}
	if functionConfig != "" {
		list.WriteString("functionConfig:\n" + indent(functionConfig))
	}
	return list.String()
}

// Items returns the items of a ResourceList that is formatted as by Wrap, which is also how kustomize and kpt format
// it.
func Items(list string) ([]string, error) {
	_, rest, found := strings.Cut("\n"+list, "\nitems:\n")
	if !found {
		return nil, errors.New("no items in the list")
	}
	var items []string
	for line := range strings.Lines(rest) {
		switch text, indented := strings.CutPrefix(line, "  "); {
		case strings.HasPrefix(line, "- "):
			items = append(items, line[len("- "):])
		case indented || line == "\n":
			if len(items) == 0 {
				return nil, fmt.Errorf("%q is before the first item", line)
			}
			items[len(items)-1] += text
		default:
			return items, nil
		}
	}
	return items, nil
}

func holdsContent(document string) bool {
	for line := range strings.Lines(document) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return true
		}
	}
	return false
}

// indent does not indent empty lines: they mean the same in a block scalar, and the round trip stays exact.
func indent(document string) string {
	var indented strings.Builder
	for line := range strings.Lines(document) {
		if line != "\n" {
			indented.WriteString("  ")
		}
		indented.WriteString(line)
	}
	return indented.String()
}
