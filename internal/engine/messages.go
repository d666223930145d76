package engine

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// Why a container of the payload's name stays as it is.
const (
	stampIsNone  = "spec.stamp is None, so it is unknown whether an earlier run added it"
	hasNoStamp   = "it has no stamp, so it is unknown whether it was injected; take it out by hand, or set spec.adopt to true"
	mayBeAdopted = "it is as the injector wants it, and has no stamp by which it could be updated or removed; if it is not the app's own, " +
		"set spec.adopt to true"
)

func addedByOther(injector string) string {
	return "the injector " + injector + " added it; to remove it, use the config of that injector"
}

const mayHaveBeenInjected = "spec.stamp is None, so it is unknown whether it was injected; to take out what was, give the payload and " +
	"set spec.adopt to true"

// isRemoved is why a sidecar is removed by the verb remove, or by spec.action: Remove.
const isRemoved = "the injector is being removed"

// Parts that are added to other messages.
const (
	staysInjected = "; what was injected before stays as it is"
	keptByHand    = "; the cause is a change by hand, which stays (spec.onDrift: Keep)"
)

// newFinding returns a finding about a field, or about the whole object if that is nil.
func newFinding(severity finding.Severity, code finding.Code, at *finding.Field, format string, args ...any) finding.Finding {
	return finding.Finding{Severity: severity, Code: code, Field: at, Message: fmt.Sprintf(format, escape.ClipArgs(args)...)}
}

func nameTooLong() finding.Finding {
	at := &finding.Field{Path: "metadata.name"}
	return newFinding(finding.Error, finding.InvalidItem, at,
		"the name or the namespace is longer than the %d characters that the API server takes; shorten it", maxNameBytes)
}

func unstamped(severity finding.Severity, container, why string, at *finding.Field) finding.Finding {
	return newFinding(severity, finding.Unstamped, at, "container %q stays: %s", container, why)
}

func nothingToRemove(adopts bool, at *finding.Field) finding.Finding {
	if adopts {
		return newFinding(finding.Info, finding.NothingToRemove, at, "it has nothing of this injector")
	}
	return newFinding(finding.Info, finding.NothingToRemove, at, "it has no stamp of this injector")
}

// brokenTemplate reports a pod template that nothing can be put into. A file without one may be a patch.
func brokenTemplate(t podtemplate.Template, at *finding.Field, file string) finding.Finding {
	f := newFinding(finding.Error, finding.InvalidItem, at, "%v", t.Broken)
	if file != "" && file != finding.Stdin && node.IsNull(t.Spec()) {
		f.Message += "; if the file is a patch for kustomize, give the kustomization that lists it as well (-f DIR -R), " +
			"or leave the file out with --exclude"
	}
	return f
}

func noPodTemplate(paths []string) finding.Finding {
	return newFinding(finding.Info, finding.NoPodTemplate, nil, "it has no pod template at %s", strings.Join(paths, ", "))
}

func pausedMessage(why string) string {
	return "the injector is paused (spec.paused), so what it injected stays, although " + why
}

// skippedByMany names a few of the injectors that share a reason.
func skippedByMany(s *skip, at *finding.Field) finding.Finding {
	a, b, c := s.first[0].injector.Name, s.first[1].injector.Name, s.first[2].injector.Name
	return newFinding(finding.Info, s.code, at, "%d injectors are not for it: %s, %s, %s and %d more", s.count, a, b, c, s.count-3)
}

func stampBroken(key string, err error, at *finding.Field) finding.Finding {
	if newer := (*stamp.NewerError)(nil); errors.As(err, &newer) {
		return newFinding(finding.Error, finding.StampBroken, at,
			"the stamp %s was written by a newer version of Pillion: %v; update Pillion", key, err)
	}
	return newFinding(finding.Error, finding.StampBroken, at,
		"the stamp %s is not valid: %v; restore it from version control, or remove it and set spec.adopt to true", key, err)
}

func stampTooLong(why error, at *finding.Field) finding.Finding {
	return newFinding(finding.Error, finding.StampTooLong, at, "a later run could not read the stamp, which keeps what is replaced: %v; "+
		"replace less (spec.onConflict), or set spec.stamp to None", why)
}

// notRecordable reports a change that a stamp cannot record. The reason is an alias in the manifest, or a transformer of a program.
func notRecordable(why error, hasTransformers bool, at *finding.Field) finding.Finding {
	remedy := "in the manifest, write out what the YAML aliases there stand for"
	if hasTransformers {
		remedy = "if a transformer of your program makes it, make it in another way; otherwise, " + remedy
	}
	return newFinding(finding.Error, finding.NotRecordable, at,
		"the change could not be undone later, because the stamp cannot record it: %v; %s, or set spec.stamp to None", why, remedy)
}

