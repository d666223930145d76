package engine

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/internal/work/meter"
)

// processed is what became of one item: a workload, or findings about another object. It is nil for most items of a
// large stream, which are neither.
type processed struct {
	workload *outcome.Workload // nil if it is another object
	unknown  *unknownKind      // if it is one of an unknown kind that an injector would act on
	findings []finding.Finding
	renamed  []renamed
	// leftAlone is a workload that is not chosen, or nil.
	leftAlone *finding.Object
	elsewhere
}

// isCurrent reports whether the item is a workload that is as declared, with nothing to say about it.
func (p *processed) isCurrent() bool {
	return p != nil && p.workload != nil && p.unknown == nil && p.rendered == nil && p.workload.IsCurrent()
}

// process takes one item through all steps.
func (r *run) process(item *manifest.Item) *processed {
	kind, isWorkload := r.kindOf(item)
	switch {
	case item.Broken != nil && isWorkload:
		return &processed{workload: unreadableWorkload(item, item.Broken)}
	case item.Broken != nil:
		return &processed{findings: []finding.Finding{unreadableItem(item, item.Broken)}}
	case !isWorkload:
		return r.processOther(item)
	}
	arena := yamlread.Borrow()
	defer arena.Return() // no node outlives its item
	document, original, err := item.ParseIn(arena)
	if err != nil {
		return &processed{workload: unreadableWorkload(item, err)}
	}
	if kind.IsRelease && !isWhole(original) {
		return r.processOther(item)
	}
	return r.processWorkload(item, kind, document, original)
}

// processWorkload takes a workload through all steps. One without a pod template may be like one of an unknown kind.
func (r *run) processWorkload(item *manifest.Item, kind pods.Kind, document, original *node.Node) *processed {
	if len(kind.Paths) > 0 && pods.FindUnsupported(item.APIVersion, item.Kind) != nil &&
		len(kind.Templates(original)) == 0 {
		return r.processOther(item)
	}
	result := r.newWorkload(item, original)
	waiting, err := r.notRolledOut(item.File, &result.Object, original) // also for others, because a rollout counts them
	if r.chooses != nil && !r.chooses(&result.Object, original) {
		object := result.Object // alone
		return &processed{leftAlone: &object}
	}
	if !r.meter.Charge(max(len(kind.Paths)+len(kind.Specs)-1, 0) * len(item.Text) * meter.PerPath) {
		return &processed{workload: result}
	}
	w := r.workloads.Get().(*workload)
	defer r.workloads.Put(w)
	*w = workload{
		run: r, item: item, kind: kind.Of(original), read: document,
		waiting: waiting, result: result, pods: w.pods[:0], outcomes: w.outcomes[:0], memory: w.memory.returned(),
	}
	w.document, w.wrapped = kind.Wrap(document, original)
	w.original = w.wrapped
	if f := wrongVersion(item, ""); f != nil {
		w.reportGeneral(*f)
	}
	switch object := w.result.Object; {
	case r.failure != nil:
		w.reportGeneral(*r.failure)
	case err != nil:
		w.reportGeneral(newFinding(finding.Error, finding.NotRolledOut, nil, "%v", err))
	case max(len(object.Name), len(object.Namespace)) > maxNameBytes:
		w.reportGeneral(newFinding(finding.Error, finding.InvalidItem, &finding.Field{Path: "metadata.name"},
			"the name or the namespace is longer than the %d characters that the API server takes; shorten it",
			maxNameBytes))
	default:
		w.process()
		w.reportOtherPods(original)
		w.leaveOut()
	}
	if item.IsEncrypted && (w.failed || w.result.Edits != nil) { // errors may be about encrypted values
		w.refuseEncrypted()
	}
	said := elsewhere{rendered: renderedBy(item, original)}
	if kind.IsRelease {
		said, _ = r.readElsewhere(item)
	}
	return &processed{workload: w.result, renamed: w.renamed(), elsewhere: said}
}

// refuseEncrypted replaces what the steps have found by one error. Of the outcomes, it keeps whom the workload is for.
func (w *workload) refuseEncrypted() {
	outcomes := w.result.Outcomes
	w.result = w.run.newWorkload(w.item, w.original)
	w.reportGeneral(w.run.encrypted(w.item))
	for _, o := range outcomes {
		if o.Decision != decision.Skipped && o.Decision != decision.Unchanged {
			o = &outcome.Outcome{
				Injector:   o.Injector,
				Decision:   decision.Refused,
				Reason:     finding.Encrypted,
				Matched:    o.Matched,
				HasSidecar: o.HasSidecar,
			}
		}
		w.result.Outcomes = append(w.result.Outcomes, o)
	}
}

// leftOut are the codes of objects that Pillion does not change and kubectl applies, and why that is.
var leftOut = map[finding.Code]string{
	finding.LocalConfig: "of its annotation config.kubernetes.io/local-config, which kubectl ignores; to include it, remove the annotation",
	finding.LiveObject:  "it was read back from a cluster; to include it, remove its status and metadata.uid",
}

