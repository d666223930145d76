package export

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// The lists of a pod that a payload goes into.
const (
	containers       = "containers"
	initContainers   = "initContainers"
	volumes          = "volumes"
	imagePullSecrets = "imagePullSecrets"
)

// payload is what goes into the pods of one site.
type payload struct {
	injector       *injector.Injector
	first          []*yaml.Node // init containers in front of the app's
	initContainers []*yaml.Node // and behind them
	containers     []*yaml.Node
	names          []string // of all these
}

// part is what of a payload goes in at a time.
type part int

const (
	whole part = iota
	withoutFirst
	firstAlone // the init containers in front of the app's
)

// payloadOf decides what the containers become, and takes a part of that. The order is Pillion's: init containers
// come before sidecars that become init containers.
func payloadOf(in *injector.Injector, finishes bool, what part) payload {
	p := payload{injector: in}
	for _, c := range in.InitContainers {
		p.addInit(c, legible(c.Body))
	}
	for _, c := range in.Containers {
		body := legible(c.Body)
		if c.Mode == v1alpha1.ModeNative || c.Mode == v1alpha1.ModeAuto && finishes {
			node.Set(body, "restartPolicy", node.String("Always"))
			p.addInit(c, body)
			continue
		}
		p.names, p.containers = append(p.names, c.Name), append(p.containers, body)
	}
	return p.take(what)
}

// take is a part of the payload.
func (p payload) take(what part) payload {
	isFirst := func(name string) bool {
		return slices.ContainsFunc(p.first, func(body *yaml.Node) bool { return node.Text(body, "name") == name })
	}
	switch what {
	case withoutFirst:
		p.names = slices.DeleteFunc(p.names, isFirst)
		p.first = nil
	case firstAlone:
		rest := *p.injector
		rest.Volumes, rest.ImagePullSecrets, rest.PodSpec, rest.PodMetadata = nil, nil, nil, nil
		p.names = slices.DeleteFunc(p.names, func(name string) bool { return !isFirst(name) })
		p.injector, p.initContainers, p.containers = &rest, nil, nil
	}
	return p
}

func (p *payload) addInit(c injector.Container, body *yaml.Node) {
	p.names = append(p.names, c.Name)
	leads := c.PodInjectPolicy == v1alpha1.BeforeAppContainer
	if c.PodInjectPolicy == "" {
		leads = node.Text(body, "restartPolicy") == "Always"
	}
	if leads {
		p.first = append(p.first, body)
	} else {
		p.initContainers = append(p.initContainers, body)
	}
}

// listed is a list of the pod, and the names that must be free in it.
type listed struct {
	field string
	names []string
	keep  bool // whether entries go into it, so that it has to be there
}

// lists are those that have to be asked, containers first. A container's name must be free in
// both lists of containers.
func (p payload) lists() []listed {
	lists := []listed{{field: containers, names: p.names}}
	if len(p.names) > 0 {
		lists = append(lists, listed{initContainers, p.names, len(p.first)+len(p.initContainers) > 0})
	}
	for _, list := range []struct {
		field   string
		entries []injector.Entry
	}{{volumes, p.injector.Volumes}, {imagePullSecrets, p.injector.ImagePullSecrets}} {
		if len(list.entries) > 0 {
			lists = append(lists, listed{list.field, entryNames(list.entries), true})
		}
	}
	return lists
}

func entryNames(entries []injector.Entry) []string {
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name
	}
	return names
}

// put adds all of it, in the order and at the places that Pillion gives it.
func (p payload) put(o *operations, s site) {
	for _, volume := range p.injector.Volumes {
		o.put(s.at(volumes)+"/-", volume.Body)
	}
	for _, secret := range p.injector.ImagePullSecrets {
		o.put(s.at(imagePullSecrets)+"/-", secret.Body)
	}
	for _, field := range node.Keys(p.injector.PodSpec) {
		value := node.Get(p.injector.PodSpec, field)
		if node.IsNull(value) {
			continue
		}
		o.absent(s.at(field))
		if synonym := synonyms[field]; synonym != "" {
			o.absent(s.at(synonym))
		}
		o.put(s.at(field), value)
	}
	for i, body := range p.first {
		o.put(entry(s.at(initContainers), i), body)
	}
	for _, body := range p.initContainers {
		o.put(s.at(initContainers)+"/-", body)
	}
	for _, body := range p.containers {
		o.put(s.at(containers)+"/-", body)
	}
}

// synonyms are two names of one field; the pod may set it by the older one.
var synonyms = map[string]string{"serviceAccountName": "serviceAccount", "serviceAccount": "serviceAccountName"}
