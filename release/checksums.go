package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// checksumsFile is the name of the file that sha256sum --check takes.
const checksumsFile = "SHA256SUMS"

func sha256Of(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }

// writeChecksums writes the checksums of all files in a directory, in the order of their names.
func writeChecksums(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s  %s\n", sha256Of(content), entry.Name())
	}
	return os.WriteFile(filepath.Join(dir, checksumsFile), out.Bytes(), 0o644)
}
