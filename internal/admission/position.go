package admission

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
)

// following follows a list of the pod while containers are added to it.
type following struct {
	list  podList
	names string // the variable with the names in the list
	all   []insertion

	// What goes in front of the app's entries: containers of some names, and those of others if they are native sidecars.
	leading, leadingIfNative []string
	native                   string // the variable with the names of the native sidecars in the list
}

// followLeading finds the names of what goes in front of the app's entries of a list, wherever injectors add it.
func (c *compiler) followLeading(f *following) {
	policies := map[string]v1alpha1.PodInjectPolicy{}
	var names []string
	for _, ins := range f.all {
		if _, isKnown := policies[ins.container.Name]; !isKnown {
			names = append(names, ins.container.Name)
		}
		policies[ins.container.Name] = ins.container.PodInjectPolicy
	}
	for _, name := range names {
		switch {
		case policies[name] == v1alpha1.BeforeAppContainer:
			f.leading = append(f.leading, name)
		case policies[name] == "" && f.list == initContainersList:
			f.leadingIfNative = append(f.leadingIfNative, name)
		}
	}
	if len(f.leadingIfNative) > 0 {
		f.native = c.add("native", "the native sidecars in initContainers",
			initContainersList.entries()+`.filter(c, c.?restartPolicy.orValue("") == "Always").map(c, c.name)`)
	}
}

// follow adds the variables for the list after a container was added at an index.
func (c *compiler) follow(f *following, ins *insertion, at string) {
	id, name, isUnchanged := ins.id(), quote(ins.container.Name), at+" < 0"
	switch isNative := keepsRunning(f.list, ins.body); {
	case f.native == "":
	case isNative:
		f.native = c.add(id+"_native", "the native sidecars with it",
			fmt.Sprintf("%s ? %s : %[2]s + [%s]", isUnchanged, f.native, name))
	}
	f.names = c.add(id+"_names", "the names in "+f.list.name+" with it",
		fmt.Sprintf("%s ? %s : %s", isUnchanged, f.names, inserted(f.names, at, name)))
}

// position returns the expression for the index of a container in a list of names: that of [payload.position].
func (c *compiler) position(ins *insertion, f *following) string {
	container, names := ins.container, f.names
	otherwise := "size(" + names + ")"
	if injector.Leads(container.PodInjectPolicy, f.list.name, ins.body) {
		otherwise = f.front()
	}
	switch {
	case container.Before != "":
		return fmt.Sprintf("(%[1]s in %[2]s ? %[2]s.indexOf(%[1]s) : %[3]s)", quote(container.Before), names, otherwise)
	case container.After != "":
		return fmt.Sprintf("(%s in %s ? %s : %s)", quote(container.After), names, f.behind(container.After), otherwise)
	default:
		return otherwise
	}
}

// front returns the expression for the index behind what injectors put in front of the app's entries.
func (f *following) front() string {
	var leads []string
	if len(f.leading) > 0 {
		leads = append(leads, "n in "+stringList(f.leading))
	}
	if f.native != "" {
		leads = append(leads, fmt.Sprintf("n in %s && n in %s", stringList(f.leadingIfNative), f.native))
	}
	if len(leads) == 0 { // another injector declares the container behind the app's
		leads = []string{"false"}
	}
	condition := "!(" + strings.Join(leads, " || ") + ")"
	if f.names != f.list.names() { // something is added already
		condition += fmt.Sprintf(" && (size(%[1]s) == 0 || n in %[1]s)", f.list.names())
	}
	return first(f.names, condition)
}

// behind returns the expression for the index behind an entry, and behind what injectors put there as well: between entries of the app,
// all of it; elsewhere, what goes behind the same entry.
func (f *following) behind(neighbour string) string {
	var same []string
	for _, other := range f.all {
		if other.container.After == neighbour {
			same = append(same, other.container.Name)
		}
	}
	at := fmt.Sprintf("%s.indexOf(%s)", f.names, quote(neighbour))
	next := first(f.names, fmt.Sprintf("i > %s && n in %s", at, f.list.names()))
	nextOther := first(f.names, fmt.Sprintf("i > %s && !(n in %s)", at, stringList(same)))
	return fmt.Sprintf("(%[1]s in %[2]s && %[3]s < size(%[4]s) ? %[3]s : %[5]s)", quote(neighbour), f.list.names(), next, f.names, nextOther)
}
