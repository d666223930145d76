package apply

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// fillAppContainers adds env, envFrom and mounts to the app's own containers, never to those that an injector adds.
func fillAppContainers(p *Pod) []finding.Finding {
	if len(p.payload.AppContainers) == 0 {
		return nil
	}
	names := 0
	for _, rule := range p.payload.AppContainers {
		names += 1 + len(rule.Names)
	}
	count := len(p.entries(containers)) + len(p.entries(initContainers))
	if !p.Room.Charge(names * count * meter.PerValue) {
		return nil
	}
	findings := missingNames(p)
	for _, list := range []string{containers, initContainers} {
		var owned *yaml.Node // owned once: there may be thousands of containers
		for i, container := range p.entries(list) {
			name := node.Text(container, "name")
			if !p.isApps(name) {
				continue
			}
			path, payload := p.entryAt(list, i), newAppPayload(p.payload, name, list == initContainers)
			steps := payload.count() * (meter.PerShared + len(node.List(container, "env"))*meter.PerValue)
			if !p.Room.Charge(steps) || p.Room.IsFull() {
				return findings
			}
			if name == "" && payload.count() > 0 {
				findings = append(findings, newFinding(finding.Warning, finding.ContainerMissing, path,
					"%s has no name, so nothing is added to it: a later run could not recognise it; give it a name", path))
				continue
			}
			filler := newAppFiller(p, list, name)
			filler.joins = payload.joins
			if fill := filler.try(container, payload, path); fill != nil {
				if owned == nil {
					owned = node.Own(p.Spec(), list)
				}
				fill(node.OwnEntry(owned, i))
			}
			filler.giveTo(p)
			findings = append(findings, filler.findings...)
			for variable, parts := range filler.joined {
				p.Joined.Add(variable, parts...)
			}
			for variable, parts := range filler.wantsJoined {
				p.WantsJoined.Add(variable, parts...)
			}
		}
	}
	return findings
}

// missingNames reports containers that the config names and that the app does not have.
func missingNames(p *Pod) []finding.Finding {
	var findings []finding.Finding
	for _, rule := range p.payload.AppContainers {
		for _, name := range rule.Names {
			isPlain, isInit := indexOfName(p.entries(containers), name) >= 0, indexOfName(p.entries(initContainers), name) >= 0
			why := "the pod has none of that name"
			switch {
			case name == v1alpha1.AllContainers:
				continue
			case !p.isApps(name):
				why = "an injector adds it"
			case isPlain || isInit && rule.IncludeInit:
				continue
			case isInit:
				why = "it is an init container; set includeInit to true"
			}
			findings = append(findings, newFinding(finding.Info, finding.ContainerMissing, p.At("spec."+containers),
				"container %q of spec.appContainers is left out: %s", name, why))
		}
	}
	return findings
}

// appPayload is what one container of the app gets. If several rules have the same variable, source of variables or mount path, the
// first counts. Variables that are joined all count.
type appPayload struct {
	envBefore, envAfter, envFrom, mounts []*yaml.Node

	joins        map[*yaml.Node]injector.Join // of the variables that are joined to those of the app
	joinedByName map[string][]*yaml.Node      // these variables
}

func (p appPayload) count() int {
	return len(p.envBefore) + len(p.envAfter) + len(p.envFrom) + len(p.mounts)
}

// joinedWith returns a variable and, if it is joined, all that the payload joins to it: where it is added depends on what they all use.
func (p appPayload) joinedWith(variable *yaml.Node) []*yaml.Node {
	if _, isJoined := p.joins[variable]; isJoined {
		return p.joinedByName[node.Text(variable, "name")]
	}
	return []*yaml.Node{variable}
}

func newAppPayload(in *injector.Injector, name string, isInit bool) appPayload {
	var p appPayload
	variables, joinedIn := map[string]bool{}, map[string]*[]*yaml.Node{}
	sources, paths := map[string]bool{}, map[string]bool{}
	for i := range in.AppContainers {
		rule := in.AppContainers[i].Given(name)
		if rule == nil || isInit && !rule.IncludeInit {
			continue
		}
		p.addEnv(rule, variables, joinedIn)
		p.envFrom = append(p.envFrom, withoutKnown(rule.EnvFrom, pod.InContainer("envFrom"), sources)...)
		p.mounts = append(p.mounts, withoutKnown(rule.VolumeMounts, pod.InContainer("volumeMounts"), paths)...)
	}
	return p
}

// addEnv adds the variables of a rule, except those whose names are known and that are not joined, and adds the names to the known ones.
// What is joined to a variable of an earlier rule is added where that one is, so that it is joined in the order of the config.
func (p *appPayload) addEnv(rule *injector.AppContainers, known map[string]bool, joinedIn map[string]*[]*yaml.Node) {
	list := &p.envBefore
	if rule.EnvPosition == v1alpha1.EnvAppend {
		list = &p.envAfter
	}
	if len(rule.Joins) == 0 {
		*list = append(*list, withoutKnown(rule.Env, pod.InContainer("env"), known)...)
		return
	}
	for _, variable := range rule.Env {
		name := node.Text(variable, "name")
		join, isJoined := rule.Joins[variable]
		if known[name] && (!isJoined || joinedIn[name] == nil) {
			continue
		}
		known[name] = true
		if !isJoined {
			*list = append(*list, variable)
			continue
		}
		if joinedIn[name] == nil {
			joinedIn[name] = list
		}
		*joinedIn[name] = append(*joinedIn[name], variable)
		if p.joins == nil {
			p.joins, p.joinedByName = map[*yaml.Node]injector.Join{}, map[string][]*yaml.Node{}
		}
		p.joins[variable] = join
		p.joinedByName[name] = append(p.joinedByName[name], variable)
	}
}

// withoutKnown leaves out the entries of a list whose key is known, and adds the keys of the others. Entries without a key stay.
func withoutKnown(entries []*yaml.Node, list *pod.Row, known map[string]bool) []*yaml.Node {
	kept := slices.DeleteFunc(slices.Clone(entries), func(entry *yaml.Node) bool { return known[list.Key(entry)] })
	for _, entry := range kept {
		if key := list.Key(entry); key != "" {
			known[key] = true
		}
	}
	return kept
}

// wrongLists reports fields of a container that are no lists although something is to be added to them.
func wrongLists(container *yaml.Node, p appPayload, path string) []finding.Finding {
	var findings []finding.Finding
	for _, field := range []struct {
		name  string
		added int
	}{{"env", len(p.envBefore) + len(p.envAfter)}, {"envFrom", len(p.envFrom)}, {"volumeMounts", len(p.mounts)}} {
		present := node.Get(container, field.name)
		if field.added > 0 && !node.IsNull(present) && present.Kind != yaml.SequenceNode {
			at := path + "." + field.name
			findings = append(findings, newFinding(finding.Error, finding.InvalidItem, at,
				"%s must be a list, but is %s", at, node.Describe(present)))
		}
	}
	return findings
}
