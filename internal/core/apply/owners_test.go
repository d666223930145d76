package apply_test

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// noNames are the names of injectors of which no container is known.
type noNames struct{}

func (noNames) IsNamed(string) bool { return false }

// alone returns the pod template of an app that no other injector has changed.
func alone(app *node.Node) *apply.Pod {
	return &apply.Pod{
		Template: pods.Template{Node: app},
		Before:   app,
		AppView:  stamp.NewView(app),
		Owners:   new(ledger.Owners),
		Names:    noNames{},
		Index:    new(version.Index),
	}
}

// beside returns the pod template of an app, and other injectors that made a version of it.
func beside(app, seen *node.Node, parts ...stamp.Joined) *apply.Pod {
	p := alone(app)
	p.Before = seen
	wanted := version.Difference(node.Fresh(app), node.Fresh(seen)) // new ones match by their keys
	for _, part := range parts {
		wanted.Join(0, part, nil)
	}
	s := wanted.Stamp(stamp.Hashes{}, p.AppView, nil)
	p.Owners.Add(ledger.Ledger{Injector: "others", Stamp: s})
	return p
}

// inRun is what a run has put in so far.
type inRun struct {
	file   *node.Node
	others []stamp.Owner
	now    []stamp.Owner
	placed ledger.Entries
}

// write returns the version with what an injector wants, in order.
func (r *inRun) write(p *apply.Pod) (*node.Node, []finding.Finding) {
	next := version.Version{
		Template: pods.Template{Node: p.Before}.Copy(),
		App:      p.AppView,
		Before:   stamp.NewView(p.Before),
		Owners:   p.Owners,
		Index:    new(version.Index),
	}
	findings := next.With(p.Entries)
	s := p.Entries.Stamp(stamp.Hashes{}, p.AppView, nil)
	r.now = append(r.now, stamp.Owner{Stamp: s})
	r.placed = version.AppendPlaced(r.placed, p.Entries)
	order := &version.Order{File: stamp.NewView(r.file), App: p.AppView, Now: r.now, Others: r.others}
	next.Order(order, r.placed)
	return next.Node, findings
}
