// Demo shows what Pillion does. Without an argument, it explains what it shows, and suggests what to try next; it must
// run in the root of the repository. With the directory of an example, it runs Pillion on it and prints the changes as
// a unified diff.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/term"

	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/test/example"
	"pillion.dev/pillion/test/resourcelist"
)

func main() {
	pillion := flag.String("pillion", "./pillion", "the program to run")
	flag.Parse()
	var err error
	if dir := flag.Arg(0); dir == "" {
		err = tour(*pillion, os.Stdout)
	} else {
		err = demo(*pillion, dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func demo(pillion, dir string) error {
	e, err := example.Load(dir)
	if err != nil {
		return err
	}
	var messages bytes.Buffer
	defer func() { _, _ = messages.WriteTo(os.Stderr) }() // after the diff that they are about
	function := exec.Command(pillion)
	function.Stdin = strings.NewReader(e.ResourceList())
	function.Stderr = &messages
	list, err := function.Output()
	if err != nil {
		return fmt.Errorf("%s on %s: %w", pillion, dir, err)
	}
	items, err := resourcelist.Items(string(list))
	if err != nil {
		return err
	}
	before, after := []byte(resourcelist.Join(e.Items)), []byte(resourcelist.Join(items))
	hunks := edit.Unified(before, edit.Whole(before, after), 1, edit.Context)
	if len(hunks) == 0 {
		return fmt.Errorf("%s changed nothing in %s", pillion, dir)
	}
	diff := append([]byte("--- before\n+++ after\n"), hunks...)
	if hasColours(os.Stdout) {
		diff = report.ColourDiff(diff)
	}
	_, err = os.Stdout.Write(diff)
	return err
}

// hasColours follows the same rules as the program.
func hasColours(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
