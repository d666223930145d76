package main

import (
	"os"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/config/preset"
)

func TestThePageIsUpToDate(t *testing.T) {
	want, err := page(os.DirFS("../../../../examples/presets"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../../docs/how-to/presets.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/how-to/presets.md is not what the table, the notes and the examples say; run go generate ./internal/config/preset")
	}
}

func TestEveryPresetHasWhatToCreateNextToIt(t *testing.T) {
	for _, p := range preset.All {
		_, err := os.Stat("../../../../examples/presets/" + p.Name + "/" + p.ObjectsFile())
		if hasObjects := err == nil; hasObjects != (len(p.Beside) > 0) {
			t.Errorf("%s: the table lists %q, and examples/presets has objects: %t", p.Name, p.Beside, hasObjects)
		}
		text, err := notes.ReadFile(p.Name + ".md")
		if err != nil || strings.Count(string(text), "{{objects}}") != 1 {
			t.Errorf("%s: the notes must have {{objects}} once: %v", p.Name, err)
		}
	}
}
