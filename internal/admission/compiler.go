package admission

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/injector"
)

// compiler writes the expressions of one policy.
type compiler struct {
	policy

	options   Options
	injectors []compiled
	declared  []string // the names of all containers of the injectors: any other container is the app's
	creations []creation
	podLists  map[string]*podSpecList // by path
	markers   map[string]string       // the variables for the values of markers, by key

	values       map[string]string // the policy's variables for variables of payloads, as these are written
	defaultFirst string            // the variable for the app's containers, with the default one first
}

// compiled is an injector with the beginning of the names of its variables.
type compiled struct {
	*injector.Injector

	id       string
	matched  string // the variable that is true for the pods that it is for, even if a policy such as hostNetwork keeps it out
	selected string // the variable that is true for the pods that get it

	refusals []refusal
}

func newCompiler(injectors []*injector.Injector, options Options) *compiler {
	c := &compiler{
		options: options, markers: map[string]string{}, values: map[string]string{},
	}
	ids := map[string]bool{}
	for i, in := range injectors {
		id := identifier(in.Name)
		if ids[id] {
			id = fmt.Sprintf("%s_%d", id, i+1)
		}
		ids[id] = true
		c.injectors = append(c.injectors, compiled{Injector: in, id: id})
		c.declared = append(c.declared, containerNames(in)...)
	}
	c.from(&c.injectors[0], "containers")
	c.addCommon()
	for i := range c.injectors {
		in := &c.injectors[i]
		c.fillIn(in)
		c.source = longestSelection(in.Injector)
		policies := policyConditions(in.Injector)
		if len(policies) == 0 {
			in.selected = c.add(in.id+"_selected", "whether the injector "+in.Name+" selects the pod", c.matches(in.Injector))
			in.matched = in.selected
			continue
		}
		in.matched = c.add(in.id+"_matched", "whether the injector "+in.Name+" is for the pod", c.matches(in.Injector))
		in.selected = c.add(in.id+"_selected", "whether its policies let it in", conjunction(append([]part{{"", in.matched}}, policies...)))
	}
	c.addConditions()
	c.leftAlone = c.reserved()
	return c
}

// containersOf returns the containers of an injector in the order in which they are added.
func containersOf(in *injector.Injector) []injector.Container {
	return slices.Concat(in.InitContainers, in.Containers)
}

func containerNames(in *injector.Injector) []string {
	var names []string
	for _, container := range containersOf(in) {
		names = append(names, container.Name)
	}
	return names
}

// identifier returns a name as a part of the names of variables.
func identifier(name string) string {
	id := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(name))
	if id[0] >= '0' && id[0] <= '9' {
		id = "_" + id
	}
	return id
}

// addCommon adds the variables that all injectors use. Lists and fields may be absent.
func (c *compiler) addCommon() {
	c.add("containers", "the names of the pod's containers", containersList.entries()+".map(c, c.name)")
	c.add("initContainers", "the names of its init containers", initContainersList.entries()+".map(c, c.name)")
	c.add("declared", "the containers that injectors declare; any other is the app's", stringList(c.declared))
	c.add("labels", "the pod's labels", objectLabels)
	c.add("annotations", "the pod's annotations", objectAnnotations)
	c.add("finishes", "whether the pod is meant to finish",
		`object.spec.?restartPolicy.orValue("Always") != "Always"`)
}
