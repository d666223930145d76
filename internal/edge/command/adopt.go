package command

import (
	"bytes"
	"context"
	"fmt"

	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/edge/files"
)

// adopt writes the images that were changed by hand in the manifests into the texts of the configs, and runs the new
// config. The files are written with those of the manifests, or not at all.
func (in *input) adopt(ctx context.Context, w *verbRun, configs []files.File, adapt adapter) error {
	adoption, err := w.config.AdoptImages(newSources(configs), w.Run)
	if err != nil {
		return fmt.Errorf("--adopt-images: %w", err)
	}
	if len(adoption.Images) == 0 {
		return nil
	}
	for i, source := range adoption.Sources {
		if !bytes.Equal(source.Text, configs[i].Text) {
			w.adopted = append(w.adopted, files.Change{Path: source.File, Before: configs[i].Text, After: source.Text})
		}
	}
	w.images = adoption.Images
	if w.config, err = in.choose(adapt(adoption.Config)); err == nil {
		w.Result, err = engine.Apply(ctx, w.config, w.manifests...)
	}
	return err
}
