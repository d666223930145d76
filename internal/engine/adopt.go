package engine

import (
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/transformers"
)

// names are entries of the pod spec's lists.
type names map[string][]string

// adopt makes up the stamp of an injector that has none: of what it would put in the same, but for image
// and order, if it were not there. The findings say why something of the payload's names is not it.
func (p *pod) adopt(which int) (*stamp.Stamp, []Finding) {
	payload, met := p.injectors[which].For(injector.Subject{Object: p.object, Template: p.Template})
	if finding.HasError(met) {
		return nil, met
	}
	held := p.namesakes(payload)
	if len(held) == 0 {
		return nil, p.leavesApps(payload)
	}
	version := node.Clone(p.original)
	held.takeOut(p.Template.Own(version))
	applied, met := p.apply(which, version, p.Template.In(version))
	if finding.HasError(met) {
		return p.stampOf(held, nil), met
	}
	wanted := stamp.Record(p.without(held), applied.Node, noText)
	same, refused := p.alike(held, applied.Template)
	return p.stampOf(same, wanted), refused
}

// namesakes are the containers of the payload's names that no injector put in, and the volumes that only
// these mount. A pod's only container is the app's, whatever its name.
func (p *pod) namesakes(payload *injector.Injector) names {
	held := names{}
	for _, list := range containerLists {
		for _, name := range namesIn(p.Template, list) {
			if payload.Has(name) && !p.isOthers(list, name) {
				held[list] = append(held[list], name)
			}
		}
	}
	isHeld := func(name string) bool {
		return slices.Contains(held["containers"], name) || p.isOthers("containers", name)
	}
	if !slices.ContainsFunc(namesIn(p.Template, "containers"), func(name string) bool { return !isHeld(name) }) {
		delete(held, "containers")
	}
	for _, volume := range payload.Volumes {
		if slices.Contains(namesIn(p.Template, "volumes"), volume.Name) && !p.isOthers("volumes", volume.Name) && held.alone(p.Template, volume.Name) {
			held["volumes"] = append(held["volumes"], volume.Name)
		}
	}
	return held
}

var containerLists = []string{"containers", "initContainers"}

func namesIn(t podtemplate.Template, list string) []string {
	var all []string
	for _, entry := range node.List(t.Spec(), list) {
		all = append(all, node.Text(entry, "name"))
	}
	return all
}

// isOthers tells whether an entry of the pod spec's lists is in a stamp.
func (p *pod) isOthers(list, name string) bool {
	return slices.ContainsFunc(p.others, func(o stamp.Owner) bool { return o.Adds("spec/"+list, name) })
}

// alone tells whether a volume is mounted by these containers, and by no other.
func (n names) alone(t podtemplate.Template, volume string) bool {
	used := false
	for _, list := range containerLists {
		for _, container := range node.List(t.Spec(), list) {
			if !transformers.Mounts(container, volume) {
				continue
			}
			if !slices.Contains(n[list], node.Text(container, "name")) {
				return false
			}
			used = true
		}
	}
	return used
}

// takeOut takes the entries out of a template, which must be safe to change, and lists that become empty.
func (n names) takeOut(t podtemplate.Template) {
	for list, names := range n {
		entries := node.Own(t.Spec(), list)
		entries.Content = slices.DeleteFunc(slices.Clone(entries.Content), func(entry *yaml.Node) bool {
			return slices.Contains(names, node.Text(entry, "name"))
		})
		if len(entries.Content) == 0 {
			node.Delete(t.Spec(), list)
		}
	}
}

func (p *pod) without(n names) *yaml.Node {
	t := p.Template.Own(node.Clone(p.original))
	n.takeOut(t)
	return t.Node
}

// alike are the entries that an injection puts in again, the same but for image and order, with the volumes
// that only these mount. The others are refused.
func (p *pod) alike(held names, injected podtemplate.Template) (names, []Finding) {
	same := names{}
	var refused []Finding
	for _, list := range containerLists {
		for _, name := range held[list] {
			present, wanted := stamp.At(p.Template.Node, "spec/"+list, name), stamp.At(injected.Node, "spec/"+list, name)
			if transformers.Adoptable(present, wanted) {
				same[list] = append(same[list], name)
				continue
			}
			refused = append(refused, p.refuse(name, "it differs from the payload's in more than image and order"))
		}
	}
	for _, name := range held["volumes"] {
		present, wanted := stamp.At(p.Template.Node, "spec/volumes", name), stamp.At(injected.Node, "spec/volumes", name)
		if transformers.Adoptable(present, wanted) && same.alone(p.Template, name) {
			same["volumes"] = append(same["volumes"], name)
		}
	}
	return same, refused
}

// leavesApps are the containers of the payload's names that are taken for the app's.
func (p *pod) leavesApps(payload *injector.Injector) []Finding {
	var refused []Finding
	for _, name := range namesIn(p.Template, "containers") {
		if payload.Has(name) && !p.isOthers("containers", name) {
			refused = append(refused, p.refuse(name, "the pod has no container beside it, so it is taken for the app's"))
		}
	}
	return refused
}

func (p *pod) refuse(name, why string) Finding {
	return Finding{
		Severity: Error, Code: finding.ContainerConflict, Field: specOf(p.Candidate),
		Message: fmt.Sprintf("container %q has no stamp, and %s (spec.adopt); take it out by hand", name, why),
	}
}

// stampOf is the stamp that the entries would have, or nil where there are none. What stands where the
// config gives no place in particular may stay there.
func (p *pod) stampOf(entries names, wanted *stamp.Stamp) *stamp.Stamp {
	if len(entries) == 0 {
		return nil
	}
	s := stamp.Record(p.without(entries), p.Template.Node, noText)
	s.Was = nil // nothing was replaced
	for path, prints := range s.Added {
		for key, print := range maps.All(prints) {
			if wanted == nil || wanted.Added[path][key].Place == "" {
				print.Place = ""
				prints[key] = print
			}
		}
	}
	return s
}

func noText(string, string, *yaml.Node) stamp.Layout { return stamp.Layout{} }

// isAdopted tells whether the stamp that an injector had is made up.
func (p *pod) isAdopted(in *injector.Injector) bool { return p.adopted[stamp.Key(in.Name)] }

// adopts is what an injector takes over, in a few words each.
func adopts(s *stamp.Stamp) []string {
	words := things(s)
	for i := range words {
		words[i] = "adopts " + words[i]
	}
	return words
}
