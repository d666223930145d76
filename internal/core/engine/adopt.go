package engine

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// entryNames are names of entries in the pod spec's lists, by list.
type entryNames map[string][]string

// adopt returns a stamp for an injector that has none: it names the entries that the injector would add in the same
// form, except for image and order. The findings report why entries with names of the payload cannot be adopted.
func (p *pod) adopt(m *runInjector) (*stamp.Stamp, []finding.Finding) {
	known, findings := p.planFor(m, p.subject(p.template))
	if finding.HasError(findings) {
		return nil, findings
	}
	keeps := m.injector.Spec.OnConflict.Container == v1alpha1.ContainerKeep // what cannot be adopted is the app's then
	held := p.namesakes(known)
	if len(held) == 0 && keeps {
		return nil, nil
	}
	if len(held) == 0 {
		return nil, p.refuseOnlyContainers(known)
	}
	without := p.template.Own(node.Clone(p.workload.original), &p.workload.memory.clones)
	held.takeOut(without)
	applied := p.payloadPod(without)
	if findings := p.applyTo(applied, m, without); finding.HasError(findings) {
		return p.stampFor(m, held), findings
	}
	injected := without
	injected.Node = applied.Alone()
	same, refused := p.adoptable(held, injected)
	if keeps {
		refused = nil
	}
	return p.stampFor(m, same), refused
}

// namesakes returns the containers with names of the payload that no injector added, and the volumes that only these
// mount. A pod's only container belongs to the app, whatever its name.
func (p *pod) namesakes(of *injector.Plan) entryNames {
	held := entryNames{}
	for _, list := range pods.ContainerLists {
		for _, name := range namesIn(p.template, list) {
			if of.Has(name) && !p.isStamped(list, name) {
				held[list] = append(held[list], name)
			}
		}
	}
	isApps := func(name string) bool {
		return !slices.Contains(held["containers"], name) && !p.isStamped("containers", name)
	}
	if !slices.ContainsFunc(namesIn(p.template, "containers"), isApps) {
		delete(held, "containers")
	}
	volumes := namesIn(p.template, "volumes")
	for _, op := range of.In("volumes") {
		if slices.Contains(volumes, op.Key) && !p.isStamped("volumes", op.Key) && held.mountAlone(p.template, op.Key) {
			held["volumes"] = append(held["volumes"], op.Key)
		}
	}
	return held
}

func namesIn(t pods.Template, list string) []string {
	var all []string
	for _, entry := range node.List(t.Spec(), list) {
		all = append(all, node.Text(entry, "name"))
	}
	return all
}

// isStamped reports whether an entry of the pod spec's lists is in a stamp.
func (p *pod) isStamped(list, name string) bool {
	return p.owners().HasOtherRuns(stamp.InSpec(list, name))
}

// mountAlone reports whether these containers mount a volume, and no other does.
func (e entryNames) mountAlone(t pods.Template, volume string) bool {
	isMounted := false
	for at, container := range pods.Containers(t.Spec()) {
		if !pods.Mounts(container, volume) {
			continue
		}
		if !slices.Contains(e[at.List], node.Text(container, "name")) {
			return false
		}
		isMounted = true
	}
	return isMounted
}

// takeOut removes the entries from a template, which must be safe to change, and lists that become empty.
func (e entryNames) takeOut(t pods.Template) {
	for list, names := range e {
		all := node.Own(t.Spec(), list)
		all.Content = slices.DeleteFunc(slices.Clone(all.Content), func(entry *node.Node) bool {
			return slices.Contains(names, node.Text(entry, "name"))
		})
		if len(all.Content) == 0 {
			node.Delete(t.Spec(), list)
		}
	}
}

// adoptable returns the entries that an injection adds again, equal except for image and order, with the volumes that
// only these mount. A native sidecar may have been a plain container, and the other way round. It refuses the other
// containers.
func (p *pod) adoptable(held entryNames, injected pods.Template) (entryNames, []finding.Finding) {
	isSame := func(name string, lists ...string) bool {
		return pods.EqualExceptImage(entryIn(p.template, name, lists), entryIn(injected, name, lists))
	}
	same := entryNames{}
	var refused []finding.Finding
	for _, list := range pods.ContainerLists {
		for _, name := range held[list] {
			if isSame(name, pods.ContainerLists[:]...) {
				same[list] = append(same[list], name)
				continue
			}
			refused = append(refused,
				notAdoptable(name, "it differs from the payload's in more than image and order", p.podSpec()))
		}
	}
	for _, name := range held["volumes"] {
		if isSame(name, "volumes") && same.mountAlone(p.template, name) {
			same["volumes"] = append(same["volumes"], name)
		}
	}
	return same, refused
}

// entryIn returns the entry of a name in one of the pod spec's lists, and a plain container as the native sidecar that
// it could be.
func entryIn(t pods.Template, name string, lists []string) *node.Node {
	for _, list := range lists {
		if entry := stamp.At(t.Node, pods.InSpec(list).Path, name); entry != nil {
			if list == pods.Main && node.Get(entry, "restartPolicy") == nil {
				entry = node.Clone(entry)
				node.Set(entry, "restartPolicy", node.String("Always"))
			}
			return entry
		}
	}
	return nil
}

// refuseOnlyContainers refuses containers with names of the payload that count as the app's.
func (p *pod) refuseOnlyContainers(of *injector.Plan) []finding.Finding {
	var refused []finding.Finding
	for _, name := range namesIn(p.template, "containers") {
		if of.Has(name) && !p.isStamped("containers", name) {
			refused = append(refused,
				notAdoptable(name, "the pod has no container beside it, so it is taken for the app's", p.podSpec()))
		}
	}
	return refused
}

// stampFor returns the stamp that the entries would have, or nil if there are none.
func (p *pod) stampFor(m *runInjector, e entryNames) *stamp.Stamp {
	if len(e) == 0 {
		return nil
	}
	s := &stamp.Stamp{}
	view := p.workload.newView(p.template.Node)
	for list, names := range e {
		for _, name := range names {
			at := stamp.InSpec(list, name)
			p.hashes(m).AddTo(s, at, view.At(at.Path, at.Key))
		}
	}
	return s
}
