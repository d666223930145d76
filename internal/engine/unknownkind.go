package engine

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/selection"
)

// unknownKind is a kind that is not known to hold pods, and an object of it that looks as if it did.
type unknownKind struct {
	group, kind string
	paths       []string // of what looks like a pod template
	isWanted    bool     // whether an injector would act on one of them, if the kind were declared
	isStamped   bool     // whether that injector would remove what it injected
}

// processOther reports problems with an item of no known workload kind. If the item seems to be a workload, it becomes one that is
// skipped, because no other finding would explain why it got no sidecar.
func (r *run) processOther(item manifest.Item, index int) processed {
	arena := r.arenas.Borrow()
	defer arena.Return()
	_, object, err := item.ParseIn(arena)
	if object == nil {
		return processed{} // it passes through as it is, whatever is wrong with its text
	}
	result := processed{provides: provides(item, object)}
	if r.failure == nil && manifest.IsRepeatedKey(err) {
		f := unreadableItem(item, err)
		f.Severity, f.Code = finding.Warning, finding.RepeatedKey
		result.findings = append(result.findings, f)
	}
	var found *finding.Finding
	if found, result.unknown = r.checkKind(item, object); found != nil {
		w := r.newWorkload(item, index, object)
		w.General = []finding.Finding{*found}
		result.workload = &w
	}
	return result
}

// checkKind returns the finding about an object that is probably a workload, although its kind is not one, or nil. The message of a
// warning about an unknown kind is set by describeUnknownKinds, once all objects of the kind are known.
func (r *run) checkKind(item manifest.Item, object *yaml.Node) (*finding.Finding, *unknownKind) {
	if meant := podtemplate.MeantVersion(item.APIVersion, item.Kind); meant != "" {
		f := wrongVersion(item.APIVersion, item.Kind, meant, getsNoSidecar)
		return &f, nil
	}
	if item.Kind == "" || !bytes.Contains(item.Text, []byte("containers")) || podtemplate.HoldsNoPods(item.APIVersion, item.Kind) {
		return nil, nil
	}
	paths := podtemplate.Search(object, len(item.Text)) // without aliases, each node has a byte at least
	if len(paths) == 0 {
		return nil, nil
	}
	if meant := podtemplate.MeantKind(item.APIVersion, item.Kind); meant != "" {
		f := wrongKind(item.APIVersion, item.Kind, meant)
		return &f, nil
	}
	if paths[0] == "" {
		return nil, nil // a config cannot declare the object itself, and it may be anything with a list of containers
	}
	unknown := r.newUnknownKind(item, object, paths)
	f := newFinding(finding.Info, finding.UnsupportedKind, &finding.Field{Path: paths[0]},
		"%s looks like a pod template, but the kind is not known; if it is one, declare it in spec.workloads", paths[0])
	return &f, unknown
}

func (r *run) newUnknownKind(item manifest.Item, object *yaml.Node, paths []string) *unknownKind {
	group, _ := podtemplate.SplitVersion(item.APIVersion)
	u := &unknownKind{group: group, kind: item.Kind, paths: paths}
	u.isStamped = slices.ContainsFunc(r.members, func(m *member) bool { return m.removes() && bytes.Contains(item.Text, []byte(m.key)) })
	u.isWanted = u.canBeDeclared() && (u.isStamped || r.selects(r.objectOf(item, object), u, object))
	return u
}

func (u *unknownKind) canBeDeclared() bool {
	return podtemplate.IsPath(u.kind) && (u.group == "" || podtemplate.IsPath(u.group))
}

// selects reports whether an injector that injects would select an object if its kind were declared.
func (r *run) selects(about finding.Object, unknown *unknownKind, object *yaml.Node) bool {
	kind := podtemplate.Kind{Group: unknown.group, Kind: unknown.kind, Paths: unknown.paths, Optional: true}
	if guard := selection.Guard(kind, object); !guard.Inject {
		return false
	}
	candidates := selection.NewCandidates(&about, kind, object)
	return slices.ContainsFunc(r.members, func(m *member) bool {
		return !m.removes() && m.selection.MatchesAny(candidates)
	})
}

// declaration is how a config declares a kind, and the number of the objects of that kind that injectors would act on.
type declaration struct {
	paths   []string
	objects int
	lines   string // of the config
}

// add counts an object and adds its paths, up to a number that a person would declare.
func (d *declaration) add(o *unknownKind) {
	d.objects++
	for _, path := range o.paths {
		if len(d.paths) < podtemplate.MaxPaths && !slices.Contains(d.paths, path) {
			d.paths = append(d.paths, path)
		}
	}
}

// describeUnknownKinds warns about the objects of unknown kinds that injectors would act on, with the number of them and the
// lines that declare the kind. Objects are those of the workloads, by their index; nil for a known kind.
func describeUnknownKinds(workloads []outcome.Workload, objects []*unknownKind) {
	kinds := map[[2]string]*declaration{}
	for _, o := range objects {
		if o == nil || !o.isWanted {
			continue
		}
		key := [2]string{o.group, o.kind}
		if kinds[key] == nil {
			kinds[key] = &declaration{}
		}
		kinds[key].add(o)
	}
	for key, d := range kinds {
		d.lines = declarationLines(key[0], key[1], d.paths)
	}
	for i, o := range objects {
		if o != nil && o.isWanted {
			workloads[i].General[0] = unknownKindFinding(o, kinds[[2]string{o.group, o.kind}])
		}
	}
}
