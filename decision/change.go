package decision

import (
	"strings"

	"pillion.dev/pillion/internal/core/wording"
)

// Verb is what an injector does to one thing in a pod template.
type Verb string

// The verbs.
const (
	Adds     Verb = "adds"
	Replaces Verb = "replaces" // something of the app's
	Updates  Verb = "updates"
	Moves    Verb = "moves"
	Removes  Verb = "removes"
	Restores Verb = "restores" // what an earlier run had replaced
	Adopts   Verb = "adopts"   // takes over what is there without a stamp
	SetsBack Verb = "sets back"
	Leaves   Verb = "leaves" // to other injectors, which add it too
	Shares   Verb = "shares" // with other injectors, which have added it already
)

// Change is one thing that an injector does to a pod template. Changes are comparable, so that equal ones can be
// grouped.
type Change struct {
	Verb Verb `json:"verb"`
	// Template is the path of the pod template in the workload; empty for a Pod.
	Template string `json:"template,omitempty"`
	// Path and Key name the thing as a stamp does: the path of a mapping or list in the pod template, and the key in
	// there.
	Path string `json:"path"`
	Key  string `json:"key"`
	// Field is the field of a container that changes; empty if the whole thing does.
	Field string `json:"field,omitempty"`
	// Others are the other injectors of Leaves and Shares.
	Others string `json:"others,omitempty"`
	// Old and New are the values in one line of limited length; empty if there is none.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// String returns the change in words: container envoy: image envoy:v1.33.0 -> envoy:v1.34.1.
func (c Change) String() string { return Describe([]Change{c}) }

// Describe returns changes in words: container envoy: image envoy:v1.33.0 -> envoy:v1.34.1; adds volume conf. Entries
// of the same list, and fields of the same container, are named together.
func Describe(changes []Change) string { return strings.Join(Phrases(changes), "; ") }

// Phrases returns changes in words, a phrase for each group of changes that are named together.
func Phrases(changes []Change) []string {
	var phrases []string
	for len(changes) > 0 {
		count := 1
		for count < len(changes) && isNamedTogether(changes[0], changes[count]) {
			count++
		}
		phrases = append(phrases, describe(changes[:count]))
		changes = changes[count:]
	}
	return phrases
}

// describe returns changes that are named together in words.
func describe(together []Change) string {
	c := together[0]
	if c.Field != "" {
		return wording.EntryNames(c.Path, []string{c.Key}, wording.PlainName) + ": " + fieldChanges(together)
	}
	if values := c.values(); values != "" {
		verb := string(c.Verb) + " "
		if c.Verb == Updates {
			verb = ""
		}
		return verb + wording.EntryNames(c.Path, []string{c.Key}, wording.PlainName) + ": " + values
	}
	keys := make([]string, len(together))
	for i, each := range together {
		keys[i] = each.Key
	}
	text := string(c.Verb) + " " + wording.EntryNames(c.Path, keys, wording.PlainName)
	switch c.Verb {
	case Leaves:
		text += " to " + c.Others
	case Shares:
		text += " with " + c.Others
	}
	return text
}

// fieldChanges returns changes to the fields of one container, those with values first: image envoy:v1.33.0 ->
// envoy:v1.34.1, updates args, env.
func fieldChanges(changes []Change) string {
	var shown, others []string
	before := ""
	for _, c := range changes {
		verb := string(c.fieldVerb())
		values := c.values()
		switch {
		case values != "" && c.Verb == Updates:
			shown = append(shown, c.Field+" "+values)
		case values != "":
			shown = append(shown, verb+" "+c.Field+" "+values)
		case verb == before:
			others = append(others, c.Field)
		default:
			others = append(others, verb+" "+c.Field)
			before = verb
		}
	}
	return strings.Join(append(shown, others...), ", ")
}

// fieldVerb returns what happens to a field: an update of a container may add or remove some of its fields.
func (c Change) fieldVerb() Verb {
	switch {
	case c.Verb == Updates && c.Old == "" && c.New != "":
		return Adds
	case c.Verb == Updates && c.Old != "" && c.New == "":
		return Removes
	default:
		return c.Verb
	}
}

func isNamedTogether(a, b Change) bool {
	if a.Template != b.Template || a.Path != b.Path {
		return false
	}
	if a.Field != "" || b.Field != "" {
		return a.Field != "" && b.Field != "" && a.Key == b.Key
	}
	isSame := a.Verb == b.Verb && a.Others == b.Others && wording.IsNameless(a.Key) == wording.IsNameless(b.Key)
	return isSame && a.values() == "" && b.values() == ""
}
