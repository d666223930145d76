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
	// Field is the field of a container that changes; empty if the whole thing does.
	Field string
	// Others are the other injectors of Leaves and Shares.
	Others string
	// Old and New are the values in one line of limited length; empty if there is none.
	Old, New string
}

// String returns the change in words: updates image of container "envoy".
func (c Change) String() string { return Describe([]Change{c}) }

// Describe returns changes in words. Entries of the same list, and fields of the same container, are named together.
func Describe(changes []Change) string {
	var b strings.Builder
	for len(changes) > 0 {
		count := 1
		for count < len(changes) && isNamedTogether(changes[0], changes[count]) {
			count++
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		changes[0].describe(&b, changes[:count])
		changes = changes[count:]
	}
	return b.String()
}

// describe writes changes that are named together, of which c is the first.
func (c Change) describe(b *strings.Builder, together []Change) {
	b.WriteString(string(c.Verb) + " ")
	if c.Field != "" {
		for i, each := range together {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(each.Field)
		}
		b.WriteString(" of ")
		together = together[:1]
	}
	keys := make([]string, len(together))
	for i, each := range together {
		keys[i] = each.Key
	}
	b.WriteString(entryNames(c.Path, keys))
	switch c.Verb {
	case Leaves:
		b.WriteString(" to " + c.Others)
	case Shares:
		b.WriteString(" with " + c.Others)
	}
}

func isNamedTogether(a, b Change) bool {
	if a.Verb != b.Verb || a.Template != b.Template || a.Path != b.Path || a.Others != b.Others {
		return false
	}
	if a.Field != "" || b.Field != "" {
		return a.Key == b.Key
	}
	return isNameless(a.Key) == isNameless(b.Key)
}