func stampsTooLong(total int) error {
	return fmt.Errorf("with those of other injectors it has %d bytes, and Kubernetes allows %d for all annotations together",
		total, podtemplate.MaxAnnotationBytes)
}

func notAdoptable(container, why string, at *finding.Field) finding.Finding {
	return newFinding(finding.Error, finding.ContainerConflict, at,
		"container %q has no stamp, and %s (spec.adopt); take it out by hand", container, why)
}

func danglingMount(container, volume string, at *finding.Field) finding.Finding {
	return newFinding(finding.Warning, finding.DanglingMount, at, "container %q mounts volume %q, which is removed with the injector; "+
		"remove the mount, or give the pod a volume of that name", container, volume)
}

// What two injectors can do about a conflict.
const (
	makeEqual = "; make them equal, give one of them another name, or keep one of the injectors from this pod"
	keepOne   = "; keep one of the injectors from this pod"
)

func wantDifferently(a, b string, at stamp.Thing) string {
	return fmt.Sprintf("the injectors %q and %q both want %s, and not the same", a, b, outcome.EntryName(at.Path, at.Key)) + makeEqual
}

func joinDifferently(a, b string, at stamp.Thing, separatorOfA, separatorOfB string) string {
	return fmt.Sprintf("the injectors %q and %q join values to %s with different separators, %q and %q; use the same separator (join) in both",
		a, b, outcome.EntryName(at.Path, at.Key), separatorOfA, separatorOfB)
}

func wantsWhole(whole, part string, at stamp.Thing) string {
	return fmt.Sprintf("the injector %q wants all of %s to be its own, and %q adds something to it",
		whole, outcome.EntryName(at.Path, at.Key), part) + keepOne
}

func runTogether(other string) string {
	return fmt.Sprintf("; to change both at once, run them as one SidecarInjectorList; "+
		"if %q is not in use any more, run it with action: Remove first", other)
}

func sharedByAlias(anchor string) finding.Finding {
	return newFinding(finding.Error, finding.SharedByAlias, nil,
		"the change would reach other places through the alias *%s; write out what the anchor &%[1]s holds where it is used", anchor)
}

func writtenAnew(why error, lostComments int) finding.Finding {
	f := newFinding(finding.Warning, finding.WrittenAnew, nil, "the whole object is written anew: %v", why)
	if lostComments > 0 {
		f.Message += "; " + outcome.Plural(lostComments, "comment") + " could not be kept"
	}
	return f
}

func cannotBeWritten(err error) finding.Finding {
	return newFinding(finding.Error, finding.InvalidItem, nil, "the object cannot be written: %v", err)
}

func commentsMoved() finding.Finding {
	return newFinding(finding.Info, finding.CommentsMoved, nil, "entries with comments moved, so the item is returned without its id; "+
		"otherwise kpt would copy those comments to the wrong entries; in kpt, a comment that a blank line separates from the object may be lost")
}

func renamedReference(r renamed, path string) finding.Finding {
	at := &finding.Field{Path: path, Current: strings.Clone(r.present)}
	return newFinding(finding.Info, finding.Renamed, at, "the %s %q is named %q here, as kustomize renames objects; the name stays",
		r.kind, r.declared, r.present)
}

// driftWords are what a person did to something injected, and what becomes of it.
type driftWords struct {
	field                       string // of a container; empty for the whole
	found, becomes, wouldBecome string
	stays                       string // empty where there is nothing for it to stay in
	isStale                     bool   // whether it misses a change of the config if it stays
	is, wanted                  string
}

func describeForeign(d stamp.Drift) driftWords {
	return driftWords{
		found:   outcome.EntryName(d.Path, d.Key) + " does not look like what was injected by that name",
		becomes: "is taken for the app's own", wouldBecome: "be taken for the app's own",
	}
}

func describeLost(d stamp.Drift) driftWords {
	const fate = " no longer the injector's; where it was renamed, check what was added to it"
	return driftWords{
		found:   outcome.EntryName(d.Path, d.Key) + " was taken out or renamed by hand",
		becomes: "what was added to it is" + fate, wouldBecome: "make what was added to it" + fate,
	}
}

