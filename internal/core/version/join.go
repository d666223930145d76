package version

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// maxJoined is the longest value that another one is joined to, in bytes: the longest of a variable on Windows.
const maxJoined = 32 << 10

// join joins the injector's parts to the value of a variable beside those of others.
func (w *writer) join(wanted *ledger.Entry) {
	at := wanted.Address
	env := w.at(at.Path)
	index := w.indexOf(at)
	if index < 0 {
		w.add(at, w.newVariable(wanted))
		return
	}
	others := w.Owners.Joined(at)
	if len(others) == 0 && w.Owners.Has(at) {
		return // another injector has replaced or set all of it
	}
	container := stamp.ContainerOf(at.Path)
	app := w.App
	if problem := NotJoinable(app.At(container.Path, container.Key), env.now.Content, index, at.Key); problem != "" {
		w.refuseJoin(wanted, problem)
		return
	}
	variable := w.at(at.Inside())
	value := node.Get(variable.now, "value")
	text := node.Text(value)
	for _, one := range wanted.Parts {
		part := stamp.Joined{Variable: at, Separator: wanted.Separator, Part: one}
		known := partsOf(others, part)
		if slices.Contains(known, one) {
			continue
		}
		if used := UsedBehind(app.List(at.Path), env.now.Content, part); used != "" {
			problem := fmt.Sprintf("comes before %q, which the value that is joined to it uses; "+
				"put this injector before the one that adds %q", used, at.Key)
			w.refuseJoin(wanted, problem+CausedBy(w.Owners))
			return
		}
		made, problem := WithPart(text, part, known)
		if problem != "" {
			w.refuseJoin(wanted, problem)
			return
		}
		text = made
		others = append(slices.Clip(others), part)
	}
	if text != node.Text(value) {
		node.Set(variable.own(), "value", node.StringLike(value, text))
	}
}

// newVariable returns a variable that parts are joined to, and that the app does not have.
func (w *writer) newVariable(wanted *ledger.Entry) *node.Node {
	variable := node.Fresh(wanted.Value)
	text := ""
	for i, part := range wanted.Parts {
		text, _ = WithPart(text, stamp.Joined{Separator: wanted.Separator, Part: part}, wanted.Parts[:i])
	}
	if value := node.Get(variable, "value"); node.Text(value) != text {
		node.Set(variable, "value", node.StringLike(value, text))
	}
	return variable
}

// refuseJoin reports why parts are not joined to a variable.
func (w *writer) refuseJoin(wanted *ledger.Entry, problem string) {
	w.findings = append(w.findings, RefusedJoin(w.Template, w.Before, wanted.Address, node.String(wanted.Parts[0].Text), problem))
}

// RefusedJoin reports why nothing is joined to a variable of a version.
func RefusedJoin(of pod.Template, before *stamp.View, variable stamp.Address, wanted *node.Node, problem string) finding.Finding {
	f := newFinding(finding.EnvConflict, of.At(before.FieldOf(variable, "")),
		"env variable %q of the app's container %q %s", variable.Key, stamp.ContainerOf(variable.Path).Key, problem)
	f.Field.Current = node.Brief(before.At(variable.Path, variable.Key))
	f.Field.Proposed = node.Brief(wanted)
	return f
}

// CausedBy is the end of a message about something that other injectors cause.
func CausedBy(owners *ledger.Owners) string {
	return "; the cause is what other injectors add (" + owners.Names(owners.Count()) + ")"
}

// partsOf returns the texts that were joined to the variable that a part is for.
func partsOf(all []stamp.Joined, part stamp.Joined) []joined.Part {
	var parts []joined.Part
	for _, j := range all {
		if j.Variable == part.Variable && j.Separator == part.Separator {
			parts = append(parts, j.Part)
		}
	}
	return parts
}

// UsedBehind returns the name of a variable of the app that a part uses, and that comes after the one that gets the
// part, or nothing. What injectors add or move does not count, because it may come before or after.
func UsedBehind(own, env []*node.Node, part stamp.Joined) string {
	among := own
	if indexOfName(own, part.Variable.Key) < 0 { // an injector adds the variable
		among = env
	}
	for _, used := range pod.UsedVariables(part.Part.Text) {
		if indexOfName(own, used) >= 0 && indexOfName(among, used) > indexOfName(among, part.Variable.Key) {
			return used
		}
	}
	return ""
}

// WithPart returns a value, in which some parts are known, with one more, or why a later run could not find it.
func WithPart(value string, part stamp.Joined, known []joined.Part) (made, problem string) {
	app, parts := joined.Remove(value, part.Separator, known)
	parts = append(parts, part.Part)
	if len(parts) > stamp.MaxParts { // of all injectors, because each is searched among the others
		return "", fmt.Sprintf("would have more than %d values joined to it; join fewer", stamp.MaxParts)
	}
	made = joined.Add(app, part.Separator, parts)
	if rest, _ := joined.Remove(made, part.Separator, parts); rest != app {
		return "", fmt.Sprintf("cannot be joined with %q, because the value is %q, in which a later run could "+
			"not find the added part; choose another value", part.Part.Text, value)
	}
	return made, ""
}

// NotJoinable returns why no value can be joined to a variable of a container, or "".
func NotJoinable(app *node.Node, env []*node.Node, at int, name string) string {
	value := node.Get(env[at], "value")
	switch {
	case isSharedVariable(app, name):
		return "is written elsewhere, and used here by a YAML alias or merge key, so nothing can be joined to it; " +
			"write out the env list of the container in the manifest"
	case !node.IsNull(node.Get(env[at], "valueFrom")):
		return fmt.Sprintf("gets its value when the pod starts (valueFrom), so nothing can be joined to it; "+
			"in the manifest, give it another name, such as APP_%[1]s, and set %[1]s to $(APP_%[1]s) after it", name)
	case !node.IsNull(value) && !node.IsString(value):
		return fmt.Sprintf("is %s, so nothing can be joined to it; make it a string", node.Describe(value))
	case indexOfName(env[at+1:], name) >= 0:
		return "is set twice, so it is not clear what to join to; remove one of the two from the manifest"
	case value != nil && len(value.Value) > maxJoined:
		return fmt.Sprintf("has a value of %d bytes, and nothing is joined to more than %d; shorten it",
			len(value.Value), maxJoined)
	}
	return ""
}

// isSharedVariable reports whether a container has a variable, or its value, by an alias or a merge key. A part of such
// a value would not have a text of its own, so it could not be told from the rest.
func isSharedVariable(container *node.Node, name string) bool {
	at := indexOfName(node.List(container, "env"), name)
	if at < 0 {
		return false
	}
	variable := node.Get(container, "env").Content[at]
	return !isWrittenHere(container, "env") || variable.Kind == node.AliasNode || !isWrittenHere(variable, "value")
}

// isWrittenHere reports whether no alias or merge key is on the way to a value, which may be missing.
func isWrittenHere(in *node.Node, path ...string) bool {
	for _, key := range path {
		i := node.Index(in, key)
		if i < 0 {
			return node.Get(in, key) == nil
		}
		if in = in.Content[i+1]; in.Kind == node.AliasNode {
			return false
		}
	}
	return true
}
