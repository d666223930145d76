// Docs writes docs/how-to/presets.md from the table of the presets, its notes, and the objects in the examples.
package main

import (
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"strings"

	"pillion.dev/pillion/internal/config/preset"
)

//go:embed *.md
var notes embed.FS

func main() {
	log.SetFlags(0)
	examples := flag.String("examples", "examples/presets", "the directory of the examples")
	to := flag.String("page", "docs/how-to/presets.md", "the page to write")
	flag.Parse()
	text, err := page(os.DirFS(*examples))
	if err == nil {
		err = os.WriteFile(*to, []byte(text), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// page returns the page: head.md, the table, a section for each preset, and tail.md.
func page(examples fs.FS) (string, error) {
	var b strings.Builder
	if err := writeNotes(&b, "head"); err != nil {
		return "", err
	}
	b.WriteString("| preset | what it does | image | source, looked up |\n|---|---|---|---|\n")
	for _, p := range preset.All {
		fmt.Fprintf(&b, "| [%s](#%[1]s) | %s | `%s` | [%s](%s) |\n", p.Name, p.Summary, p.Image, p.Checked, p.Source)
	}
	for _, p := range preset.All {
		if err := writeSection(&b, p, examples); err != nil {
			return "", err
		}
	}
	b.WriteString("\n")
	err := writeNotes(&b, "tail")
	return b.String(), err
}

func writeNotes(b *strings.Builder, name string) error {
	text, err := notes.ReadFile(name + ".md")
	b.Write(text)
	return err
}

func writeSection(b *strings.Builder, p preset.Preset, examples fs.FS) error {
	text, err := notes.ReadFile(p.Name + ".md")
	if err != nil {
		return err
	}
	beside, err := objects(p, examples)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n## %s\n\n```sh\n%s\n```\n\n", p.Name, commandLine(p))
	writeSettings(b, p)
	b.WriteString(strings.Replace(string(text), "{{objects}}\n\n", beside, 1))
	return nil
}

// commandLine returns the command that writes the preset, with an example for each required setting.
func commandLine(p preset.Preset) string {
	line := "pillion init " + p.Name
	for _, setting := range p.Example() {
		line += " --set " + setting
	}
	return line
}

func writeSettings(b *strings.Builder, p preset.Preset) {
	for _, s := range p.Settings {
		value := "required"
		if !s.IsRequired() {
			value = "default `" + s.Default + "`"
		}
		fmt.Fprintf(b, "- `%s`, %s: %s\n", s.Name, value, s.Meaning)
	}
	b.WriteString("\n")
}

// objects returns what the preset needs, and where that is.
func objects(p preset.Preset, examples fs.FS) (string, error) {
	if len(p.Beside) == 0 {
		return "", nil
	}
	file := p.Name + "/" + p.ObjectsFile()
	_, err := fs.Stat(examples, file)
	beside := strings.Join(p.Beside, ", ")
	return fmt.Sprintf("It needs, in [%s](../../examples/presets/%s): %s.\n\n", p.ObjectsFile(), file, beside), err
}
