//go:build !nokustomize

package kustomization

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/internal/node"
)

// localFiles is a file system that hands out no kustomization that refers to a repository:
// kustomize itself would run git to fetch it.
type localFiles struct {
	filesys.FileSystem
	refused error // why, since kustomize takes any error for a file that is not there
}

// remoteError is a reference to what is not on this machine.
type remoteError struct{ file, field, reference string }

func (e *remoteError) Error() string {
	return fmt.Sprintf("%s: %s refers to %q, which is not there, and Pillion fetches nothing from elsewhere; correct it, copy it into the tree, "+
		"or pipe what kustomize builds: kustomize build DIR | pillion ... -f -", e.file, e.field, e.reference)
}

// ReadFile reads a file, and looks at it before kustomize does.
func (l *localFiles) ReadFile(path string) ([]byte, error) {
	text, err := l.FileSystem.ReadFile(path)
	if err != nil || !isKustomization(path) {
		return text, err
	}
	var document yaml.Node
	if yaml.Unmarshal(text, &document) == nil && len(document.Content) > 0 { // else kustomize says what is wrong with it
		l.refused = errors.Join(l.refused, l.check(path, document.Content[0]))
	}
	return text, l.refused
}

func isKustomization(path string) bool {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if filepath.Base(path) == name {
			return true
		}
	}
	return false
}

// repositoryFields refer to files, to directories, or to repositories, which are told from a
// directory only by there being none.
var repositoryFields = []string{"resources", "bases", "components", "generators", "transformers", "validators"}

func (l *localFiles) check(file string, kustomization *yaml.Node) error {
	for _, field := range repositoryFields {
		for _, entry := range node.List(kustomization, field) {
			if entry.Kind == yaml.ScalarNode && !isInline(entry.Value) && !l.has(file, entry.Value) {
				return &remoteError{file, field, entry.Value}
			}
		}
	}
	return nil
}

// isInline tells an object that is written into the kustomization from a path.
func isInline(entry string) bool { return strings.Contains(strings.TrimSpace(entry), "\n") }

func (l *localFiles) has(file, entry string) bool {
	if !filepath.IsAbs(entry) {
		entry = filepath.Join(filepath.Dir(file), entry)
	}
	return l.Exists(entry)
}
