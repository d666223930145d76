package apply_test

import (
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// noNames are the names of injectors of which no container is known.
type noNames struct{}

func (noNames) IsNamed(string) bool { return false }

// alone returns the pod template of an app, safe to change, that no other injector has changed.
func alone(app *node.Node) *apply.Pod {
	return &apply.Pod{
		Template:  pods.Template{Node: app}.Own(node.Clone(app), new(node.Clones)),
		Before:    app,
		AppView:   stamp.NewView(app),
		Owners:    new(ledger.Owners),
		Names:     noNames{},
		Positions: new(apply.Positions),
	}
}

// beside returns the pod template of an app, safe to change, and other injectors that made a version of it.
func beside(app, version *node.Node, parts ...stamp.Joined) *apply.Pod {
	p := alone(app)
	p.Before = version
	p.App = app
	inside := stamp.Inside{App: p.AppView, Joined: parts}
	s := stamp.Hashes{}.OfWanted(stamp.Difference(node.Fresh(app), node.Fresh(version)), nil, inside) // new ones match by their keys
	p.Owners.Add(ledger.Ledger{Injector: "others", Stamp: s})
	return p
}
