package engine

import (
	"cmp"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/stamp"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// A reference that kustomize renamed is the same reference. All steps work on a version of the workload that has the
// names of the config, so that a renamed reference is neither drift nor a change. The names of the file are put back
// before the workload is written.

// renamed is an object that has another name in the file than in the config.
type renamed struct {
	kind, declared, present string
	at                      stamp.Address // something that an injector added, and that refers to it
}

// declareNames gives the references that kustomize renamed the names of the config, in a version of the workload from
// which everything else is made.
func (w *workload) declareNames() {
	for i := range w.pods {
		w.pods[i].findRenamed()
	}
	if !slices.ContainsFunc(w.pods, func(p pod) bool { return len(p.renamed) > 0 }) {
		return
	}
	w.document, w.original = w.memory.clones.OwnDocument(w.document)
	for i := range w.pods {
		w.pods[i].declareNames()
	}
	for i, template := range w.kind.Templates(w.original) {
		w.pods[i].candidate = selection.NewCandidate(&w.result.Object, w.kind, w.original, template)
		w.pods[i].template = template
		w.pods[i].view = nil
	}
}

// findRenamed finds the renamed references in what stamps of the run's injectors name.
func (p *pod) findRenamed() {
	if p.template.Broken != nil {
		return
	}
	found := renamings{}
	for _, m := range p.workload.run.readyInjectors {
		if s := p.stamps.stamps[m.key]; s != nil {
			p.findRenamedBy(m, s, found)
		}
	}
	p.renamed = found.renamed()
}

// findRenamedBy adds the references in what the stamp of an injector names.
func (p *pod) findRenamedBy(m *runInjector, s *stamp.Stamp, found renamings) {
	for _, t := range s.Addresses() {
		list := pods.At(t.Path)
		row := list.Child(t.Key)
		if !row.RefersInside() {
			continue
		}
		entry := p.viewBefore().At(t.Path, t.Key)
		if entry == nil {
			p.findRenamedEntry(list, t, found)
			continue
		}
		declared := p.declared(m)
		isAsAdded := s.Changes[t].HasNames(t, entry, declared)
		for _, name := range row.Names(entry) {
			if isAsAdded && !declared.Has(name) {
				continue
			}
			p.workload.run.meter.Charge(len(declared[name.Kind]))
			found.add(renamed{name.Kind, declared.Find(name, p.workload.result.Object.Name), name.Node.Value, t})
		}
	}
}

// findRenamedEntry adds the entries of a list that may be the one that an injector added, and that have another key now
// because the key is the name of an object.
func (p *pod) findRenamedEntry(list *pods.Row, t stamp.Address, found renamings) {
	if list.NameIn(t.Key) == "" {
		return
	}
	entries := p.viewBefore().List(t.Path)
	p.workload.run.meter.Charge(len(entries))
	for _, entry := range entries {
		key := list.Key(entry)
		if list.IsRenamedKey(t.Key, key, p.workload.result.Object.Name) && p.stampOf(t.Path, key) == "" {
			name := list.Entry().Names(entry)[0]
			found.add(renamed{name.Kind, list.NameIn(t.Key), name.Node.Value, t})
		}
	}
}

// renamings are what may have become of declared objects. An object has one name in a pod, because kustomize renames
// all references to it.
type renamings map[objectKey]renamed

// add adds a reference. Of several that may be to one object, the shortest name counts: the app's objects get the same
// affixes.
func (r renamings) add(found renamed) {
	key := objectKey{found.kind, found.declared}
	other, isKnown := r[key]
	byLength := cmp.Or(
		len(pods.WithoutHash(found.present))-len(pods.WithoutHash(other.present)),
		len(found.present)-len(other.present))
	if found.declared != "" && (!isKnown || byLength < 0) {
		r[key] = found
	}
}

// renamed returns those that have other names, in order. One that has the name of a declared object is that object.
func (r renamings) renamed() []renamed {
	var all []renamed
	for _, each := range r {
		if each.present != each.declared && r[objectKey{each.kind, each.present}].present != each.present {
			each.present = strings.Clone(each.present) // it outlives the item
			all = append(all, each)
		}
	}
	slices.SortFunc(all, func(a, b renamed) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.declared, b.declared))
	})
	return all
}

