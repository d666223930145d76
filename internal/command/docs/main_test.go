package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/command"
)

func TestThePageIsUpToDate(t *testing.T) {
	want, err := page()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../docs/reference/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/reference/cli.md is not what the commands say; run make docs")
	}
}

func TestEveryVerbHasAManPage(t *testing.T) {
	dir := t.TempDir()
	if err := writeMan(dir); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range command.New().Commands() {
		if _, err := os.Stat(filepath.Join(dir, "pillion-"+cmd.Name()+".1")); err != nil && cmd.Name() != "help" {
			t.Error(err)
		}
	}
}

func TestTheListOfVerbsAtTheTopIsComplete(t *testing.T) {
	for _, cmd := range command.New().Commands() {
		if name := "pillion " + cmd.Name(); !strings.Contains(string(head), "\n"+name) && cmd.Name() != "help" {
			t.Errorf("the list in head.md does not have %s", name)
		}
	}
}
