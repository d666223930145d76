package preset_test

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/internal/config/preset"
)

const file = "injector.yaml"

func TestEveryPresetIsComplete(t *testing.T) {
	for _, p := range preset.All {
		t.Run(p.Name, func(t *testing.T) {
			if _, err := time.Parse(time.DateOnly, p.Checked); err != nil {
				t.Error(err)
			}
			if source, err := url.Parse(p.Source); err != nil || source.Scheme != "https" {
				t.Errorf("the source is %q, want the address of a repository", p.Source)
			}
			if !regexp.MustCompile(`^[a-z0-9.]+\.[a-z]+/[a-z0-9/-]+:v?\d+\.[0-9a-z.]+$`).MatchString(p.Image) {
				t.Errorf("the image is %q, want one with a registry and a pinned version", p.Image)
			}
			text, err := p.Injector(file, p.Example())
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text, "{{") {
				t.Errorf("a placeholder is left in:\n%s", text)
			}
			for _, want := range []string{
				"\n  name: " + p.Name + "\n", p.Image, "https://pillion.dev/docs/how-to/presets#" + p.Name, "-c " + file + " ",
			} {
				if !strings.Contains(text, want) {
					t.Errorf("the injector does not have %q", want)
				}
			}
		})
	}
}

func TestExamplesAndDefaultsOfSettingsAreValid(t *testing.T) {
	for _, p := range preset.All {
		for _, s := range p.Settings {
			for _, value := range []string{s.Example, s.Default} {
				if value == "" || value == s.Default && s.Form != "" {
					continue
				}
				others := slices.DeleteFunc(p.Example(), func(e string) bool { return strings.HasPrefix(e, s.Name+"=") })
				text, err := p.Injector(file, append(others, s.Name+"="+value))
				if err != nil {
					t.Errorf("%s: %v", p.Name, err)
				}
				if without, err := p.Injector(file, others); !strings.Contains(text, value) && value != s.Default && (err != nil || text == without) {
					t.Errorf("%s: the setting %s has no effect", p.Name, s.Name)
				}
			}
		}
	}
}

func TestAgentsInImageVolumes(t *testing.T) {
	for _, name := range []string{"otel-java", "otel-nodejs", "otel-python"} {
		p, err := preset.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := p.Injector(file, append(p.Example(), "agent=image-volume"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "{{") || strings.Contains(text, "initContainers") || strings.Contains(text, "emptyDir") {
			t.Errorf("%s still copies the agent:\n%s", name, text)
		}
		if want := `image: {reference: "` + p.Image + `"}`; !strings.Contains(text, want) {
			t.Errorf("%s does not have %s", name, want)
		}
	}
}

// Values are put into quoted strings, plain scalars and comments of YAML, into Pillion's variables and into shell
// commands.
func TestNoSettingTakesCharactersThatMeanSomethingElsewhere(t *testing.T) {
	for _, p := range preset.All {
		for _, s := range p.Settings {
			for _, bad := range []string{`"`, `'`, "\n", "\r", "\u2028", "\x00", `\`, "$", "{", "}", "#", " ", "`", "&", ";", "|", "<", ","} {
				for _, value := range []string{s.Example + bad, bad + s.Example, s.Example[:2] + bad + s.Example[2:], bad} {
					others := slices.DeleteFunc(p.Example(), func(e string) bool { return strings.HasPrefix(e, s.Name+"=") })
					if _, err := p.Injector(file, append(others, s.Name+"="+value)); err == nil {
						t.Errorf("%s: the setting %s takes %q", p.Name, s.Name, value)
					}
				}
			}
			if _, err := p.Injector(file, []string{s.Name + "="}); err == nil {
				t.Errorf("%s: the setting %s takes an empty value", p.Name, s.Name)
			}
		}
	}
}

func TestWhatUsersWriteIsShortAndEscapedInMessages(t *testing.T) {
	_, err := preset.Find("\x1b[2J" + strings.Repeat("x", 1000))
	if text := err.Error(); strings.Contains(text, "\x1b") || len(text) > 400 {
		t.Errorf("got %q", text)
	}
}

// TestNoPortIsUsedTwice gives settings for ports the other ports of the preset.
func TestNoPortIsUsedTwice(t *testing.T) {
	ports := regexp.MustCompile(`(?i)port(?:_value)?"?(?:, value)?: "?(\d+)`)
	for _, p := range preset.All {
		text, err := p.Injector(file, p.Example())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Settings {
			if s.Name != "port" {
				continue
			}
			found := ports.FindAllStringSubmatch(text, -1)
			others := slices.DeleteFunc(p.Example(), func(e string) bool { return strings.HasPrefix(e, "port=") })
			tried := map[string]bool{s.Example: true, s.Default: true}
			for _, match := range found {
				port := match[1]
				if tried[port] {
					continue
				}
				tried[port] = true
				if _, err := p.Injector(file, append(others, "port="+port)); err == nil || !strings.Contains(err.Error(), "choose another port") {
					t.Errorf("%s uses port %s twice: %v", p.Name, port, err)
				}
			}
			if len(tried) < 4 {
				t.Errorf("%s: only the ports %v were found", p.Name, tried)
			}
		}
	}
}
