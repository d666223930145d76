// Docs writes docs/reference/cli.md and the man pages from the commands.
package main

import (
	"bytes"
	_ "embed" // for the head of the page
	"flag"
	"log"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"pillion.dev/pillion/internal/command"
)

//go:embed head.md
var head []byte

func main() {
	log.SetFlags(0)
	markdown := flag.String("markdown", "docs/reference/cli.md", "the page to write")
	man := flag.String("man", "", "the directory to write man pages to; empty for none")
	flag.Parse()
	text, err := page()
	if err == nil {
		err = os.WriteFile(*markdown, text, 0o644)
	}
	if err == nil && *man != "" {
		err = writeMan(*man)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// page returns head.md, followed by the reference of all commands.
func page() ([]byte, error) {
	b := bytes.NewBuffer(bytes.Clone(head))
	root := documented()
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if !cmd.IsAvailableCommand() && cmd != root {
			continue
		}
		var reference bytes.Buffer
		if err := doc.GenMarkdown(cmd, &reference); err != nil {
			return nil, err
		}
		text, _, _ := strings.Cut(reference.String(), "### SEE ALSO")
		b.WriteString(named(strings.TrimRight(text, "\n")) + "\n\n")
	}
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n'), nil
}

// named gives the blocks of a reference their languages: the examples are commands, which a test runs.
func named(reference string) string {
	parts := strings.Split(reference, "```\n")
	for i := 1; i < len(parts); i += 2 {
		language := "text"
		if strings.HasSuffix(parts[i-1], "### Examples\n\n") {
			language = "sh"
		}
		parts[i] = language + "\n" + parts[i]
	}
	return strings.Join(parts, "```")
}

func writeMan(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return doc.GenManTree(documented(), &doc.GenManHeader{Section: "1", Source: "Pillion", Manual: "Pillion"}, dir)
}

func documented() *cobra.Command {
	root := command.New()
	root.DisableAutoGenTag = true // it contains the date
	root.InitDefaultCompletionCmd()
	return root
}