// leaveOut replaces what the steps have found about an object that is not changed, although kubectl applies it: if it
// would fail a verification, that is said, because anyone can write a status or an annotation.
func (w *workload) leaveOut() {
	guard := w.guard
	if guard.Inject || w.run.guardedToo || leftOut[guard.Code] == "" {
		return
	}
	asAny := outcome.Run{Workloads: []*outcome.Workload{w.result}}.Verified().Workloads[0]
	w.result = w.run.newWorkload(w.item, w.original)
	w.failed = false
	w.pods = w.pods[:0]
	w.reportGeneral(finding.Finding{Severity: guard.Severity, Code: guard.Code, Message: guard.Message(nil)})
	if asAny.Failed() {
		w.reportGeneral(newFinding(finding.Warning, finding.LeftOut, nil,
			`it is left out, because %s; to accept that, annotate the pod template with %s: "false"`,
			leftOut[guard.Code], v1alpha1.DefaultMarker))
	}
}

func (w *workload) process() {
	w.guard = selection.Guard(w.kind, w.original)
	isApplied := w.guard.Code == finding.LiveObject || w.guard.Code == finding.LocalConfig && !w.run.isFunction
	if !w.guard.Inject && !isApplied {
		w.reportGeneral(finding.Finding{Severity: w.guard.Severity, Code: w.guard.Code, Message: w.guard.Message(nil)})
		return
	}
	templates := w.kind.Templates(w.original)
	if len(templates) == 0 {
		paths := slices.Concat(w.kind.Paths, w.kind.Specs)
		why := "it has no pod template at " + strings.Join(paths, ", ")
		if len(paths) == 0 {
			why = "the config declares that its kind has no pod templates (podTemplates: [] in spec.workloads)"
		}
		w.reportGeneral(newFinding(finding.Info, finding.NoPodTemplate, nil, "%s", why))
		return
	}
	w.pods = slices.Grow(w.pods, len(templates))[:len(templates)]
	for i, template := range templates {
		w.pods[i] = pod{
			workload: w,
			number:   i,
			template: template,
		}
		w.pods[i].candidate = selection.NewCandidate(&w.result.Object, w.kind, w.original, template)
		w.pods[i].stamps.stamps, w.pods[i].stamps.broken = stamp.Read(template.Node)
		w.result.Templates = append(w.result.Templates, template.Path)
		if template.IsBare {
			w.result.Bare = append(w.result.Bare, template.Path)
		}
	}
	w.beginOutcomes()
	w.declareNames()
	w.run = w.run.without(w.waiting)
	for i := range w.pods {
		w.pods[i].adoptAll()
	}
	w.app = nil // adopting may have made it before all stamps were known
	for i := range w.pods {
		w.pods[i].reconcile()
	}
	w.tidyStamps()
	w.write()
	w.settleOutcomes()
	w.addCost()
}

// reconcile changes one pod template to what the config says. It removes what the run's injectors had added, in memory,
// and adds what they want now. Whatever is the same as before keeps its text and its position.
func (p *pod) reconcile() {
	c := p.decide()
	if len(c.todo.inject)+len(c.todo.remove) == 0 {
		return
	}
	c.reportRenamed()
	c.reportForeign()
	c.undo()
	for _, m := range c.todo.inject {
		c.addPayload(m)
	}
	c.order()
	for _, step := range []func(){c.checkInjected, c.checkResult, c.writeStamps, c.rebase} {
		step()
		if c.workload.failed {
			return
		}
	}
}

// rebase notes what has changed, and makes the result of the nodes of the original, as far as they are equal. If
// nothing was undone, it is made of them already.
func (c *change) rebase() {
	if len(c.todo.undo) == 0 {
		c.workload.isTouched = c.workload.isTouched || c.putsIn()
		c.noteChanges(nil, nil)
		return
	}
	now := c.stampsNow()
	result := c.owned.Node
	c.workload.rememberTexts(c.undone, result)
	rebased := version.Rebase(c.template.Node, result, c.todo.undo, now, c.todo.others)
	c.workload.isTouched = c.workload.isTouched || rebased != c.template.Node
	c.noteChanges(rebased, version.Moved(c.template.Node, rebased, now))
	*result = *c.workload.memory.clones.Clone(rebased) // the original must not change with it
}

// putsIn reports whether an injector of the run puts in something.
func (c *change) putsIn() bool {
	return slices.ContainsFunc(c.injections, func(one injection) bool { return !one.stamp.Empty() })
}

// IsIncomplete reports whether the API server refuses an object without more fields, so that it can only be a patch: a
// workload of apps without a selector, or a container without an image. The rules of custom kinds are not known: their
// groups have a dot.
func IsIncomplete(item *manifest.Item, of *outcome.Workload) bool {
	_, object, err := item.Parse()
	group, _, _ := strings.Cut(item.APIVersion, "/")
	if err != nil || strings.Contains(group, ".") {
		return false
	}
	lacksImage := slices.ContainsFunc(of.Templates, func(path string) bool {
		containers := node.List(object, strings.Split(strings.TrimPrefix(path+".spec.containers", "."), ".")...)
		isIncomplete := func(c *node.Node) bool { return node.Text(c, "image") == "" }
		return len(containers) == 0 || slices.ContainsFunc(containers, isIncomplete)
	})
	needsSelector := strings.HasPrefix(item.APIVersion, "apps/")
	return lacksImage || needsSelector && node.IsNull(node.Get(object, "spec", "selector"))
}
