package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEachWayToBeLeftOutHasACase compares the list in SECURITY.md with the script that tests each of its rows.
func TestEachWayToBeLeftOutHasACase(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "script", "verify-left-out.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(page), "### What verify leaves out")
	list, _, _ = strings.Cut(list, "\n### ")
	ways := regexp.MustCompile(`(?m)^\| ("[^"]+")(?:, ("[^"]+"))?`).FindAllStringSubmatch(list, -1)
	if len(ways) < 14 {
		t.Errorf("the list has %d rows", len(ways))
	}
	for _, row := range ways {
		for _, way := range row[1:] {
			if !strings.Contains(string(script), way) {
				t.Errorf("there is no case for %s", way)
			}
		}
	}
}
