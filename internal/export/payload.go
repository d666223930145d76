package export

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// The fields of the spec that have the names of the pod's lists, and that of the pod's metadata.
const (
	containers       = "containers"
	initContainers   = "initContainers"
	volumes          = "volumes"
	imagePullSecrets = "imagePullSecrets"
	patchPodMetadata = "patchPodMetadata"
)

// payload is what the pods of one location get.
type payload struct {
	injector       *injector.Injector // its containers are in the lists below
	leading        []*node.Node       // init containers in front of the app's
	initContainers []*node.Node       // init containers after the app's
	containers     []*node.Node
}

// newPayload divides the containers by their lists. As in Pillion, the payload's init containers come before its native sidecars.
func newPayload(in *injector.Injector) payload {
	p := payload{injector: in}
	for _, c := range in.InitContainers {
		p.addInitContainer(c, asYAML11(c.Body))
	}
	for _, c := range in.Containers {
		if c.Mode == v1alpha1.ModeNative {
			p.addInitContainer(c, asYAML11(c.NativeBody))
		} else {
			p.containers = append(p.containers, asYAML11(c.Body))
		}
	}
	return p
}

func (p *payload) addInitContainer(c injector.Container, body *node.Node) {
	if injector.Leads(c.PodInjectPolicy, initContainers, body) {
		p.leading = append(p.leading, body)
	} else {
		p.initContainers = append(p.initContainers, body)
	}
}

// onlyLeading returns the part of the payload with the init containers in front of the app's.
func (p payload) onlyLeading() payload {
	in := *p.injector
	in.Volumes, in.ImagePullSecrets, in.PodSpec, in.PodMetadata = nil, nil, nil, nil
	return payload{injector: &in, leading: p.leading}
}

// podList is a list of the pod, and the names of the payload that it must not have yet.
type podList struct {
	field   string
	names   []string
	extends bool // whether the payload adds entries to it, so that it must exist
}

// podLists returns the lists that must be checked, containers first. The name of a container must be free in both lists of
// containers.
func (p payload) podLists() []podList {
	var names []string
	for _, list := range [][]*node.Node{p.leading, p.initContainers, p.containers} {
		for _, body := range list {
			names = append(names, node.Text(body, "name"))
		}
	}
	lists := []podList{{field: containers, names: names}}
	if len(names) > 0 {
		lists = append(lists, podList{initContainers, names, len(p.leading)+len(p.initContainers) > 0})
	}
	if len(p.injector.Volumes) > 0 {
		lists = append(lists, podList{volumes, entryNames(p.injector.Volumes), true})
	}
	if len(p.injector.ImagePullSecrets) > 0 {
		lists = append(lists, podList{imagePullSecrets, entryNames(p.injector.ImagePullSecrets), true})
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

// add adds operations for all of the payload, with the order and the positions that Pillion gives it.
func (p payload) add(o *operations, l location) {
	for _, volume := range p.injector.Volumes {
		o.addPayload(l.field(volumes)+"/-", volume.Body)
	}
	for _, secret := range p.injector.ImagePullSecrets {
		o.addPayload(l.field(imagePullSecrets)+"/-", secret.Body)
	}
	for _, field := range node.Keys(p.injector.PodSpec) {
		value := node.Get(p.injector.PodSpec, field)
		if node.IsNull(value) {
			continue
		}
		o.absent(l.field(field))
		if synonym := pod.InSpec(field).Synonym; synonym != "" {
			o.absent(l.field(synonym))
		}
		o.addPayload(l.field(field), value)
	}
	for i, body := range p.leading {
		o.addPayload(entryAt(l.field(initContainers), i), body)
	}
	for _, body := range p.initContainers {
		o.addPayload(l.field(initContainers)+"/-", body)
	}
	for _, body := range p.containers {
		o.addPayload(l.field(containers)+"/-", body)
	}
}
