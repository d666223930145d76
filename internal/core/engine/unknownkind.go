package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/outcome"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/internal/work/meter"
)

// unknownKind is an object of a kind that is not known to hold pods, and that looks as if it did. An injector would act
// on it if the kind were known.
type unknownKind struct {
	group      string
	kind       string
	first      pods.Found
	declared   []string          // the paths of what looks like a pod template that a config can declare
	bare       []string          // the same of bare pod specs
	cannot     *pods.Unsupported // why no injection can change its pods; nil if the kind is not known at all
	selectedBy *runInjector      // the first injector that would inject, or nil
	isStamped  bool              // whether an injector would remove what it injected
	labels     int               // of the object, with its annotations; a decision about a pod in it reads them
	problem    string            // why it is not certain whether an injector would; "" if it is
}

// add adds something that looks like a pod. The paths are those that a person would declare.
func (u *unknownKind) add(found pods.Found) {
	if u.first.Node == nil {
		u.first = found
	}
	paths := &u.declared
	if found.IsBare {
		paths = &u.bare
	}
	if found.CanBeDeclared() && len(*paths) < pods.MaxPaths && !slices.Contains(*paths, found.Path) {
		*paths = append(*paths, found.Path)
	}
}

// looks says what the object looks like.
func (u *unknownKind) looks() string {
	switch {
	case u.cannot != nil:
		return u.cannot.Why
	case u.first.IsBare:
		return cmp.Or(u.first.Path, "the object") + " looks like a pod spec without a template, but the kind is not known"
	}
	return u.first.Path + " looks like a pod template, but the kind is not known"
}

// toDeclare returns what to do about the kind, as the end of a message.
func (u *unknownKind) toDeclare() string {
	switch {
	case u.cannot != nil:
		return "; " + u.cannot.Instead
	case !u.first.CanBeDeclared():
		return ""
	}
	return "; if it is one, declare it in spec.workloads"
}

// processOther reports problems with an item of no known workload kind. If the item seems to be a workload, it becomes
// one that is skipped, because no other finding would explain why it got no sidecar.
func (r *run) processOther(item *manifest.Item) *processed {
	said, isAll := r.readElsewhere(item)
	if isAll {
		return &processed{elsewhere: said}
	}
	meant, _ := pods.MeantVersion(item.APIVersion, item.Kind)
	if item.IsSound() && !mayHoldPods(item) && meant == "" {
		if said == (elsewhere{}) {
			return nil // like most items of a large stream, which need not be parsed
		}
		return &processed{elsewhere: said}
	}
	result := &processed{elsewhere: said}
	arena := yamlread.Borrow()
	defer arena.Return()
	_, object, err := item.ParseIn(arena)
	if object == nil {
		r.reportUnread(item, err, result)
		return result
	}
	if repeated := manifest.RepeatedKey(err); r.failure == nil && repeated != nil {
		f := unreadableItem(item, repeated)
		f.Severity = finding.Warning
		f.Code = finding.RepeatedKey
		result.findings = append(result.findings, f)
	}
	var found *finding.Finding
	at := r.objectOf(item, object)
	if isChosen := r.chooses == nil || r.chooses(&at, object); !isChosen {
		return result
	}
	if found, result.unknown = r.checkKind(item, object, err); found != nil {
		result.workload = r.newWorkload(item, object)
		result.workload.General = []finding.Finding{*found}
	}
	return result
}

// reportUnread reports an item of no known workload kind that kubectl may read although this program does not. If it may
// hold pods, it becomes a workload that is left out.
func (r *run) reportUnread(item *manifest.Item, err error, result *processed) {
	f := unreadableItem(item, err)
	f.Severity = finding.Warning
	switch {
	case r.failure != nil:
	case mayHoldPods(item) && !pods.IsOfKubernetes(item.APIVersion):
		result.workload = unreadableWorkload(item, err)
		f.Code = finding.LeftOut
		f.Message = "it is left out, because it may hold pods, and cannot be read: " + f.Message +
			r.flagsOr("; correct that, or leave its file out with --exclude", "; correct that")
		result.workload.General = []finding.Finding{f}
	case !item.IsSound():
		result.findings = append(result.findings, f)
	}
}

