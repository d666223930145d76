package injector

import (
	"slices"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// With returns the plan with the values of one pod. What has no variables is shared by the plans of all pods. What
// refers to the app's containers stays as it is, see For.
func (p *Plan) With(values *Values) *Plan {
	if values == nil {
		return p
	}
	in := *p.Injector
	in.Spec = values.Spec
	with := &Plan{Injector: &in, Steps: slices.Clone(p.Steps), values: values}
	for s := range with.Steps {
		step := &with.Steps[s]
		step.Operations = slices.Clone(step.Operations)
		for i := range step.Operations {
			if op := &step.Operations[i]; op.Value != nil && op.App == nil {
				op.setValue(values.Of(op.Value))
			}
		}
	}
	return with
}

// setValue gives an operation the value that it has in a pod.
func (o *Operation) setValue(value *node.Node) {
	if value == o.Value {
		return
	}
	o.Value = value
	if o.Verb != Fill && o.Row.IsKeyed() {
		o.Key = o.Row.Key(value)
	}
	if o.Native != nil {
		o.Native = NativeBody(value)
	}
}

// ExpandFor returns an operation on the app's containers as it is for one of them.
func (p *Plan) ExpandFor(container string, op Operation) Operation {
	if p.values != nil {
		op.setValue(p.values.ExpandFor(container, op.Value))
	}
	return op
}

// Container returns the operation that adds the container or init container of a name, or nil.
func (p *Plan) Container(name string) *Operation {
	for _, list := range pod.ContainerLists {
		for i, op := range p.In(list) {
			if op.Key == name {
				return &p.In(list)[i]
			}
		}
	}
	return nil
}

// Has reports whether a container or init container of the plan has the name.
func (p *Plan) Has(name string) bool { return p.Container(name) != nil }

// Declared returns the names of other objects in the plan, with variables as they are written.
func (p *Plan) Declared() pod.Declared {
	names := pod.Declared{}
	for _, step := range p.Steps {
		for _, op := range step.Operations {
			row := op.Row
			values := []*node.Node{op.Value}
			if op.Verb != Fill && row.IsKeyed() {
				row = row.Entry()
			}
			if op.App != nil && p.values != nil {
				values = p.values.ForEach(op.Value)
			}
			for _, value := range values {
				names.Add(row, value)
			}
		}
	}
	return names
}
