//go:build !nokustomize

package kustomization

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/internal/files"
)

// disk reads regular files only, because a FIFO by the name of a kustomization would never end, and bounds their
// aliases. It is for one build.
type disk struct {
	filesys.FileSystem
	aliases aliases
	refused error // the first file with too many aliases; kustomize's own error has much around it
}

func newDisk() *disk { return &disk{FileSystem: filesys.MakeFsOnDisk()} }

// ReadFile refuses what is not a regular file, and what has too many aliases.
func (d *disk) ReadFile(path string) ([]byte, error) {
	text, err := files.ReadRegular(path)
	if err != nil {
		return nil, err
	}
	if line, err := d.aliases.add(text); err != nil {
		if d.refused == nil {
			d.refused = fmt.Errorf("%s:%d: %w", path, line, err)
		}
		return nil, d.refused
	}
	return text, nil
}
