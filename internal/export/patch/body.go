package patch

import (
	"strconv"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/export/refusal"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// body is what a patch adds to pod templates.
type body struct {
	metadata, spec *node.Node

	values  valuesByAddress // of all patches
	entered map[stamp.Address]bool
}

// valuesByAddress is what injectors add, by its address in pod templates.
type valuesByAddress map[stamp.Address]*node.Node

func newBody(values valuesByAddress) *body {
	return &body{node.Mapping(), node.Mapping(), values, map[stamp.Address]bool{}}
}

// addInjector adds what an injector adds, in which no ${...} is a variable.
func (b *body) addInjector(in *injector.Injector) []finding.Finding {
	literal, findings := in.Unescaped()
	return append(findings, b.addAll(literal.Plan())...)
}

// addAll adds what a plan adds, and its stamp. Two injectors cannot add different things at one address, because a merge
// would mix them.
func (b *body) addAll(p *injector.Plan) (findings []finding.Finding) {
	var wanted ledger.Entries
	for _, step := range p.Steps {
		for _, op := range step.Operations {
			value := op.Body()
			if value == nil { // what it adds depends on the pod
				continue
			}
			at := stamp.Address{Path: op.Row.Path, Key: op.Key}
			if other, isTaken := b.values[at]; isTaken && !node.Equal(other, value) {
				why := "another injector adds something else of this name; rename one of the two"
				findings = append(findings, refusal.New(p.Injector, op.Field, why))
			}
			b.values[at] = value
			b.add(op, at, value)
			wanted = append(wanted, ledger.Entry{Address: at, Value: value, IsEntry: op.Verb == injector.Add})
		}
	}
	if len(wanted) > 0 {
		hashes := stamp.Hashes{Declared: p.Declared()}
		made := wanted.Stamp(hashes, stamp.NewView(node.Mapping()), nil)
		node.Set(node.OwnMapping(b.metadata, "annotations"), stamp.Key(p.Name), node.String(made.String()))
	}
	return findings
}

func (b *body) add(op injector.Operation, at stamp.Address, value *node.Node) {
	if b.entered[at] {
		return
	}
	b.entered[at] = true
	value = readByAll(value)
	if op.Verb == injector.Set {
		node.Set(node.OwnMapping(b.metadata, op.Row.Name()), op.Key, value)
		return
	}
	value.Style = 0
	if op.Container == nil && fitsLine(value) {
		value.Style = node.FlowStyle
	}
	list := node.Get(b.spec, op.Row.Name())
	if list == nil {
		list = node.Sequence()
		node.Set(b.spec, op.Row.Name(), list)
	}
	list.Content = append(list.Content, value)
}

// readByAll returns a copy of a value in which integers are decimal: kustomize reads YAML 1.1, where 0o14 is a string.
func readByAll(value *node.Node) *node.Node {
	value = node.Fresh(value)
	node.Visit(value, func(n *node.Node) {
		if number, isInt := node.Scalar(n).(int); isInt {
			n.Value = strconv.Itoa(number)
		}
	})
	return value
}

// in returns the patch with the body at the path of a template.
func (b *body) in(p templatePath) *node.Node {
	first := p.kinds[0]
	apiVersion := version
	if first[0] != "" {
		apiVersion = first[0] + "/" + version
	}
	metadata := node.Mapping(node.String("name"), node.String("any")) // kustomize requires a name, and ignores it
	metadata.Style = node.FlowStyle
	root := node.Mapping(node.String("apiVersion"), node.String(apiVersion), node.String("kind"), node.String(first[1]),
		node.String("metadata"), metadata)
	template := root
	for _, key := range p.template {
		template = node.OwnMapping(template, key)
	}
	if len(b.metadata.Content) > 0 {
		own := node.OwnMapping(template, "metadata")
		own.Style = node.FlowStyle
		own.Content = append(own.Content, b.metadata.Content...)
	}
	if len(b.spec.Content) > 0 {
		node.Set(template, "spec", b.spec)
	}
	return root
}
