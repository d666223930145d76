package injector

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Words returns the plan as people read it, line by line.
func (p Plan) Words() []string {
	lines := []string{fmt.Sprintf("plan of the injector %s, for each pod of which all of this is true:", p.Name)}
	for _, condition := range p.conditionsInWords() {
		lines = append(lines, "  - "+condition)
	}
	lines = append(lines, "it does this, in this order:")
	number := 0
	paths := p.Variables()
	for _, step := range p.Steps {
		for _, op := range step.Operations {
			if op.IsRare {
				continue
			}
			number++
			lines = append(lines, fmt.Sprintf("  %d. %s", number, op.words(p.variablesIn(paths, op.Field))))
		}
	}
	return lines
}

// variablesIn returns the fields with variables in the value of a field, given the sorted paths of all of them.
func (p Plan) variablesIn(paths []string, field string) (all []string) {
	inside := strings.IndexAny(field, "[.") // of the list or mapping of the spec
	if inside < 0 {
		return nil
	}
	value := p.At(field[:inside]) + field[inside:]
	first, _ := slices.BinarySearch(paths, value)
	for _, path := range paths[first:] {
		rest, isInside := strings.CutPrefix(path, value)
		if !isInside {
			break
		}
		if strings.IndexAny(rest+".", "[.") == 0 { // containers[1] is not in containers[10]
			all = append(all, strings.TrimPrefix(rest, "."))
		}
	}
	return all
}

// words returns the operation as a sentence without a full stop, given the fields of its value that have variables.
func (o Operation) words(variables []string) string {
	if o.grows() {
		return "add to " + o.Key + " of the pod what it lacks"
	}
	text := o.what()
	if o.App != nil {
		text = "in " + o.apps() + ": " + text
		if o.Row.Expands && o.Join == nil {
			text += ", " + side(o.Position.IsFront) + " the app's own"
		}
	}
	if len(variables) > 0 && variables[0] != "" {
		text += ", with variables in " + strings.Join(variables, ", ")
	}
	return text + o.taken()
}

// what says what the operation does.
func (o Operation) what() string {
	switch o.Verb {
	case Fill:
		return "set " + o.Key
	case MergeJSON:
		return fmt.Sprintf("merge JSON into %s %s", o.Row.Noun, o.Key)
	case JoinText:
		return fmt.Sprintf("join a value to env variable %s, %s the app's own, with %q between them", o.Key,
			side(o.Join.Before), o.Join.Separator)
	case NameDefault:
		return fmt.Sprintf("set %s %s to the name of the app's first container", o.Row.Noun, o.Key)
	}
	if o.Container != nil {
		return o.container()
	}
	return fmt.Sprintf("%s %s %s", o.Verb, o.Row.Noun, o.Key) // add volume data, set label app
}

// grows reports whether the operation sets a field of the pod spec that gets what it lacks: a list, or a mapping.
func (o Operation) grows() bool {
	return o.Verb == Fill && o.Value != nil && o.Value.Kind != node.ScalarNode && !o.Row.Whole
}

func side(isBefore bool) string {
	if isBefore {
		return "before"
	}
	return "after"
}

// apps names the containers of the app that the operation is for.
func (o Operation) apps() string {
	text := "the container " + either(o.App.Names)
	if o.App.Includes("") {
		text = "each container of the app"
	}
	if o.App.IncludeInit {
		text += ", also among the init containers"
	}
	return text
}

// container says what is added, and where.
func (o Operation) container() string {
	c := o.Container
	noun := o.Row.Noun
	if pod.IsNative(o.Row.Name(), o.Body()) {
		noun = "native sidecar"
	}
	text := fmt.Sprintf("add %s %s", noun, o.Key)
	switch {
	case o.Position.Before != "":
		text += " before the container " + o.Position.Before
	case o.Position.After != "":
		text += " after the container " + o.Position.After
	default:
		text += fmt.Sprintf(" %s the app's %ss", side(o.Position.IsFront), o.Row.Noun)
	}
	if c.Mode == v1alpha1.ModeAuto {
		text += ", or as a native sidecar to a pod that is meant to finish"
	}
	if o.OnPort == Keep {
		text += ", without ports that the app has"
	}
	if given := fromApp(c); len(given) > 0 {
		text += ", with " + strings.Join(given, ", and ")
	}
	if len(c.AllowOverride) > 0 {
		text += "; annotations of the pod may set its " + strings.Join(c.AllowOverride, ", ")
	}
	return text
}

// fromApp says what a container gets from the app's.
func fromApp(c *Container) (all []string) {
	for _, transfer := range c.TransferEnv {
		source := "the container " + transfer.SourceContainerName
		if from := transfer.SourceContainerNameFrom; from != nil && from.FieldRef != nil {
			source = "the container that " + from.FieldRef.FieldPath + " names"
		}
		isEmpty := func(name string) bool { return name == "" }
		names := slices.DeleteFunc(append([]string{transfer.EnvName}, transfer.EnvNames...), isEmpty)
		variables := "all variables"
		if len(names) > 0 {
			variables = "the variables " + strings.Join(names, ", ")
		}
		all = append(all, variables+" of "+source)
	}
	share := func(what string, policy *v1alpha1.ShareVolumePolicy) {
		if policy == nil || policy.Type == v1alpha1.ShareDisabled {
			return
		}
		text := "the " + what + " of the app's containers"
		if len(policy.Containers) > 0 {
			text = "the " + what + " of the containers " + strings.Join(policy.Containers, ", ")
		}
		if policy.IncludeInjected {
			text += " and of injected ones"
		}
		if len(policy.ExcludePaths) > 0 {
			text += " except " + strings.Join(policy.ExcludePaths, ", ")
		}
		all = append(all, text)
	}
	share("volume mounts", c.ShareVolumePolicy)
	share("volume devices", c.ShareVolumeDevicePolicy)
	if c.Resources != nil {
		for _, field := range c.Resources.Fields {
			all = append(all, fmt.Sprintf("%s.%s from the app's %s", field.List, field.Name, field.Name))
		}
	}
	return all
}

// taken says what happens if the app has something else there.
func (o Operation) taken() string {
	switch o.Verb {
	case Fill, Set, NameDefault:
		if o.OnTaken == Keep {
			return ", unless the pod has it"
		}
		return ", also if the pod has another value"
	case MergeJSON, JoinText:
		return ""
	}
	there := "; if the app has another one, "
	switch o.OnTaken {
	case Keep:
		return there + "that stays"
	case Merge:
		return there + "that gets what it lacks"
	case Replace:
		return there + "that is replaced"
	default:
		return there + "the pod is refused"
	}
}
