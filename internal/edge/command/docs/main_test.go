package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/edge/command"
)

func TestThePageIsUpToDate(t *testing.T) {
	got, err := os.ReadFile("../../../../docs/reference/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, page()) {
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

func TestCompletionsAreThoseThatTheCommandPrints(t *testing.T) {
	dir := t.TempDir()
	if err := writeCompletions(dir); err != nil {
		t.Fatal(err)
	}
	for shell, name := range map[string]string{
		"bash": "pillion.bash", "zsh": "_pillion", "fish": "pillion.fish", "powershell": "pillion.ps1",
	} {
		written, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var printed, stderr bytes.Buffer
		if code := command.Run([]string{"completion", shell}, os.Stdin, &printed, &stderr); code != 0 {
			t.Fatal(stderr.String())
		}
		if !bytes.Equal(written, printed.Bytes()) {
			t.Errorf("%s is not what pillion completion %s prints", name, shell)
		}
	}
}

func TestTheListOfVerbsAtTheTopIsComplete(t *testing.T) {
	for _, cmd := range command.New().Commands() {
		if name := "pillion " + cmd.Name(); !strings.Contains(string(head), name) && cmd.Name() != "help" {
			t.Errorf("the list in head.md does not have %s", name)
		}
	}
}
