package injector

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// ObjectName is the name of another object in a payload.
type ObjectName struct {
	Kind  string // the kind of the object
	Name  string
	Entry string // the container or volume of the payload that names it; empty for other fields
}

// ObjectNames returns the names of objects in the payload that kustomize may change later, with variables as they are written.
func (i *Injector) ObjectNames() []ObjectName {
	var names []ObjectName
	for _, r := range podtemplate.References(i.asPodSpec()) {
		names = append(names, ObjectName{r.Kind, r.Node.Value, r.Entry()})
	}
	return names
}

// asPodSpec returns a pod spec that has the whole payload.
func (i *Injector) asPodSpec() *yaml.Node {
	spec := node.Mapping()
	if i.PodSpec != nil {
		spec = node.Fresh(i.PodSpec)
	}
	containers := make([]*yaml.Node, 0, len(i.Containers)+len(i.InitContainers)+len(i.AppContainers))
	for _, c := range i.Containers {
		containers = append(containers, c.Body)
	}
	for _, c := range i.InitContainers {
		containers = append(containers, c.Body)
	}
	for _, rule := range i.AppContainers {
		for _, app := range rule.Each() {
			containers = append(containers, node.Fresh(node.Mapping(
				node.String("env"), node.Sequence(app.Env...), node.String("envFrom"), node.Sequence(app.EnvFrom...))))
		}
	}
	node.Set(spec, "containers", node.Sequence(containers...))
	node.Set(spec, "volumes", node.Sequence(bodies(i.Volumes)...))
	node.Set(spec, "imagePullSecrets", node.Sequence(bodies(i.ImagePullSecrets)...))
	return spec
}

func bodies(entries []Entry) []*yaml.Node {
	all := make([]*yaml.Node, len(entries))
	for i, entry := range entries {
		all[i] = entry.Body
	}
	return all
}
