package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/report"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
	"pillion.dev/pillion/internal/yaml/splice"
	"pillion.dev/pillion/transformers"
)

// outcome is what became of one item.
type outcome struct {
	workload bool
	findings []Finding
	text     []byte // nil where the item stays as it is
	edits    []edit.Edit
	matched  []int // the injectors that are for it
	skipped  []skipped
	injected bool // whether the payload is in, or was
	added    []cost.Addition
}

// skipped is an injector that leaves the item alone, by its index, and why.
type skipped struct {
	which  int
	code   Code
	reason string // where no finding says so
}

func (o *outcome) count(c *Counts) {
	if !o.workload {
		return
	}
	c.Workloads++
	switch o.decision() {
	case report.Refused:
		if o.has(finding.OutOfDate) {
			c.OutOfDate++
		} else {
			c.Refused++
		}
	case report.Injected:
		c.Injected++
	case report.Updated:
		c.Updated++
	case report.Removed:
		c.Removed++
	case report.Unchanged:
		c.Unchanged++
	default:
		c.Skipped++
	}
}

func (o *outcome) has(code Code) bool {
	return slices.ContainsFunc(o.findings, func(f Finding) bool { return f.Code == code })
}

// isChange tells whether a finding is about a change of a pod template.
func isChange(code Code) bool {
	return code == finding.Injected || code == finding.Updated || code == finding.Removed
}

// item takes one item the whole way: is it a workload, where are its pods, who is it for,
// what goes in, and back into text.
func (r *run) item(item manifest.Item) outcome {
	kind, ok := r.kinds.Find(item.APIVersion, item.Kind)
	if item.Broken != nil {
		return outcome{workload: ok, findings: []Finding{unreadableItem(item, item.Broken)}}
	}
	if !ok {
		return r.stranger(item)
	}
	arena := parse.Borrow()
	defer arena.Return() // no node outlives its item
	w := workload{run: r, item: item, kind: kind, outcome: outcome{workload: true}}
	w.process(arena)
	return w.outcome
}

// workload is one workload on its way.
type workload struct {
	*run
	outcome

	item   manifest.Item
	kind   podtemplate.Kind
	object *finding.Object // apart from the rest, which findings must not keep alive
	file   *finding.File
	where  string // the pod template at hand, where the workload has several

	document, original *yaml.Node            // as it came
	copied, changed    *yaml.Node            // a version under change; nil until the first injector is for it
	touched            bool                  // whether the version differs
	done               []int                 // the injectors whose payload is in one of the pod templates
	candidates         []selection.Candidate // its pod templates
	stamps             map[string]stamped    // of its pod templates, by their paths
	bare               *bare                 // nil until it is needed
	texts              map[*yaml.Node]string // how nodes were written that came back out of stamps
	below              map[*yaml.Node]int    // how many lines stood above such entries of lists
}

func (w *workload) process(arena *parse.Arena) {
	var err error
	if w.document, w.original, err = w.item.ParseIn(arena); err != nil {
		broken := unreadableItem(w.item, err)
		w.object, w.file = broken.Object, broken.File
		w.say(broken)
		return
	}
	w.object, w.file = objectOf(w.item, w.original), fileOf(w.item, w.original)
	if guard := selection.Guard(w.kind, w.original); !guard.Inject {
		w.say(Finding{Severity: guard.Severity, Code: guard.Code, Message: guard.Message()})
		return
	}
	w.candidates = selection.NewCandidates(w.object, w.kind, w.original)
	candidates := w.candidates
	if len(candidates) == 0 {
		w.say(Finding{Severity: Info, Code: finding.NoPodTemplate, Message: "it has no pod template at " + strings.Join(w.kind.Paths, ", ")})
		return
	}
	w.stamps = make(map[string]stamped, len(candidates))
	for _, c := range candidates {
		w.stamps[c.Template.Path] = w.stampsOf(c)
	}
	w.bare = nil // adopting may have made it before all stamps were known
	for _, c := range candidates {
		w.at(c, len(candidates))
		w.reconcile(c)
	}
	w.clearPending()
	w.where = ""
	w.write()
	if w.text != nil {
		w.weigh(candidates)
	}
}

// at makes what is said be about one of several pod templates.
func (w *workload) at(c selection.Candidate, several int) {
	if several > 1 {
		w.where = c.Template.Path
	}
}

