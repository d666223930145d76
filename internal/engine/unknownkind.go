package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
	pods "pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/yaml/node"
	yamlread "pillion.dev/pillion/internal/yaml/read"
)

// unknownKind is an object of a kind that is not known to hold pods, and that looks as if it did. An injector would act on it if the kind
// were declared.
type unknownKind struct {
	group, kind string
	paths       []string // of what looks like a pod template
	isStamped   bool     // whether that injector would remove what it injected
}

// processOther reports problems with an item of no known workload kind. If the item seems to be a workload, it becomes one that is
// skipped, because no other finding would explain why it got no sidecar.
func (r *run) processOther(item *manifest.Item) *processed {
	if item.IsSound() && !mayHoldPods(item) && pods.MeantVersion(item.APIVersion, item.Kind) == "" {
		return nil // like most items of a large stream, which need not be parsed
	}
	result := new(processed)
	arena := yamlread.Borrow()
	defer arena.Return()
	_, object, err := item.ParseIn(arena)
	if object == nil { // it passes through as it is; kubectl refuses its aliases or its size
		if r.failure == nil && !item.IsSound() {
			f := unreadableItem(item, err)
			f.Severity = finding.Warning
			result.findings = append(result.findings, f)
		}
		return result
	}
	if r.failure == nil && manifest.IsRepeatedKey(err) {
		f := unreadableItem(item, err)
		f.Severity, f.Code = finding.Warning, finding.RepeatedKey
		result.findings = append(result.findings, f)
	}
	var found *finding.Finding
	at := r.objectOf(item, object)
	if isChosen := r.chooses == nil || r.chooses(&at, object); !isChosen {
		return result
	}
	if found, result.unknown = r.checkKind(item, object); found != nil {
		result.workload = r.newWorkload(item, object)
		result.workload.General = []finding.Finding{*found}
	}
	return result
}

// checkKind returns the finding about an object that is probably a workload, although its kind is not one, or nil. If an injector would
// act on an object of an unknown kind, describeUnknownKinds replaces the finding by a warning, once all objects of the kind are known.
func (r *run) checkKind(item *manifest.Item, object *node.Node) (*finding.Finding, *unknownKind) {
	if f := wrongVersion(item, ", so it gets no sidecar"); f != nil {
		return f, nil
	}
	if !mayHoldPods(item) {
		return nil, nil
	}
	paths := pods.Search(object, len(item.Text)) // without aliases, each node has a byte at least
	if len(paths) == 0 {
		return nil, nil
	}
	if meant := pods.MeantKind(item.APIVersion, item.Kind); meant != "" {
		at := &finding.Field{Path: "kind", Current: item.Kind, Proposed: meant}
		f := newFinding(finding.Warning, finding.WrongVersion, at, "%s has no kind %s, so it gets no sidecar; %s is probably meant",
			cmp.Or(item.APIVersion, "Kubernetes"), item.Kind, meant)
		return &f, nil
	}
	if paths[0] == "" {
		return nil, nil // a config cannot declare the object itself, and it may be anything with a list of containers
	}
	f := newFinding(finding.Info, finding.UnsupportedKind, &finding.Field{Path: paths[0]},
		"%s looks like a pod template, but the kind is not known; if it is one, declare it in spec.workloads", paths[0])
	group, _ := pods.SplitVersion(item.APIVersion)
	unknown := &unknownKind{group: group, kind: item.Kind, paths: paths}
	unknown.isStamped = slices.ContainsFunc(r.members, func(m *runInjector) bool {
		return m.removes() && bytes.Contains(item.Text, []byte(m.key))
	})
	canBeDeclared := pods.IsPath(item.Kind) && (group == "" || pods.IsPath(group))
	if !canBeDeclared || !unknown.isStamped && !r.selects(r.objectOf(item, object), unknown, object) {
		unknown = nil
	}
	return &f, unknown
}

// mayHoldPods reports whether an item of no known workload kind may hold a pod template nevertheless.
func mayHoldPods(item *manifest.Item) bool {
	return item.Kind != "" && bytes.Contains(item.Text, []byte("containers")) && !pods.HoldsNoPods(item.APIVersion, item.Kind)
}

// wrongVersion returns the finding about a kind of Kubernetes' own in a wrong API version, or nil. The consequence is what follows for
// the object.
func wrongVersion(item *manifest.Item, consequence string) *finding.Finding {
	meant := pods.MeantVersion(item.APIVersion, item.Kind)
	if meant == "" {
		return nil
	}
	problem := "apiVersion is missing"
	if item.APIVersion != "" {
		problem = fmt.Sprintf("%s has no kind %s", item.APIVersion, item.Kind)
	}
	at := &finding.Field{Path: "apiVersion", Current: item.APIVersion, Proposed: meant}
	f := newFinding(finding.Warning, finding.WrongVersion, at, "%s%s; %s is probably meant", problem, consequence, meant)
	return &f
}

// selects reports whether an injector that injects would select an object if its kind were declared.
func (r *run) selects(about finding.Object, unknown *unknownKind, object *node.Node) bool {
	kind := pods.Kind{Group: unknown.group, Kind: unknown.kind, Paths: unknown.paths, Optional: true}
	if guard := selection.Guard(kind, object); !guard.Inject {
		return false
	}
	return slices.ContainsFunc(kind.Templates(object), func(template pods.Template) bool {
		candidate := selection.NewCandidate(&about, kind, object, template)
		return slices.ContainsFunc(r.members, func(m *runInjector) bool {
			return !m.removes() && m.selection.Decide(&candidate).Matched
		})
	})
}

// describeUnknownKinds warns about the objects of unknown kinds that injectors would act on, with the number of them and the
// lines that declare the kind. Objects are those of the workloads, by their index; nil for one without such a warning.
func describeUnknownKinds(workloads []*outcome.Workload, objects []*unknownKind) {
	type kind struct{ group, kind string }
	paths, counts := map[kind][]string{}, map[kind]int{}
	for _, o := range objects {
		if o == nil {
			continue
		}
		of := kind{o.group, o.kind}
		counts[of]++
		for _, path := range o.paths { // up to a number that a person would declare
			if len(paths[of]) < pods.MaxPaths && !slices.Contains(paths[of], path) {
				paths[of] = append(paths[of], path)
			}
		}
	}
	for i, o := range objects {
		if o == nil {
			continue
		}
		of, consequence := kind{o.group, o.kind}, "it gets no sidecar"
		switch {
		case o.isStamped:
			consequence = "what was injected stays"
		case counts[of] > 1:
			consequence = fmt.Sprintf("the %d objects of the kind get no sidecar", counts[of])
		}
		f := newFinding(finding.Warning, finding.UnsupportedKind, &finding.Field{Path: o.paths[0]}, "%s looks like a pod template, "+
			"but the kind is not known, so %s; if it is one, declare it in spec.workloads", o.paths[0], consequence)
		f.Detail = "spec:\n  workloads:\n  - "
		if o.group != "" {
			f.Detail += "group: " + o.group + "\n    "
		}
		f.Detail += "kind: " + o.kind + "\n    podTemplates:\n    - " + strings.Join(paths[of], "\n    - ") + "\n"
		workloads[i].General[0] = f
	}
}
