package engine

import (
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// memory is what one workload leaves to the next. With memory of its own for each of them, a run of thousands would
// need half as much memory again, and a tenth more time, because of the garbage.
type memory struct {
	views   reused[stamp.View]
	stamps  reused[stamp.Stamp]
	applied reused[apply.Pod]
	app     reused[appVersion]
	clones  node.Clones
}

// reused lends values that may have been in use before.
type reused[T any] struct {
	all  []*T
	lent int // how many of them are in use
}

func (r *reused[T]) lend() *T {
	if r.lent == len(r.all) {
		r.all = append(r.all, new(T))
	}
	r.lent++
	return r.all[r.lent-1]
}

// returned returns the memory with nothing of it in use.
func (m memory) returned() memory {
	m.views.lent = 0
	m.stamps.lent = 0
	m.applied.lent = 0
	m.app.lent = 0
	m.clones.Reset()
	return m
}

// newView returns a view of a pod template that is used as long as the workload is processed.
func (w *workload) newView(template *node.Node) *stamp.View {
	view := w.memory.views.lend()
	view.Reset(template)
	return view
}
