// Demo shows what Pillion does. Without an argument, it explains what it shows, and suggests what to try next; it must run in the root
// of the repository. With the directory of an example, it runs Pillion on it and prints the changes as a unified diff.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"pillion.dev/pillion/test/example"
	"pillion.dev/pillion/test/resourcelist"
)

func main() {
	pillion := flag.String("pillion", "./pillion", "the program to run")
	flag.Parse()
	show := func() error { return tour(*pillion, os.Stdout) }
	if dir := flag.Arg(0); dir != "" {
		show = func() error { return demo(*pillion, dir) }
	}
	if err := show(); err != nil {
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
	after, err := resourcelist.Items(string(list))
	if err != nil {
		return err
	}
	diff, err := unifiedDiff(resourcelist.Join(e.Items), resourcelist.Join(after))
	if err != nil {
		return err
	}
	if diff == "" {
		return fmt.Errorf("%s changed nothing in %s", pillion, dir)
	}
	if hasColours(os.Stdout) {
		diff = colour(diff)
	}
	_, err = fmt.Print(diff)
	return err
}

func unifiedDiff(before, after string) (string, error) {
	dir, err := os.MkdirTemp("", "pillion-demo")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a directory left in the temporary space harms nobody
	for name, text := range map[string]string{"before": before, "after": after} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	diff := exec.Command("diff", "-u", "before", "after")
	diff.Dir = dir
	out, err := diff.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		// diff exits with 1 if there is a difference
		err = nil
	}
	return withoutTimes(out), err
}

// withoutTimes removes the times that diff prints after the file names.
func withoutTimes(diff []byte) string {
	var lines bytes.Buffer
	for line := range bytes.Lines(diff) {
		if bytes.HasPrefix(line, []byte("--- ")) || bytes.HasPrefix(line, []byte("+++ ")) {
			name, _, _ := bytes.Cut(line, []byte("\t"))
			line = append(bytes.TrimRight(name, "\n"), '\n')
		}
		lines.Write(line)
	}
	return lines.String()
}

// hasColours follows the same rules as the program.
func hasColours(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func colour(diff string) string {
	const red, green, cyan, plain = "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[0m"
	var coloured strings.Builder
	for line := range strings.Lines(diff) {
		text := strings.TrimRight(line, "\n")
		switch line[0] {
		case '-':
			text = red + text + plain
		case '+':
			text = green + text + plain
		case '@':
			text = cyan + text + plain
		}
		coloured.WriteString(text + "\n")
	}
	return coloured.String()
}
