package engine

import (
	"context"
	"sync/atomic"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// earlyRun processes the items of a long ResourceList while it is read, so that they are read only once. It relies on
// what is certain only when the list has been read: which functionConfig it has, and that no item decides about others,
// as a Namespace does.
type earlyRun struct {
	*run
	config   *manifest.Item
	findings []finding.Finding // about the config
	isWrong  atomic.Bool       // an item decides about others
}

// prepareEarly returns a run for a ResourceList, or nil if the list is short, its config has errors or it does not end
// with the config.
func prepareEarly(text []byte) *earlyRun {
	config := manifest.ConfigAhead(text)
	if config == nil {
		return nil
	}
	injectors, findings := readFunctionConfig(config)
	if finding.HasError(findings) {
		return nil
	}
	run, problems := prepare(nil, Config{injectors: injectors, isFunction: true, bytes: len(text)})
	if len(problems) > 0 {
		return nil
	}
	return &earlyRun{run: run, config: config, findings: findings}
}

// visitor returns the visitor that processes items, or nil if there is no early run.
func (r *earlyRun) visitor(ctx context.Context) manifest.Visitor {
	if r == nil {
		return nil
	}
	return func(item *manifest.Item, document *node.Node) any {
		if selection.Informs(item.APIVersion, item.Kind) {
			r.isWrong.Store(true)
		}
		if r.isWrong.Load() || ctx.Err() != nil {
			return nil
		}
		return r.processRead(item, document)
	}
}

// appliesTo reports whether what the run relies on holds for the stream. A run that took too many steps does not count,
// because it may have processed more than the items of the stream.
func (r *earlyRun) appliesTo(stream *manifest.Stream) bool {
	if r == nil || r.isWrong.Load() || stream.Config == nil || !stream.Config.IsSame(r.config) {
		return false
	}
	bytes := len(r.config.Text)
	for _, item := range stream.Items {
		if selection.Informs(item.APIVersion, item.Kind) {
			return false
		}
		bytes += len(item.Text)
	}
	return r.meter.Used() <= meter.New(bytes).Limit()
}
