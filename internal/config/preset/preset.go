// Package preset has ready-made injectors for well-known sidecars, and fills in their settings.
package preset

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/internal/text/manual"
	"pillion.dev/pillion/internal/text/spelling"
)

//go:generate go run ./docs -examples ../../../examples/presets -page ../../../docs/how-to/presets.md

// Preset is a ready-made injector.
type Preset struct {
	Name    string
	Summary string // one line: what it does
	Image   string
	Source  string // the repository that documents the image and its settings
	Checked string // the day on which image and source were looked up
	// Settings are what cannot be the same for everybody. Everything else is edited in the file.
	Settings []Setting
	// Beside lists the objects that the injector needs, in words. Objects returns them.
	Beside []string
}

//go:embed presets/*.yaml objects/*.yaml
var texts embed.FS

// Names returns the names of all presets, in the order of the table.
func Names() []string {
	names := make([]string, len(All))
	for i, p := range All {
		names[i] = p.Name
	}
	return names
}

// Find returns the preset of a name. The error for an unknown one has the names that are like it, or all of them.
func Find(name string) (Preset, error) {
	if i := slices.IndexFunc(All, func(p Preset) bool { return p.Name == name }); i >= 0 {
		return All[i], nil
	}
	switch near := similar(name); {
	case slices.Contains(leftOut, strings.ToLower(name)):
		return Preset{}, fmt.Errorf("there is no preset %s on purpose: %s says why", quoted(name), manual.PresetsLeftOut)
	case len(near) > 0:
		return Preset{}, fmt.Errorf("there is no preset %s; did you mean %s? pillion init --list shows all presets",
			quoted(name), strings.Join(near, ", "))
	}
	return Preset{}, fmt.Errorf("there is no preset %s; the presets are %s", quoted(name), strings.Join(Names(), ", "))
}

// similar returns the names of the presets that a name may stand for: those of which it is a part, such as otel, or the
// nearest one.
func similar(name string) []string {
	const least = 3 // letters: fewer are a part of too many
	part := strings.ToLower(name)
	if names := slices.DeleteFunc(Names(), func(n string) bool { return !strings.Contains(n, part) }); len(part) >= least && len(names) > 0 {
		return names
	}
	if strings.Contains(part, "telemetry") {
		return similar("otel")
	}
	if near := spelling.Nearest(name, Names()); near != "" {
		return []string{near}
	}
	return nil
}

// alternative is lines of a preset that are there only if a setting has a value, between {{SETTING=VALUE}} and {{end}}.
var alternative = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)\{\{([a-z]+)=([a-z-]+)\}\}\n(.*?)\{\{end\}\}\n`)
})

// Injector returns the text of the injector with settings, each written as NAME=VALUE. file is the name of its file,
// for a comment. The error reports all problems at once. It is a *MissingError if the only problem is that settings are
// missing.
func (p Preset) Injector(file string, settings []string) (string, error) {
	return p.fill("presets/", file, settings)
}

// Objects returns the text of the objects that the injector with these settings needs, or "" if it needs none. They are
// those of an app that is called shop.
func (p Preset) Objects(settings []string) (string, error) {
	if len(p.Beside) == 0 {
		return "", nil
	}
	return p.fill("objects/", "", settings)
}

// ObjectsFile returns the name of the file for the objects.
func (p Preset) ObjectsFile() string { return p.Name + "-objects.yaml" }

// fill returns one of the preset's texts with the values of settings.
func (p Preset) fill(dir, file string, settings []string) (string, error) {
	values, err := p.values(settings)
	if err != nil {
		return "", err
	}
	text, err := texts.ReadFile(dir + p.Name + ".yaml")
	if err != nil {
		return "", err
	}
	pairs := []string{"{{file}}", file, "{{image}}", p.Image}
	for _, s := range p.Settings {
		value := values[s.Name]
		if s.Form != "" && value != s.Default {
			value = fmt.Sprintf(s.Form, value)
		}
		pairs = append(pairs, "{{"+s.Name+"}}", value)
	}
	chosen := alternative().ReplaceAllStringFunc(string(text), func(block string) string {
		if part := alternative().FindStringSubmatch(block); values[part[1]] == part[2] {
			return part[3]
		}
		return ""
	})
	return strings.NewReplacer(pairs...).Replace(chosen), nil
}

// Example returns an example for each required setting, as Injector takes them.
func (p Preset) Example() []string {
	var settings []string
	for _, s := range p.Settings {
		if s.IsRequired() {
			settings = append(settings, s.Name+"="+s.Example)
		}
	}
	return settings
}
