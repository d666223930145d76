package engine_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// longWayDiffers are the cases in which a removal and an injection give something else than a run that changes nothing,
// by the reason why that is as documented.
var longWayDiffers = map[string]string{
	"kept-env-twice":               besideOthers,
	"kept-in-merge":                besideOthers,
	"share-env-two-injectors":      besideOthers,
	"share-volume-not-wanted":      besideOthers,
	"stamp-upgrade":                besideOthers,
	"kpt-ids":                      asWritten,
	"kserve-main-fits":             asWritten,
	"undo-leaves-spec":             asWritten,
	"pod-resources-changed-inject": asWritten,
	"renamed-and-drifted":          renamed,
	"renamed-given-there":          renamed,
	"renamed-upgrade":              renamed,
}

const (
	besideOthers = "entries of the app and of other runs keep their places, and a new one goes behind them"
	asWritten    = "the removal gives back what the stamp says that was there, which was edited by hand in the stamp's place"
	renamed      = "after a removal, nothing tells that a kustomization had renamed a reference"
)

// TestUnchangedIsWhatAnInjectionGives takes lines out of what cases want, writes them twice and swaps them, as people
// and tools do by hand. What a run then leaves unchanged is what the long way gives: a removal, and an injection into
// the rest.
func TestUnchangedIsWhatAnInjectionGives(t *testing.T) {
	unchanged := 0
	eachArchive(t, "testdata/*.txtar", func(t *testing.T, file string, archive *txtar.Archive) {
		c := parseCase(t, archive)
		config, _ := engine.ReadConfig(finding.Source{Text: []byte(c.config)})
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if len(config.Injectors()) != 1 || c.want == c.items || longWayDiffers[name] != "" {
			return
		}
		for _, text := range handEdits(c.want) {
			if !isUnchanged(config, text) {
				continue
			}
			unchanged++
			fresh := text
			for _, step := range []engine.Config{config.Removing(), config} {
				if after := apply(step, finding.Source{Text: []byte(fresh)}).Texts[0]; after != nil {
					fresh = string(after)
				}
			}
			if !isSame(t, text, fresh) {
				t.Errorf("it is unchanged:\n%s\nand the long way gives:\n%s", text, fresh)
			}
		}
	})
	if unchanged < 1000 {
		t.Errorf("%d texts are unchanged, so this tests little", unchanged)
	}
}

// handEdits returns a text with every third line taken out, written twice, and swapped with the one before it. All lines
// would take a minute.
func handEdits(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	var edited []string
	with := func(parts ...[]string) {
		var b strings.Builder
		for _, part := range parts {
			b.WriteString(strings.Join(part, ""))
		}
		edited = append(edited, b.String())
	}
	for i := len(text) % 3; i < len(lines); i += 3 {
		with(lines[:i], lines[i+1:])
		with(lines[:i+1], lines[i:])
		if i > 0 {
			with(lines[:i-1], lines[i:i+1], lines[i-1:i], lines[i+1:])
		}
	}
	return edited
}

// isUnchanged reports whether a run has workloads, and finds all of them as declared.
func isUnchanged(config engine.Config, text string) bool {
	result := apply(config, finding.Source{Text: []byte(text)})
	all := len(result.Run.Workloads)
	return all > 0 && result.Run.Counts()[decision.Unchanged] == all && !result.Run.Failed()
}

// isSame reports whether two texts have the same documents.
func isSame(t *testing.T, a, b string) bool {
	t.Helper()
	one, other := strings.Split(a, "---\n"), strings.Split(b, "---\n")
	if len(one) != len(other) {
		return false
	}
	for i := range one {
		if one[i] == other[i] || bytes.Equal(bytes.TrimSpace([]byte(one[i])), bytes.TrimSpace([]byte(other[i]))) {
			continue
		}
		x, err := new(yamlread.Arena).Document([]byte(one[i]))
		y, otherErr := new(yamlread.Arena).Document([]byte(other[i]))
		if err != nil || otherErr != nil || !node.Equal(x, y) {
			return false
		}
	}
	return true
}
