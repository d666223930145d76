package engine

import (
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/stamp"
)

// lateWarnings are about what may stay in a pod template although an injector wants something else.
type lateWarnings struct {
	by     *runInjector
	wanted apply.Wanted
}

// reportLateWarnings reports what stays although injectors want something else. It comes after all injectors, because a later
// one may have changed what stays, and the result must not depend on their order. If the workload is refused, only the
// app's values count: conflicts between injectors are errors.
func (c *change) reportLateWarnings() {
	if len(c.lateWarnings) == 0 {
		return
	}
	version := c.version().Node
	if c.workload.failed {
		version = c.appTemplate()
	}
	view := stamp.NewView(version)
	for _, k := range c.lateWarnings {
		for _, f := range k.wanted.LateWarnings(view, c.viewBefore()) {
			c.report(k.by, f)
		}
	}
}
