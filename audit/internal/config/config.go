// Package config reads injectors from mounted files again and again, because a ConfigMap changes while it is mounted.
package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// Files are the paths of files, and of directories with files, that hold a config.
type Files []string

// Snapshot is what the files hold at one moment.
type Snapshot struct {
	Sources []finding.Source
	Hash    string // of names and contents
}

// Read returns what the files hold now. In a directory, these are the files .yaml, .yml and .json, except for those
// without injectors.
func (f Files) Read() (Snapshot, error) {
	var s Snapshot
	hash := sha256.New()
	for _, path := range f {
		names, err := filesIn(path)
		if err != nil {
			return Snapshot{}, err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return Snapshot{}, err
			}
			shown := filepath.Join(path, filepath.Base(name))
			if name == path {
				shown = path
			} else if holds, err := engine.HoldsConfig(text); err == nil && !holds {
				continue
			}
			s.Sources = append(s.Sources, finding.Source{File: shown, Text: text})
			fmt.Fprintf(hash, "%q %d\n", shown, len(text))
			hash.Write(text)
		}
	}
	s.Hash = hex.EncodeToString(hash.Sum(nil))
	return s, nil
}

// filesIn returns the files of a directory, or the path itself if it is a file. The kubelet replaces all files of a
// mounted ConfigMap at once by another target of the link ..data; following it first prevents that some files are old
// and some are new.
func filesIn(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	if data, err := filepath.EvalSymlinks(filepath.Join(path, "..data")); err == nil {
		path = data
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		name := filepath.Join(path, entry.Name())
		if !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)) || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if info, err := os.Stat(name); err != nil {
			return nil, err
		} else if info.Mode().IsRegular() {
			names = append(names, name)
		}
	}
	return names, nil
}

// Config returns the config of a snapshot, or all of its errors.
func (s Snapshot) Config() (engine.Config, []finding.Finding) {
	config, findings := engine.ReadConfig(s.Sources...)
	failures := slices.DeleteFunc(findings, func(f finding.Finding) bool { return f.Severity != finding.Error })
	if len(failures) == 0 && len(config.Injectors()) == 0 {
		failures = Failure(errors.New(
			"there is no injector; write SidecarInjectors into files .yaml, .yml or .json, and name them or their directory with --config"))
	}
	return config, failures
}

// Failure returns the findings for a config that cannot be read.
func Failure(err error) []finding.Finding {
	return []finding.Finding{{Severity: finding.Error, Code: finding.InvalidConfig, Message: err.Error()}}
}