// checkKind returns the finding about an object that is probably a workload, although its kind is not one, or nil. If
// an injector would act on an object of an unknown kind, describeUnknownKinds replaces the finding by a warning, once
// all objects of the kind are known.
func (r *run) checkKind(item *manifest.Item, object *node.Node, problem error) (*finding.Finding, *unknownKind) {
	if f := wrongVersion(item, ", so it gets no sidecar"); f != nil {
		return f, nil
	}
	if !mayHoldPods(item) {
		return nil, nil
	}
	unknown := r.lookInto(item, object)
	if unknown.first.Node == nil {
		return nil, nil
	}
	isInjector := func(m *runInjector) bool { return !m.removes() }
	if i := slices.IndexFunc(r.readyInjectors, isInjector); problem != nil && unknown.selectedBy == nil && i >= 0 {
		unknown.selectedBy = r.readyInjectors[i] // perhaps
		unknown.problem = unreadableItem(item, problem).Message
	}
	if isHidden := item.IsEncrypted && strings.HasPrefix(item.Kind, "ENC["); isHidden && unknown.selectedBy != nil {
		f := r.encrypted(item)
		return &f, nil
	}
	if meant := pods.MeantKind(item.APIVersion, item.Kind); meant != "" {
		at := &finding.Field{Path: "kind", Current: item.Kind, Proposed: meant}
		f := newFinding(finding.Warning, finding.WrongVersion, at,
			"%s has no kind %s, so it gets no sidecar; %s is probably meant",
			cmp.Or(item.APIVersion, "Kubernetes"), item.Kind, meant)
		return &f, nil
	}
	at := &finding.Field{Path: unknown.first.Path}
	f := newFinding(finding.Info, finding.UnsupportedKind, at, "%s", unknown.looks()+unknown.toDeclare())
	unknown.isStamped = slices.ContainsFunc(r.readyInjectors, func(m *runInjector) bool {
		return m.removes() && bytes.Contains(item.Text, []byte(m.key))
	})
	// The API server has no other kinds.
	canBeDeclared := pods.IsPath(item.Kind) && (unknown.group == "" || pods.IsPath(unknown.group))
	if !canBeDeclared || !unknown.isStamped && unknown.selectedBy == nil {
		unknown = nil
	}
	return &f, unknown
}

// lookInto looks for pods in an object of an unknown kind, and for an injector that would act on one of them.
func (r *run) lookInto(item *manifest.Item, object *node.Node) *unknownKind {
	group, _ := pods.SplitVersion(item.APIVersion)
	cannot := pods.FindUnsupported(item.APIVersion, item.Kind)
	if cannot != nil && cannot.IsException(object) {
		cannot = nil
	}
	unknown := &unknownKind{group: group, kind: item.Kind, cannot: cannot, labels: countLabels(object)}
	about := r.objectOf(item, object)
	most := len(item.Text) + manifest.MaxAliasNodes // without aliases, each node has a byte at least
	for found := range unknown.search(object, most) {
		unknown.add(found)
		if unknown.selectedBy != nil {
			continue
		}
		if unknown.selectedBy = r.selecting(&about, unknown, object, found); unknown.selectedBy != nil {
			unknown.first = found // the one to report
		}
	}
	return unknown
}

// search returns what of an object looks like a pod. If no injection can change its pods, that is the object as a whole.
func (u *unknownKind) search(object *node.Node, most int) iter.Seq[pods.Found] {
	if u.cannot == nil {
		return pods.Search(object, most)
	}
	return slices.Values([]pods.Found{{Node: node.Mapping(), IsBare: true}})
}

// mayHoldPods reports whether an item of no known workload kind may hold pods nevertheless. With a backslash, a key can
// be written in other ways; in an object that is not sound, it can be encoded; and an alias may refer to another item.
func mayHoldPods(item *manifest.Item) bool {
	if pods.FindUnsupported(item.APIVersion, item.Kind) != nil {
		return true
	}
	hasContainers := bytes.Contains(item.Text, []byte(pods.Main)) || bytes.IndexByte(item.Text, '\\') >= 0
	mayHide := !pods.IsOfKubernetes(item.APIVersion) && (!item.IsSound() || bytes.IndexByte(item.Text, '*') >= 0)
	return item.Kind != "" && (hasContainers || mayHide) && !pods.HoldsNoPods(item.APIVersion, item.Kind)
}

// wrongVersion returns the finding about a kind of Kubernetes' own in a wrong API version, or nil. The consequence is
// what follows for the object.
func wrongVersion(item *manifest.Item, consequence string) *finding.Finding {
	meant, since := pods.MeantVersion(item.APIVersion, item.Kind)
	if meant == "" {
		return nil
	}
	problem := "apiVersion is missing"
	remedy := meant + " is probably meant"
	switch {
	case since != "":
		problem = fmt.Sprintf("Kubernetes no longer serves %s (since %s)", item.APIVersion, since)
		remedy = "write " + meant
	case item.APIVersion != "":
		problem = fmt.Sprintf("%s has no kind %s", item.APIVersion, item.Kind)
	}
	at := &finding.Field{Path: "apiVersion", Current: item.APIVersion, Proposed: meant}
	f := newFinding(finding.Warning, finding.WrongVersion, at, "%s%s; %s", problem, consequence, remedy)
	return &f
}

