package plan

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// Of returns the plan of an injector.
func Of(in *injector.Injector) Plan {
	c := compiler{in}
	var all []Operation
	for _, compile := range []func() []Operation{
		c.volumes, c.podSpec, c.podMetadata, c.appContainers, c.initContainers, c.sidecars, c.podResources, c.defaultContainer,
	} {
		all = append(all, compile()...)
	}
	paths := in.Variables()
	for i := range all {
		all[i].Variables = c.variablesIn(paths, all[i].Field)
	}
	return Plan{Injector: in.Name, Conditions: conditions(in), Operations: all}
}

type compiler struct{ *injector.Injector }

// variablesIn returns the fields with variables in the value of a field, given the sorted paths of all of them.
func (c compiler) variablesIn(paths []string, field string) (all []string) {
	inside := strings.IndexAny(field, "[.") // of the list or mapping of the spec
	if inside < 0 {
		return nil
	}
	value := c.At(field[:inside]) + field[inside:]
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

func (c compiler) volumes() (all []Operation) {
	for i, volume := range c.Volumes {
		op := added(pod.InSpec("volumes"), volume.Body, at("volumes", i))
		op.OnTaken = Choice(c.Spec.OnConflict.Volume)
		all = append(all, op)
	}
	for i, secret := range c.ImagePullSecrets {
		all = append(all, added(pod.InSpec("imagePullSecrets"), secret.Body, at("imagePullSecrets", i)))
	}
	return all
}

func (c compiler) podSpec() (all []Operation) {
	for name, value := range node.Fields(c.PodSpec) {
		all = append(all, Operation{Verb: Fill, Row: pod.InSpec(name), Key: name, Value: value, Field: "podSpec." + name, OnTaken: Keep})
	}
	return all
}

func (c compiler) podMetadata() (all []Operation) {
	for i, patch := range c.PodMetadata {
		add := func(list string, values *yaml.Node) {
			for key, value := range node.Fields(values) {
				op := Operation{
					Verb: Fill, Row: pod.Of("metadata", list), Key: key, Value: value,
					Field: at("patchPodMetadata", i) + "." + list, OnTaken: Keep,
				}
				switch patch.Policy {
				case v1alpha1.PatchOverwrite:
					op.OnTaken = Replace
				case v1alpha1.PatchMergeJSON:
					op.Verb = Join
				}
				all = append(all, op)
			}
		}
		add("labels", patch.Labels)
		add("annotations", patch.Annotations)
	}
	return all
}

func (c compiler) appContainers() (all []Operation) {
	for i := range c.AppContainers {
		app := &c.AppContainers[i]
		add := func(list string, entries []*yaml.Node, place Place) {
			for n, entry := range entries {
				op := added(pod.InContainer(list), entry, at("appContainers", i)+"."+at(list, n))
				op.App, op.Place, op.OnTaken = app, place, Choice(op.Row.Taken.Choice(c.Spec.OnConflict))
				if join, isJoined := app.Joins[entry]; isJoined {
					op.Verb, op.Join = Join, &join
				}
				all = append(all, op)
			}
		}
		add("env", app.Env, Place{IsFront: app.EnvPosition == v1alpha1.EnvPrepend})
		add("envFrom", app.EnvFrom, Place{})
		add("volumeMounts", app.VolumeMounts, Place{})
	}
	return all
}

func (c compiler) initContainers() (all []Operation) {
	for i := range c.InitContainers {
		container := &c.InitContainers[i]
		all = append(all, c.container(container, pod.Init, container.Body, at("initContainers", i)))
	}
	return all
}

func (c compiler) sidecars() (all []Operation) {
	for i := range c.Containers {
		sidecar := &c.Containers[i]
		list, body := pod.Main, sidecar.Body
		if sidecar.Mode == v1alpha1.ModeNative {
			list, body = pod.Init, sidecar.NativeBody
		}
		all = append(all, c.container(sidecar, list, body, at("containers", i)))
	}
	return all
}

func (c compiler) container(container *injector.Container, list string, body *yaml.Node, field string) Operation {
	op := added(pod.InSpec(list), body, field)
	op.Container, op.OnTaken, op.OnPort = container, Choice(c.Spec.OnConflict.Container), Choice(c.Spec.OnConflict.Port)
	op.Place = Place{injector.Leads(container.PodInjectPolicy, list, body), container.Before, container.After}
	return op
}

func (c compiler) podResources() []Operation {
	hasResources := func(container injector.Container) bool {
		return container.Resources != nil || node.Get(container.Body, "resources") != nil
	}
	if !slices.ContainsFunc(slices.Concat(c.Containers, c.InitContainers), hasResources) {
		return nil
	}
	verb := Grow
	switch c.Spec.PodResources {
	case v1alpha1.PodResourcesShare:
		verb = Share
	case v1alpha1.PodResourcesError:
		return nil
	}
	return []Operation{{Verb: verb, Row: pod.InSpec("resources"), Key: "resources", Field: "podResources"}}
}

// defaultContainer names the app's first container as that of kubectl logs and exec, if a plain sidecar goes in front of it.
func (c compiler) defaultContainer() []Operation {
	for _, op := range c.sidecars() {
		if op.Row == pod.InSpec(pod.Main) && (op.Place.IsFront || op.Place.Before != "") {
			const key = "kubectl.kubernetes.io/default-container"
			return []Operation{{Verb: Fill, Row: pod.Of("metadata", "annotations"), Key: key, Field: op.Field, OnTaken: Keep}}
		}
	}
	return nil
}

// added returns the operation that adds an entry to a list, and keeps the app's if it has the same key.
func added(row *pod.Row, entry *yaml.Node, field string) Operation {
	return Operation{Verb: Add, Row: row, Key: row.Key(entry), Value: entry, Field: field, OnTaken: Keep}
}

func at(list string, index int) string { return list + "[" + strconv.Itoa(index) + "]" }
