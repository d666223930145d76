package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestThePageIsUpToDate(t *testing.T) {
	want, err := page()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/cli.md is not what the commands say; run make docs")
	}
}

func TestEveryVerbHasAManPage(t *testing.T) {
	dir := t.TempDir()
	if err := writeMan(dir); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"inject", "remove", "diff", "explain", "init", "schema", "version"} {
		if _, err := os.Stat(filepath.Join(dir, "pillion-"+verb+".1")); err != nil {
			t.Error(err)
		}
	}
}
