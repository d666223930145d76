package injector

import (
	"slices"
	"strconv"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Plan returns what the injector does to a pod.
func (i *Injector) Plan() *Plan {
	c := compiler{i}
	p := &Plan{Injector: i}
	for _, step := range []Step{
		{"volumes", addedEntries("volumes", c.Volumes, Choice(c.Spec.OnConflict.Volume))},
		{"imagePullSecrets", addedEntries("imagePullSecrets", c.ImagePullSecrets, Keep)},
		{"podSpec", c.podSpec()},
		{"patchPodMetadata", c.podMetadata()},
		{"appContainers", c.appContainers()}, // before the containers that take something from these
		{"initContainers", c.containers(pod.Init, c.InitContainers)},
		{"containers", c.containers(pod.Main, c.Containers)},
		{"podInjectPolicy", c.defaultContainer()},
	} {
		if len(step.Operations) > 0 {
			p.Steps = append(p.Steps, step)
		}
	}
	return p
}

type compiler struct{ *Injector }

// addedEntries returns the operations that add volumes or imagePullSecrets.
func addedEntries(list string, entries []Entry, onTaken Choice) (all []Operation) {
	for i, entry := range entries {
		op := added(pod.InSpec(list), entry.Body, at(list, i))
		op.OnTaken = onTaken
		all = append(all, op)
	}
	return all
}

func (c compiler) podSpec() (all []Operation) {
	for name, value := range node.Fields(c.PodSpec) {
		all = append(all, Operation{
			Verb:    Fill,
			Row:     pod.InSpec(name),
			Key:     name,
			Value:   value,
			Field:   "podSpec." + name,
			OnTaken: Keep,
		})
	}
	return all
}

func (c compiler) podMetadata() (all []Operation) {
	for i, patch := range c.PodMetadata {
		add := func(list string, values *node.Node) {
			for key, value := range node.Fields(values) {
				op := Operation{
					Verb:    Set,
					Row:     pod.Of("metadata", list),
					Key:     key,
					Value:   value,
					Field:   at("patchPodMetadata", i) + "." + list,
					OnTaken: Keep,
				}
				switch patch.Policy {
				case v1alpha1.PatchOverwrite:
					op.OnTaken = Replace
				case v1alpha1.PatchMergeJSON:
					op.Verb = MergeJSON
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
		add := func(list string, entries []*node.Node, position Position) {
			for n, entry := range entries {
				op := added(pod.InContainer(list), entry, at("appContainers", i)+"."+at(list, n))
				op.App = app
				op.Position = position
				op.OnTaken = Choice(op.Row.Taken.Choice(c.Spec.OnConflict))
				if join, isJoined := app.Joins[entry]; isJoined {
					op.Verb = JoinText
					op.Join = &join
				}
				all = append(all, op)
			}
		}
		add("env", app.Env, Position{IsFront: app.EnvPosition == v1alpha1.EnvPrepend})
		add("envFrom", app.EnvFrom, Position{})
		add("volumeMounts", app.VolumeMounts, Position{})
	}
	return all
}

// containers returns the operations that add sidecars or init containers.
func (c compiler) containers(field string, containers []Container) (all []Operation) {
	for i := range containers {
		list := field
		if containers[i].Mode == v1alpha1.ModeNative {
			list = pod.Init
		}
		all = append(all, c.container(&containers[i], list, at(field, i)))
	}
	return all
}

func (c compiler) container(container *Container, list, field string) Operation {
	op := added(pod.InSpec(list), container.Body, field)
	op.Container = container
	op.Native = container.NativeBody
	op.Position = Position{
		IsFront: leads(container.PodInjectPolicy, list, op.Body()),
		Before:  container.Before,
		After:   container.After,
	}
	op.OnTaken = Choice(c.Spec.OnConflict.Container)
	op.OnPort = Choice(c.Spec.OnConflict.Port)
	return op
}

// defaultContainer names the app's first container as that of kubectl logs and exec, if a plain sidecar goes in front
// of it.
func (c compiler) defaultContainer() []Operation {
	if len(c.Containers) == 0 {
		return nil
	}
	isLeading := func(op Operation) bool {
		return op.Row == pod.InSpec(pod.Main) && (op.Position.IsFront || op.Position.Before != "")
	}
	return []Operation{{
		Verb:    NameDefault,
		Row:     pod.Of("metadata", "annotations"),
		Key:     pod.DefaultContainer,
		OnTaken: Keep,
		IsRare:  !slices.ContainsFunc(c.containers(pod.Main, c.Containers), isLeading),
	}}
}

// added returns the operation that adds an entry to a list, and keeps the app's if it has the same key.
func added(row *pod.Row, entry *node.Node, field string) Operation {
	return Operation{Verb: Add, Row: row, Key: row.Key(entry), Value: entry, Field: field, OnTaken: Keep}
}

func at(list string, index int) string { return list + "[" + strconv.Itoa(index) + "]" }
