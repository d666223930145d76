package apply

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// App is the pod template of an app, with what a plan depends on. A plan changes nothing of it.
type App struct {
	pod.Template

	// View finds what is in the pod template.
	View *stamp.View
	// Object is the workload.
	Object finding.Object
	// Finishes is set if the pod is meant to end, like that of a Job.
	Finishes bool
	// Kind is that of the workload.
	Kind pod.Kind
	// ClaimTemplates are the volumes that a StatefulSet's volumeClaimTemplates add.
	ClaimTemplates []string
	// SelectorLabels are the keys of the labels that the workload's selector uses. Changing one of them cuts the
	// workload off from its pods.
	SelectorLabels []string
	// LabelsAreSelector is set if the workload has no selector, so that the API server uses the labels of the pod
	// template.
	LabelsAreSelector bool
	// Room is how much may be added to the workload. It may be nil.
	Room *meter.Room
}

// Seen is the app with what others have put in. It counts for ports, neighbours, names and sources of variables.
type Seen struct {
	// Before is the pod template with what others have put in. Findings have its indexes.
	Before *node.Node
	// Index finds the entries of its lists.
	Index *version.Index
	// Owners are the others.
	Owners *ledger.Owners
	// Names tells which names of containers are those of injectors.
	Names Names
	// Earlier are the new entries of the injectors before in the run.
	Earlier ledger.Entries
}

// Pod is an app while a plan runs, with what the injector wants so far.
type Pod struct {
	App
	Seen

	// Entries are what the injector wants.
	Entries ledger.Entries

	plan         *injector.Plan
	before       *stamp.View // see entryAt
	containers   []string    // the injector's containers that are there as it wants them
	findings     []finding.Finding
	lateWarnings []lateWarning

	lists     [5]list                 // see list
	listCount int                     // of lists
	inside    map[string][]*node.Node // see wantedIn
	insideTo  int                     // how many entries it has

	untransformed *node.Node // the app, if transformers may change it as well
}

// Injector returns the injector whose plan runs, with the values of the pod.
func (p *Pod) Injector() *injector.Injector { return p.plan.Injector }

func (p *Pod) setHas(container string) {
	if !slices.Contains(p.containers, container) {
		p.containers = append(p.containers, container)
	}
}

// The lists whose names must differ. The last is only in running pods, and never changed.
const (
	containers          = pod.Main
	initContainers      = pod.Init
	ephemeralContainers = pod.Ephemeral
)

// entryAt returns the path of an entry of one of the pod spec's lists, as it was before others were inserted.
func (p *Pod) entryAt(list string, index int) string {
	name := node.Text(p.entries(list)[index], "name")
	if name != "" {
		if before := p.Index.Find(stamp.InSpec(list, name), node.List(p.Before, "spec", list)); before >= 0 {
			index = before
		}
	}
	return p.At("spec." + pod.Position{List: list, Index: index}.String())
}

func (p *Pod) viewBefore() *stamp.View {
	if p.before == nil {
		p.before = stamp.NewView(p.Before)
	}
	return p.before
}

// containerAt returns the path of a container of a name in one of the pod spec's lists, as it was before others were
// inserted.
func (p *Pod) containerAt(list, name string) string {
	return p.At(p.viewBefore().FieldOf(stamp.InSpec(list, name), ""))
}

// wantedOrApps returns what the injector wants at an address so far, or else what the app has there.
func (p *Pod) wantedOrApps(at stamp.Address) *node.Node {
	for i := len(p.Entries) - 1; i >= 0; i-- {
		if e := &p.Entries[i]; e.Verb == ledger.Put && e.Address == at {
			return e.Value
		}
	}
	return node.Get(p.Node, stamp.Steps(at.Inside())...)
}

// wantedIn returns what the injector wants in a list so far that the app does not have.
func (p *Pod) wantedIn(path string) []*node.Node {
	if p.inside == nil {
		p.inside = map[string][]*node.Node{}
	}
	for ; p.insideTo < len(p.Entries); p.insideTo++ {
		if e := &p.Entries[p.insideTo]; e.IsEntry && !e.IsApps() && e.Value != nil {
			p.inside[e.Path] = append(p.inside[e.Path], e.Value)
		}
	}
	return p.inside[path]
}

// isAround reports whether one of the pod spec's lists has an entry of a name, with those that other injectors have put
// in.
func (p *Pod) isAround(list, name string) bool {
	return indexOfName(p.entries(list), name) >= 0 || p.wasThere(list, name)
}

// wasThere reports whether one of the pod spec's lists had an entry of a name before the plan ran.
func (p *Pod) wasThere(list, name string) bool {
	return p.Index.Find(stamp.InSpec(list, name), node.List(p.Before, "spec", list)) >= 0
}

// countAround returns how many entries one of the pod spec's lists has, with those that other injectors have put in.
func (p *Pod) countAround(list string) int {
	count := len(node.List(p.Before, "spec", list))
	for _, entry := range p.entries(list) {
		if name := node.Text(entry, "name"); name != "" && !p.wasThere(list, name) {
			count++
		}
	}
	return count
}

// entriesOfAll returns the entries of one of the pod spec's lists with those that other injectors have put in.
func (p *Pod) entriesOfAll(list string) []*node.Node {
	all := p.entries(list)
	var names map[string]bool
	for _, entry := range node.List(p.Before, "spec", list) {
		name := node.Text(entry, "name")
		if name == "" || p.appEntry(list, name) != nil { // most are the app's
			continue
		}
		if names == nil {
			names = namesOf(all)
			all = slices.Clone(all)
		}
		if !names[name] {
			all = append(all, entry)
		}
	}
	return all
}

// seenContainers returns the containers of a list with what other injectors have put into them, and those that this one
// adds.
func (p *Pod) seenContainers(list string) []*node.Node {
	before := node.List(p.Before, "spec", list)
	path := pod.InSpec(list).Path
	all := slices.Clone(before)
	for _, wanted := range p.Entries {
		if wanted.Path != path || wanted.IsApps() {
			continue
		}
		if replaced := p.Index.Find(wanted.Address, before); replaced >= 0 {
			all[replaced] = wanted.Value
			continue
		}
		all = append(all, wanted.Value)
	}
	return all
}

// indexOfName returns the index of the entry of a name, or -1.
func indexOfName(entries []*node.Node, name string) int {
	return slices.IndexFunc(entries, func(entry *node.Node) bool { return node.Text(entry, "name") == name })
}

func namesOf(entries []*node.Node) map[string]bool {
	names := make(map[string]bool, len(entries))
	for _, entry := range entries {
		names[node.Text(entry, "name")] = true
	}
	return names
}
