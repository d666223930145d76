package transformers

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// AppContainers brings env, envFrom and mounts into the app's own containers, never into those
// that an injector brings.
func AppContainers(pod *Pod, in *injector.Injector) []finding.Finding {
	if len(in.AppContainers) == 0 {
		return nil
	}
	met := namesNotThere(pod, in)
	for _, list := range []string{containers, initContainers} {
		var owned *yaml.Node // once: there may be thousands of containers
		for i, container := range pod.entries(list) {
			name := node.Text(container, "name")
			if !pod.isApps(in, name) {
				continue
			}
			g, path := giverOf(in, pod.pristine(list)[name]), pod.at(list, i)
			share := shareOf(in, name, list == initContainers)
			if name == "" && !share.isEmpty() {
				met = append(met, problem(finding.Warning, finding.ContainerMissing, path,
					"%s has no name, so that nothing is put into it: a later run could not tell it from others; give it one", path))
				continue
			}
			if gives := g.try(container, share, path); gives != nil {
				if owned == nil {
					owned = node.Own(pod.Spec(), list)
				}
				gives(node.OwnEntry(owned, i))
			}
			for _, change := range g.changes {
				pod.changes = append(pod.changes, change+" "+singular[list]+` "`+name+`"`)
			}
			met = append(met, g.met...)
		}
	}
	return met
}

// namesNotThere tells of containers that the config names and that the app does not have.
func namesNotThere(pod *Pod, in *injector.Injector) []finding.Finding {
	var met []finding.Finding
	for _, rule := range in.AppContainers {
		for _, name := range rule.Names {
			plain, asInit := named(pod.entries(containers), name) >= 0, named(pod.entries(initContainers), name) >= 0
			why := "the pod has none of that name"
			switch {
			case name == v1alpha1.AllContainers:
				continue
			case !pod.isApps(in, name):
				why = "an injector brings it"
			case plain || asInit && rule.IncludeInit:
				continue
			case asInit:
				why = "it is an init container; set includeInit to true"
			}
			met = append(met, problem(finding.Info, finding.ContainerMissing, pod.At("spec."+containers),
				"container %q of spec.appContainers is left out: %s", name, why))
		}
	}
	return met
}

// share is what one container gets. Where several rules give it the same variable or mount
// path, the first counts.
type share struct {
	prepend, behind, envFrom, mounts []*yaml.Node
}

func (s share) isEmpty() bool { return len(s.prepend)+len(s.behind)+len(s.envFrom)+len(s.mounts) == 0 }

func shareOf(in *injector.Injector, name string, isInit bool) share {
	var s share
	variables, paths := map[string]bool{}, map[string]bool{}
	for _, rule := range in.AppContainers {
		if isInit && !rule.IncludeInit || !rule.For(name) {
			continue
		}
		env := firstOfEach(rule.Env, "name", variables)
		if rule.EnvPosition == v1alpha1.EnvAppend {
			s.behind = append(s.behind, env...)
		} else {
			s.prepend = append(s.prepend, env...)
		}
		s.envFrom = append(s.envFrom, rule.EnvFrom...)
		s.mounts = append(s.mounts, firstOfEach(rule.VolumeMounts, "mountPath", paths)...)
	}
	return s
}

// firstOfEach leaves out the entries whose key was seen before in another list.
func firstOfEach(entries []*yaml.Node, key string, seen map[string]bool) []*yaml.Node {
	kept := slices.DeleteFunc(slices.Clone(entries), func(entry *yaml.Node) bool { return seen[node.Text(entry, key)] })
	for _, entry := range kept {
		seen[node.Text(entry, key)] = true
	}
	return kept
}

// misshapen refuses a container whose lists are none, because nothing can be added to them.
func misshapen(container *yaml.Node, s share, path string) []finding.Finding {
	var met []finding.Finding
	for _, field := range []struct {
		name   string
		wanted int
	}{{"env", len(s.prepend) + len(s.behind)}, {"envFrom", len(s.envFrom)}, {"volumeMounts", len(s.mounts)}} {
		present := node.Get(container, field.name)
		if field.wanted > 0 && !node.IsNull(present) && present.Kind != yaml.SequenceNode {
			at := path + "." + field.name
			met = append(met, problem(finding.Error, finding.InvalidItem, at, "%s must be a list, but is %s", at, node.Describe(present)))
		}
	}
	return met
}
