//go:build !nokustomize

package kustomization

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/internal/edge/files"
)

// disk reads only regular files, because reading a FIFO may never end, and bounds their aliases. It is used for one
// build.
type disk struct {
	filesys.FileSystem
	aliases files.Aliases
	refused error // the error for the first file with too many aliases, without the long context that kustomize adds
}

func newDisk() *disk { return &disk{FileSystem: filesys.MakeFsOnDisk()} }

// ReadFile returns an error for a file that is not regular or has too many aliases.
func (d *disk) ReadFile(path string) ([]byte, error) {
	text, err := files.ReadRegular(path)
	if err != nil {
		return nil, err
	}
	if line, err := d.aliases.Add(text); err != nil {
		if d.refused == nil {
			d.refused = fmt.Errorf("%s:%d: %w", path, line, err)
		}
		return nil, d.refused
	}
	return text, nil
}
