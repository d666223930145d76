package test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/preset"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// renovateImage matches a line in which Renovate's kubernetes manager finds an image: the key begins the line or the
// entry of a list, and the image, with its tag and digest, may have quotes.
var renovateImage = regexp.MustCompile(`(?m)^\s*-?\s*image:\s*['"]?` +
	`([\w.-]+(?::\d+)?(?:/[\w.-]+)*(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?)['"]?(?:\s|$)`)

// TestRenovateFindsTheImagesOfConfigs checks that each image of the example configs and the presets is where Renovate
// looks for it.
func TestRenovateFindsTheImagesOfConfigs(t *testing.T) {
	configs := map[string]string{}
	for _, p := range preset.All {
		text, err := p.Injector("injector.yaml", p.Example())
		if err != nil {
			t.Fatal(err)
		}
		configs["preset "+p.Name] = text
	}
	for _, tree := range []string{"examples", "docs", "pipelines"} {
		err := filepath.WalkDir(filepath.Join(root, tree), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			text, err := os.ReadFile(path)
			if holds, _ := engine.HoldsConfig(text); holds {
				configs[path] = string(text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	count := 0
	for name, text := range configs {
		var found []string
		for _, match := range renovateImage.FindAllStringSubmatch(text, -1) {
			found = append(found, match[1])
		}
		config, findings := engine.ReadConfig(finding.Source{Text: []byte(text)})
		if err := finding.Err(findings); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, in := range config.Injectors() {
			for _, c := range slices.Concat(in.Containers, in.InitContainers) {
				count++
				if image := node.Text(c.Body, "image"); !slices.Contains(found, image) {
					t.Errorf("%s: Renovate would not find %s; write it in a line of its own", name, image)
				}
			}
		}
	}
	if count < 30 {
		t.Errorf("there are only %d images in %d configs", count, len(configs))
	}
}

// TestConfigsOfBotsCanBeRead reads the files for bots in docs/how-to/update-bots.md.
func TestConfigsOfBotsCanBeRead(t *testing.T) {
	read := 0
	for _, block := range fencedBlocks(t, readFile(t, filepath.Join(root, "docs", "how-to", "update-bots.md"))) {
		var content map[string]any
		switch block.language {
		case "json":
			if err := json.Unmarshal([]byte(block.text), &content); err != nil {
				t.Error(err)
			}
		case "yaml":
			if err := yaml.Unmarshal([]byte(block.text), &content); err != nil {
				t.Error(err)
			}
		default:
			continue
		}
		read++
		for _, path := range []string{"platform", "k8s"} {
			if !strings.Contains(block.text, path) {
				t.Errorf("it does not mention %s:\n%s", path, block.text)
			}
		}
	}
	if read != 3 {
		t.Errorf("there are %d files", read)
	}
}
