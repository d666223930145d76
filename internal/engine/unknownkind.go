package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/yaml/parse"
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
	arena := parse.Borrow()
	defer arena.Return()
	_, object, err := item.ParseIn(arena)
	if object == nil {
		return processed{} // it passes through as it is, whatever is wrong with its text
	}
	var result processed
	if manifest.IsRepeatedKey(err) {
		f := unreadableItem(item, err)
		f.Severity, f.Code = finding.Warning, finding.RepeatedKey
		result.findings = append(result.findings, f)
	}
	w := newWorkload(item, index, object)
	switch meant := podtemplate.MeantVersion(item.APIVersion, item.Kind); {
	case meant != "":
		w.General = append(w.General, wrongVersion(item.APIVersion, item.Kind, meant, getsNoSidecar))
	case !bytes.Contains(item.Text, []byte("containers")) || item.Kind == "":
	default:
		result.unknown = r.checkUnknownKind(item, &w, object)
	}
	result.isWorkload, result.workload = len(w.General) > 0, w
	return result
}

// newWorkload returns a workload that no step has changed.
func newWorkload(item manifest.Item, index int, object *yaml.Node) outcome.Workload {
	return outcome.Workload{
		Object: objectOf(item, object), File: fileOf(item, object), Index: index, Before: item.Text, Line: 1,
	}
}

// checkUnknownKind searches an object for pod templates and adds the finding about them. The final message of a warning about an
// unknown kind is set by describeUnknownKinds, once all objects of the kind are known.
func (r *run) checkUnknownKind(item manifest.Item, w *outcome.Workload, object *yaml.Node) *unknownKind {
	paths := podtemplate.Search(object, len(item.Text)) // without aliases, each node has a byte at least
	if len(paths) == 0 || podtemplate.HoldsNoPods(item.APIVersion, item.Kind) {
		return nil
	}
	if meant := podtemplate.MeantKind(item.APIVersion, item.Kind); meant != "" {
		w.General = append(w.General, wrongKind(item.APIVersion, item.Kind, meant))
		return nil
	}
	if paths[0] == "" {
		return nil // a config cannot declare the object itself, and it may be anything with a list of containers
	}
	group, _ := podtemplate.SplitVersion(item.APIVersion)
	unknown := &unknownKind{group: group, kind: item.Kind, paths: paths}
	unknown.isStamped = slices.ContainsFunc(r.members, func(m *member) bool {
		return m.removes() && bytes.Contains(item.Text, []byte(m.key))
	})
	unknown.isWanted = unknown.canBeDeclared() && (unknown.isStamped || r.selects(w.Object, unknown, object))
	w.General = append(w.General, newFinding(finding.Info, finding.UnsupportedKind, &finding.Field{Path: paths[0]},
		"%s looks like a pod template, but the kind is not known; if it is one, declare it in spec.workloads", paths[0]))
	return unknown
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
		return !m.removes() && slices.ContainsFunc(candidates, func(c selection.Candidate) bool { return m.selection.Decide(c).Matched })
	})
}

// describeUnknownKinds warns about the objects of unknown kinds that injectors would select, with the number of them and the
// lines that declare the kind. Objects are those of the workloads, by their index; nil for a known kind.
func describeUnknownKinds(workloads []outcome.Workload, objects []*unknownKind) {
	type declared struct {
		paths []string
		count int
	}
	kinds := map[[2]string]*declared{}
	eachWanted := func(do func(w *outcome.Workload, o *unknownKind, all *declared)) {
		for i, o := range objects {
			if o == nil || !o.isWanted {
				continue
			}
			key := [2]string{o.group, o.kind}
			if kinds[key] == nil {
				kinds[key] = &declared{}
			}
			do(&workloads[i], o, kinds[key])
		}
	}
	eachWanted(func(_ *outcome.Workload, o *unknownKind, all *declared) {
		all.count++
		for _, path := range o.paths {
			if !slices.Contains(all.paths, path) {
				all.paths = append(all.paths, path)
			}
		}
	})
	eachWanted(func(w *outcome.Workload, o *unknownKind, all *declared) {
		w.General[0] = unknownKindFinding(o, all.paths, all.count)
	})
}

func unknownKindFinding(o *unknownKind, paths []string, count int) finding.Finding {
	consequence := "it gets no sidecar"
	switch {
	case o.isStamped:
		consequence = "what was injected stays"
	case count > 1:
		consequence = fmt.Sprintf("the %d objects of the kind get no sidecar", count)
	}
	f := newFinding(finding.Warning, finding.UnsupportedKind, &finding.Field{Path: o.paths[0]},
		"%s looks like a pod template, but the kind is not known, so %s; if it is one, declare it in spec.workloads", o.paths[0], consequence)
	var b strings.Builder
	b.WriteString("spec:\n  workloads:\n  - ")
	if o.group != "" {
		b.WriteString("group: " + o.group + "\n    ")
	}
	b.WriteString("kind: " + o.kind + "\n    podTemplates:\n")
	for _, path := range paths {
		b.WriteString("    - " + path + "\n")
	}
	f.Detail = b.String()
	return f
}

const getsNoSidecar = ", so it gets no sidecar"

// wrongVersion reports a kind of Kubernetes' own in a wrong API version. The consequence is what follows for the object.
func wrongVersion(apiVersion, kind, meant, consequence string) finding.Finding {
	problem := fmt.Sprintf("%s has no kind %s", apiVersion, kind)
	if apiVersion == "" {
		problem = "apiVersion is missing"
	}
	return newFinding(finding.Warning, finding.WrongVersion, &finding.Field{Path: "apiVersion", Current: apiVersion, Proposed: meant},
		"%s%s; %s is probably meant", problem, consequence, meant)
}

func wrongKind(apiVersion, kind, meant string) finding.Finding {
	return newFinding(finding.Warning, finding.WrongVersion, &finding.Field{Path: "kind", Current: kind, Proposed: meant},
		"%s has no kind %s%s; %s is probably meant", cmp.Or(apiVersion, "Kubernetes"), kind, getsNoSidecar, meant)
}
