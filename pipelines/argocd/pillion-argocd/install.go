package main

import (
	"fmt"
	"os"
	"path/filepath"
)

const programName = "pillion-argocd"

// install copies this program into a directory, under the names of the tools. It can be repeated, as init containers
// may be, and does not replace other files.
func install(dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(self)
	if err != nil {
		return err
	}
	program := filepath.Join(dir, programName)
	if err := os.WriteFile(program+".new", text, 0o755); err != nil { //nolint:gosec // a program
		return err
	}
	if err := os.Rename(program+".new", program); err != nil {
		return err
	}
	for _, t := range tools {
		link := filepath.Join(dir, t.name)
		err := os.Symlink(programName, link)
		if target, _ := os.Readlink(link); target != programName {
			return fmt.Errorf("%w; install Pillion into a directory of its own, which is in front of that of %s in PATH", err, t.name)
		}
	}
	return nil
}