func describeGrown(d stamp.Drift) driftWords {
	name := outcome.EntryName(d.Path, d.Key)
	if node.IsNull(d.Present) {
		return driftWords{found: name + " was taken out by hand", becomes: "counts as never set", wouldBecome: "count as never set"}
	}
	const fate = ", because what was added to it cannot be subtracted"
	return driftWords{
		found:   name + " was changed by hand: it is " + node.Brief(d.Present),
		becomes: "is taken for the app's own" + fate, wouldBecome: "be taken for the app's own" + fate,
	}
}

// describeBothChanged describes a container that a person changed, and the config as well, so that it is not known who changed
// which of the fields in which the two differ.
func describeBothChanged(d stamp.Drift, fields []string) driftWords {
	differing := strings.Join(fields, ", ")
	return driftWords{
		found:   outcome.EntryName(d.Path, d.Key) + " was changed by hand while its config changed, too",
		becomes: "gets these fields from the config: " + differing, wouldBecome: "get these fields from the config: " + differing,
		stays: "stays as it is, differing from the config in " + differing, isStale: true,
	}
}

// describeChange describes what a person did to a field, or to the whole, given what the injectors want in its place, or nil.
func describeChange(d stamp.Drift, field string, entry *yaml.Node, isRemoval bool) driftWords {
	present, desired := valueOf(d.Present, field), valueOf(entry, field)
	is, wanted := briefDifference(present, desired)
	name := outcome.EntryName(d.Path, d.Key)
	if field != "" {
		name = field + " of " + name
	}
	w := driftWords{field: field, found: name + " was changed by hand: it is " + is, is: is, wanted: wanted}
	switch {
	case node.IsNull(present):
		w.found, w.is = name+" was taken out by hand", ""
		w.becomes, w.wouldBecome, w.stays = "comes back", "come back", "stays out"
	case entry == nil:
		why := ", because the injector no longer adds it"
		if isRemoval {
			why = " with the sidecar"
		}
		w.becomes, w.wouldBecome, w.wanted = "is removed"+why, "be removed"+why, ""
	case node.IsNull(desired):
		w.found, w.wanted = name+" was added by hand: it is "+is, ""
		w.becomes, w.wouldBecome, w.stays = "is removed", "be removed", "stays"
	default:
		w.becomes, w.wouldBecome, w.stays = "becomes "+wanted, "become "+wanted, "stays, instead of becoming "+wanted
	}
	return w
}

// briefDifference returns two values as short lines. If texts are the same at first, as long JSON in an annotation may be, the lines
// begin shortly before the difference.
func briefDifference(a, b *yaml.Node) (briefA, briefB string) {
	const few, context = 100, 20
	if !node.IsString(a) || !node.IsString(b) {
		return node.Brief(a), node.Brief(b)
	}
	textA, textB := node.Resolve(a).Value, node.Resolve(b).Value
	same := 0
	for same < min(len(textA), len(textB)) && textA[same] == textB[same] {
		same++
	}
	if same <= few {
		return node.Brief(a), node.Brief(b)
	}
	from := func(text string) string {
		return "..." + node.Brief(node.String(strings.ToValidUTF8(text[same-context:], "")))
	}
	return from(textA), from(textB)
}

// finding reports a drift as severe as the policy says.
func (w driftWords) finding(policy v1alpha1.OnDrift, path string) finding.Finding {
	at := &finding.Field{Path: path, Current: w.is, Proposed: w.wanted}
	const code = finding.Drifted
	switch {
	case policy == v1alpha1.DriftError && w.stays == "":
		return newFinding(finding.Error, code, at, "%s, and would %s (spec.onDrift: Error); undo that change, or set spec.onDrift to Overwrite",
			w.found, w.wouldBecome)
	case policy == v1alpha1.DriftError:
		return newFinding(finding.Error, code, at, "%s, and would %s (spec.onDrift: Error); undo that change or put it into the config, "+
			"or set spec.onDrift to Overwrite or Keep", w.found, w.wouldBecome)
	case policy == v1alpha1.DriftKeep && w.stays != "" && w.isStale:
		return newFinding(finding.Warning, code, at, "%s, and %s (spec.onDrift: Keep); undo that change, or put it into the config",
			w.found, w.stays)
	case policy == v1alpha1.DriftKeep && w.stays != "":
		return newFinding(finding.Info, code, at, "%s, and %s (spec.onDrift: Keep)", w.found, w.stays)
	default:
		return newFinding(finding.Warning, code, at, "%s, and %s", w.found, w.becomes)
	}
}
