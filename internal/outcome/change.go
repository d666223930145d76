package outcome

import "strings"

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

// Change is one thing that an injector does to a pod template. Changes are comparable, so that equal ones can be grouped.
type Change struct {
	Verb Verb
	// Template is the path of the pod template in the workload; empty for a Pod.
	Template string
	// Path and Key name the thing as a stamp does: the path of a mapping or list in the pod template, and the key in there.
	Path, Key string
	// Field is the field of a container that changes; empty where the whole thing does.
	Field string
	// Others are the other injectors of Leaves and Shares.
	Others string
	// Old and New are the values in one line of limited length; empty where there is none.
	Old, New string
}

// String is the change in words: updates image of container "envoy".
func (c Change) String() string { return Describe([]Change{c}) }

// Describe puts changes into words. Fields of the same container are named together.
func Describe(changes []Change) string {
	var b strings.Builder
	for i := 0; i < len(changes); {
		if i > 0 {
			b.WriteString(", ")
		}
		c := changes[i]
		b.WriteString(string(c.Verb) + " ")
		b.WriteString(c.Field)
		for i++; i < len(changes) && c.Field != "" && isSameEntry(changes[i], c); i++ {
			b.WriteString(", " + changes[i].Field)
		}
		if c.Field != "" {
			b.WriteString(" of ")
		}
		b.WriteString(EntryName(c.Path, c.Key))
		switch {
		case c.Verb == Leaves:
			b.WriteString(" to " + c.Others)
		case c.Verb == Shares:
			b.WriteString(" with " + c.Others)
		}
	}
	return b.String()
}

func isSameEntry(a, b Change) bool {
	return a.Field != "" && a.Verb == b.Verb && a.Template == b.Template && a.Path == b.Path && a.Key == b.Key
}