// clearPending takes off the workload's list of initializers those that are done. That is an update
// where the injector had nothing else to change.
func (w *workload) clearPending() {
	for _, which := range w.done {
		name := w.injectors[which].Name
		pending := selection.InitializerName(name)
		if !transformers.ClearPending(w.changed, pending) {
			continue
		}
		w.touched = true
		for i, f := range w.findings {
			if f.Injector == name && f.Code == finding.Unchanged {
				w.findings[i].Code = finding.Updated
				w.findings[i].Message = strings.Replace(f.Message, nothingToChange, `removes the pending initializer "`+pending+`"`, 1)
				break
			}
		}
	}
}

// specOf is the pod spec as the place of a finding.
func specOf(c selection.Candidate) *finding.Field {
	return &finding.Field{Path: c.Template.At("spec")}
}

// fieldOf is what a decision was made by as the place of a finding, or else the pod spec.
func fieldOf(c selection.Candidate, d selection.Decision) *finding.Field {
	if d.Field == "" {
		return specOf(c)
	}
	return &finding.Field{Path: d.Field}
}

// copy makes a version of the item that can be changed; it shares with the original what
// stays the same.
func (w *workload) copy() {
	if w.changed != nil {
		return
	}
	w.copied, w.changed = ownVersion(w.document)
}

// write brings the changed nodes back into the item's text.
func (w *workload) write() {
	if !w.touched || finding.HasError(w.findings) {
		return
	}
	idDropped := !w.verifies() && dropIdentity(w.item.Text, w.document, w.copied, w.changed)
	if anchor, spread := w.spreads(); spread {
		w.say(Finding{Severity: Error, Code: finding.SharedByAlias, Message: fmt.Sprintf(
			"the change would reach other places by the alias *%s; write out what the anchor &%[1]s holds where it is used", anchor)})
		return
	}
	text, edits, err := splice.Restore(w.item.Text, w.document, w.copied, w.past())
	if err != nil {
		why := err
		if text, err = splice.Rewrite(w.item.Text, w.copied); err == nil {
			edits = edit.Whole(w.item.Text, text)
			w.say(Finding{Severity: Warning, Code: finding.WrittenAnew, Message: "the whole object is written anew: " + why.Error() + lostComments(w.item.Text, text, w.copied)})
		}
	}
	switch {
	case err != nil:
		w.say(Finding{Severity: Error, Code: finding.InvalidItem, Message: "the object cannot be written: " + err.Error()})
	case bytes.Equal(text, w.item.Text):
		w.settle()
	case w.verifies():
		w.outOfDate(edits)
	default:
		w.text, w.edits = text, edits
		if idDropped {
			w.say(Finding{Severity: Info, Code: finding.CommentsMoved, Message: "entries with comments moved, so the item is returned without its id, lest kpt copy " +
				"those comments to the wrong entries; in kpt, a comment that a blank line sets off from the object may be lost"})
		}
	}
}

// lostComments says how many comments an object lost when it was written anew.
func lostComments(before, after []byte, document *yaml.Node) string {
	switch lost := splice.LostComments(before, after, document); lost {
	case 0:
		return ""
	case 1:
		return "; one comment could not be kept"
	default:
		return fmt.Sprintf("; %d comments could not be kept", lost)
	}
}

// spreads names an anchor whose change would reach other places. Few texts have any.
func (w *workload) spreads() (anchor string, spread bool) {
	if bytes.IndexByte(w.item.Text, '&') < 0 {
		return "", false
	}
	return node.SpreadByAlias(w.copied)
}

// settle says of injectors that undid each other's work that nothing has changed.
func (w *workload) settle() {
	for i, f := range w.findings {
		if isChange(f.Code) {
			w.findings[i].Code, w.findings[i].Message = finding.Unchanged, nothingToChange
		}
	}
}

const nothingToChange = "nothing to change"

func (w *workload) say(f Finding) {
	f.Object, f.File = w.object, w.file
	if w.where != "" && !strings.HasPrefix(f.Message, w.where) {
		f.Message = w.where + ": " + f.Message
	}
	w.findings = append(w.findings, f)
}

func objectOf(item manifest.Item, object *yaml.Node) *finding.Object {
	return &finding.Object{
		APIVersion: item.APIVersion,
		Kind:       item.Kind,
		// Clones, because what a finding holds must not keep the text of the whole item alive.
		Namespace: strings.Clone(node.Text(object, "metadata", "namespace")),
		Name:      strings.Clone(node.Text(object, "metadata", "name")),
	}
}