// declared returns the names of objects in an injector's payload for the pod.
func (p *pod) declared(m *runInjector) pods.Declared {
	if !m.namesVary {
		return m.hashes.Declared
	}
	if p.names == nil {
		p.names = map[*runInjector]pods.Declared{}
	}
	if p.names[m] == nil {
		p.names[m] = p.knownPlan(m).Declared()
	}
	return p.names[m]
}

// declareNames gives all references to the renamed objects the declared names, also those of the app, which a sidecar
// may take over.
func (p *pod) declareNames() {
	if len(p.renamed) == 0 {
		return
	}
	declared := map[objectKey]string{}
	for _, r := range p.renamed {
		declared[objectKey{r.kind, r.present}] = r.declared
	}
	p.found = map[int32]*node.Node{}
	p.replaceNames(p.workload.original, func(name pods.Name) *node.Node {
		from := declared[objectKey{name.Kind, name.Node.Value}]
		if from == "" {
			return nil
		}
		p.found[name.Node.Start] = name.Node
		to := *name.Node
		to.Tag = node.StrTag
		to.Value = from
		to.Style = node.DoubleQuotedStyle // so that y stays a string
		return &to
	})
}

// replaceNames replaces names of objects in a version of the pod template.
func (p *pod) replaceNames(version *node.Node, by func(pods.Name) *node.Node) {
	spec := p.template.Own(version, &p.workload.memory.clones).Spec()
	spec.Content = withNames(pods.Of("spec"), spec, by).Content
}

// withNames returns a version of a value of the pod with other names of objects.
func withNames(row *pods.Row, value *node.Node, by func(pods.Name) *node.Node) *node.Node {
	replaced := map[*node.Node]*node.Node{}
	for _, name := range row.Names(value) {
		if other := by(name); other != nil {
			replaced[name.Node] = other
		}
	}
	return node.Replaced(value, func(n *node.Node) *node.Node { return replaced[n] })
}

// inFile returns something of the pod with the names that the file has, for messages.
func (p *pod) inFile(at stamp.Address, value *node.Node) *node.Node {
	if len(p.renamed) == 0 || value == nil {
		return value
	}
	return withNames(pods.At(at.Path).Child(at.Key), value, func(name pods.Name) *node.Node {
		for _, r := range p.renamed {
			if r.kind == name.Kind && r.declared == name.Node.Value {
				return node.String(r.present)
			}
		}
		return nil
	})
}

// reportRenamed reports the references of a pod template that keep the names that kustomize gave them.
func (c *change) reportRenamed() {
	for _, r := range c.renamed {
		declares := func(m *runInjector) bool { return c.declared(m)[r.kind][r.declared] }
		if i := slices.IndexFunc(c.todo.inject, declares); i >= 0 {
			path := c.template.At(c.viewBefore().FieldOf(r.at, ""))
			at := &finding.Field{Path: path, Current: strings.Clone(r.present)}
			c.report(c.todo.inject[i], newFinding(finding.Info, finding.Renamed, at,
				"the %s %q is named %q here, as kustomize renames objects; the name stays",
				r.kind, r.declared, r.present))
		}
	}
}

// renamed returns the renamed references of all pod templates.
func (w *workload) renamed() []renamed {
	var all []renamed
	for i := range w.pods {
		all = append(all, w.pods[i].renamed...)
	}
	return all
}

// returnNames gives references in the version under change the names that the file has: those that they have in the
// file, and the same names to new references to the same objects.
func (w *workload) returnNames() {
	if w.original == w.wrapped {
		return
	}
	w.copied, w.changed = w.memory.clones.OwnDocument(w.copied)
	for i := range w.pods {
		if p := &w.pods[i]; len(p.renamed) > 0 {
			p.returnNames()
		}
	}
}

func (p *pod) returnNames() {
	present := map[objectKey]string{}
	for _, r := range p.renamed {
		present[objectKey{r.kind, r.declared}] = r.present
	}
	p.replaceNames(p.workload.changed, func(name pods.Name) *node.Node {
		to := present[objectKey{name.Kind, name.Node.Value}]
		was := p.found[name.Node.Start]
		switch {
		case to == "":
			return nil
		case was != nil && was.Value == to:
			return was
		case node.IsNew(name.Node):
			return node.String(to)
		}
		return nil
	})
}