// selecting returns the first injector that would inject a part of an object if its kind were known, or may do so; nil
// if there is none.
func (r *run) selecting(about *finding.Object, unknown *unknownKind, object *node.Node, found pods.Found) *runInjector {
	kind := pods.Kind{Group: unknown.group, Kind: unknown.kind, Optional: true, Partial: unknown.cannot != nil}
	isLocal := selection.Guard(kind, object).Code == finding.LocalConfig
	if isLocal && r.isFunction { // otherwise, kubectl may apply it
		return nil
	}
	template := pods.Template{Path: found.Path, Node: found.Node}
	if found.IsBare { // its operator gives the pods labels and annotations of the object, if any
		metadata := cmp.Or(node.Get(object, "metadata"), node.Mapping())
		template.Node = node.Mapping(node.String("metadata"), metadata, node.String("spec"), found.Node)
	}
	if !r.meter.Charge(unknown.labels * meter.PerLabel) {
		return nil
	}
	candidate := selection.NewCandidate(about, kind, object, template)
	for _, m := range r.readyInjectors {
		if m.removes() || !r.meter.Charge(m.selection.Steps(about.Name)) {
			continue
		}
		if d := m.selection.Decide(&candidate); d.Matched || isUnclear(d) || d.Severity == finding.Error {
			return m
		}
	}
	return nil
}

// countLabels returns how many labels and annotations an object has.
func countLabels(object *node.Node) int {
	metadata := node.Get(object, "metadata")
	return len(node.Keys(node.Get(metadata, "labels"))) + len(node.Keys(node.Get(metadata, "annotations")))
}

// describeUnknownKinds warns about the objects of unknown kinds that injectors would act on, with the number of them
// and the lines that declare the kind. Objects are those of the workloads, by their index; nil for one without such a
// warning.
func (r *run) describeUnknownKinds(workloads []*outcome.Workload, objects []*unknownKind) {
	type kind struct{ group, kind string }
	together := map[kind]*unknownKind{}
	counts := map[kind]int{}
	for _, o := range objects {
		if o == nil {
			continue
		}
		of := kind{o.group, o.kind}
		counts[of]++
		if counts[of] == 1 {
			together[of] = &unknownKind{group: o.group, kind: o.kind}
		}
		for _, path := range o.declared {
			together[of].add(pods.Found{Path: path})
		}
		for _, path := range o.bare {
			together[of].add(pods.Found{Path: path, IsBare: true})
		}
	}
	for i, o := range objects {
		if o == nil {
			continue
		}
		of := kind{o.group, o.kind}
		consequence := "it gets no sidecar"
		switch {
		case o.isStamped:
			consequence = "what was injected stays"
		case counts[of] > 1:
			consequence = fmt.Sprintf("the %d objects of the kind get no sidecar", counts[of])
		}
		f := newFinding(finding.Warning, finding.UnsupportedKind, &finding.Field{Path: o.first.Path}, "%s, so %s%s",
			o.looks(), consequence, r.waysFor(o))
		if o.cannot == nil {
			f.Detail = together[of].declaration()
		}
		workloads[i].General[0] = f
	}
}

// waysFor returns what to do about an object of an unknown kind, as the end of a message.
func (r *run) waysFor(o *unknownKind) string {
	if o.problem != "" {
		return "; correct first what readers of the object do not agree about: " + o.problem
	}
	toAccept := []string{"declare podTemplates: [] for the kind in spec.workloads"}
	if o.selectedBy != nil {
		marker := o.selectedBy.injector.Spec.Marker
		toAccept = append(toAccept, fmt.Sprintf(`annotate the object with %s: "false"`, marker))
	}
	if r.namesFlags {
		toAccept = append(toAccept, "leave its file out with --exclude")
	}
	return o.toDeclare() + "; to accept that, " + strings.Join(toAccept, ", or ")
}

// declaration returns the lines that declare the kind in a config.
func (u *unknownKind) declaration() string {
	lines := "spec:\n  workloads:\n  - "
	if u.group != "" {
		lines += "group: " + u.group + "\n    "
	}
	lines += "kind: " + u.kind + "\n"
	if len(u.declared)+len(u.bare) == 0 {
		return lines + "    podTemplates: []\n"
	}
	return lines + pathLines("podTemplates", u.declared) + pathLines("podSpecs", u.bare)
}

// pathLines returns the lines of a field of a declaration, or none without paths.
func pathLines(field string, paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	return "    " + field + ":\n    - " + strings.Join(paths, "\n    - ") + "\n"
}
