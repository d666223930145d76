package engine_test

import (
	"context"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// apply runs a config on manifests without a deadline, so that no error is possible.
func apply(config engine.Config, sources ...finding.Source) engine.Result {
	result, err := engine.Apply(context.Background(), config, sources...)
	if err != nil {
		panic(err)
	}
	return result
}
