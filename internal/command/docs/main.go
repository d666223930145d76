// Docs writes docs/reference/cli.md, the man pages and the completions for shells from the commands.
package main

import (
	"bytes"
	_ "embed" // for the head of the page
	"errors"
	"flag"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"pillion.dev/pillion/internal/command"
)

//go:embed head.md
var head []byte

func main() {
	log.SetFlags(0)
	markdown := flag.String("markdown", "", "the `FILE` to write the page to")
	man := flag.String("man", "", "the `DIRECTORY` to write man pages to; SOURCE_DATE_EPOCH is their date")
	completions := flag.String("completions", "", "the `DIRECTORY` to write completions to, one for each shell")
	flag.Parse()
	for _, part := range []struct {
		path  string
		write func(string) error
	}{{*markdown, writePage}, {*man, writeMan}, {*completions, writeCompletions}} {
		if part.path == "" {
			continue
		}
		if err := part.write(part.path); err != nil {
			log.Fatal(err)
		}
	}
}

func writePage(path string) error {
	text, err := page()
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// page returns head.md, followed by the reference of all commands.
func page() ([]byte, error) {
	b := bytes.NewBuffer(bytes.Clone(head))
	root := documented()
	for _, cmd := range withThoseBelow(root) {
		var reference bytes.Buffer
		if err := doc.GenMarkdown(cmd, &reference); err != nil {
			return nil, err
		}
		text, _, _ := strings.Cut(reference.String(), "### SEE ALSO")
		b.WriteString(named(strings.TrimRight(text, "\n")) + "\n\n")
	}
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n'), nil
}

// withThoseBelow returns a command, and those below it that the help shows.
func withThoseBelow(cmd *cobra.Command) []*cobra.Command {
	commands := []*cobra.Command{cmd}
	if cmd.Name() == "completion" { // it explains those for each shell itself
		return commands
	}
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			commands = append(commands, withThoseBelow(below)...)
		}
	}
	return commands
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

// writeCompletions writes what pillion completion prints, in files with the names that shells look for.
func writeCompletions(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root := documented()
	return errors.Join(
		root.GenBashCompletionFileV2(filepath.Join(dir, "pillion.bash"), true),
		root.GenZshCompletionFile(filepath.Join(dir, "_pillion")),
		root.GenFishCompletionFile(filepath.Join(dir, "pillion.fish"), true),
		root.GenPowerShellCompletionFileWithDesc(filepath.Join(dir, "pillion.ps1")),
	)
}

func documented() *cobra.Command {
	root := command.New()
	root.DisableAutoGenTag = true // it contains the date
	root.InitDefaultCompletionCmd()
	return root
}
