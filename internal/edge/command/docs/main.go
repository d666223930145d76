// Docs writes docs/reference/cli.md, the man pages and the completions for shells from the commands.
package main

import (
	"bytes"
	_ "embed" // for the head of the page
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"pillion.dev/pillion/internal/edge/command"
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

func writePage(path string) error { return os.WriteFile(path, page(), 0o644) }

// page returns head.md, followed by the reference of all commands. What several commands have in common is there once.
func page() []byte {
	b := bytes.NewBuffer(bytes.Clone(head))
	commands := withThoseBelow(documented())
	common := commonFlags(commands)
	b.WriteString("## Common flags\n\n```text\n" + common.FlagUsages() + "```\n\n")
	for _, cmd := range commands[1:] { // head.md is about the program itself
		writeReference(b, cmd, common)
	}
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
}

// readManifests are the commands that have common flags.
var readManifests = []string{"inject", "diff", "verify", "explain", "remove"}

// commonFlags returns the flags that all commands which read manifests have, with the same meaning.
func commonFlags(commands []*cobra.Command) *pflag.FlagSet {
	count := map[string]int{}
	common := pflag.NewFlagSet("", pflag.ContinueOnError)
	common.SortFlags = false
	for _, cmd := range commands {
		if !slices.Contains(readManifests, cmd.Name()) {
			continue
		}
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			key := flag.Name + flag.Usage
			count[key]++
			if count[key] == len(readManifests) {
				common.AddFlag(flag)
			}
		})
	}
	return common
}

// writeReference writes the flags of a command, without the common ones and the help flag, which all commands have.
func writeReference(b *bytes.Buffer, cmd *cobra.Command, common *pflag.FlagSet) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.SortFlags = false
	cmd.NonInheritedFlags().VisitAll(func(flag *pflag.Flag) {
		if shared := common.Lookup(flag.Name); flag.Name != "help" && (shared == nil || shared.Usage != flag.Usage) {
			own.AddFlag(flag)
		}
	})
	if own.HasFlags() {
		fmt.Fprintf(b, "## %s\n\n%s.\n\n```text\n%s\n%s```\n\n", cmd.CommandPath(), cmd.Short, cmd.UseLine(), own.FlagUsages())
	}
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
