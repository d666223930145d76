package oci

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// LayoutDir is the name of the directory that Write creates for the OCI layout.
const LayoutDir = "oci"

// Write writes a layout with all platforms, and an archive for each platform, because docker load accepts no layouts before
// version 25.
func (i *Image) Write(dir string) error {
	if err := i.writeLayout(filepath.Join(dir, LayoutDir)); err != nil {
		return err
	}
	tag, err := name.NewTag(i.Name + ":" + i.Version)
	if err != nil {
		return fmt.Errorf("%s:%s is not a valid name of an image: %w", i.Name, i.Version, err)
	}
	for _, p := range i.platforms {
		archive := filepath.Join(dir, i.Program+"-"+p.OS+"-"+p.Architecture+".tar")
		if err := tarball.WriteToFile(archive, tag, p.image); err != nil {
			return err
		}
	}
	return nil
}

// writeLayout writes a layout with a single index, which tools use by default.
func (i *Image) writeLayout(dir string) error {
	// Otherwise the release would contain the files of an earlier one.
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	written, err := layout.Write(dir, mutate.IndexMediaType(empty.Index, types.OCIImageIndex))
	if err != nil {
		return err
	}
	return written.AppendIndex(i.index(), layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": i.Version}))
}

func (i *Image) index() v1.ImageIndex {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range i.platforms {
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: p.image, Descriptor: v1.Descriptor{Platform: &p.Platform}})
	}
	return mutate.Annotations(index, i.labels()).(v1.ImageIndex) // the type of the argument
}
