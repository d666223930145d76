// Package oci writes the container image of one of Pillion's programs for several platforms as an OCI layout. It needs no
// container engine, because nothing runs during the build, and the result does not depend on the machine.
package oci

import (
	"fmt"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Image is one version of the image, for the platforms that are added to it.
type Image struct {
	// Program is the program in it, one of Programs.
	Program string
	// Name is the image's name in archives, without a tag.
	Name string
	// Version is its tag, and a label.
	Version string
	// Revision is the commit that it is built from.
	Revision string
	// Created is the time of that commit.
	Created time.Time

	platforms []platform
}

// platform is the image for one platform.
type platform struct {
	v1.Platform
	image v1.Image
}

// Add adds a platform, such as linux/amd64, with the files of a directory.
func (i *Image) Add(name, dir string) error {
	parsed, err := v1.ParsePlatform(name)
	if err != nil || parsed.OS == "" || parsed.Architecture == "" {
		return fmt.Errorf("%q is not a platform; write it like linux/amd64", name)
	}
	files, err := layer(dir, i.Created)
	if err != nil {
		return err
	}
	image, err := i.newImage(*parsed, files)
	if err != nil {
		return err
	}
	i.platforms = append(i.platforms, platform{*parsed, image})
	return nil
}

// newImage returns the image for a platform, the same as the Dockerfile creates.
func (i *Image) newImage(p v1.Platform, files v1.Layer) (v1.Image, error) {
	created := v1.Time{Time: i.Created}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err := mutate.ConfigFile(image, &v1.ConfigFile{
		Architecture: p.Architecture,
		OS:           p.OS,
		Variant:      p.Variant,
		Created:      created,
		RootFS:       v1.RootFS{Type: "layers"},
		Config: v1.Config{
			// A number, because the kubelet cannot check runAsNonRoot for a name.
			User:       "65534:65534",
			Entrypoint: []string{"/" + i.Program},
			WorkingDir: "/",
			Labels:     i.labels(),
		},
	})
	if err != nil {
		return nil, err
	}
	image, err = mutate.Append(image, mutate.Addendum{
		Layer:   files,
		History: v1.History{Created: created, CreatedBy: "pillion.dev/pillion/image"},
	})
	if err != nil {
		return nil, err
	}
	return mutate.Annotations(image, i.labels()).(v1.Image), nil // the type of the argument
}

// labels returns the labels of the image, which are also the annotations of the manifest and the index.
func (i *Image) labels() map[string]string {
	labels := map[string]string{
		"title":       i.Program,
		"description": descriptions[i.Program],
		"licenses":    "Apache-2.0",
		"source":      "https://pillion.dev/pillion",
		"version":     i.Version,
		"created":     i.Created.Format(time.RFC3339),
	}
	if i.Revision != "" {
		labels["revision"] = i.Revision
	}
	full := make(map[string]string, len(labels))
	for key, value := range labels {
		full["org.opencontainers.image."+key] = value
	}
	return full
}
