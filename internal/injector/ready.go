package injector

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// declaration is one injector as it was written, whatever kind of object it was
// written in.
type declaration struct {
	name   string
	nameAt path
	spec   v1alpha1.SidecarInjectorSpec
	fields *yaml.Node              // the spec as it was written
	at     func(field string) path // where a spec field is written

	literal   bool      // the payload is taken as it stands, without variables
	variables variables // the payload's
	patterns  *patterns // those of the config
	expanded  bool      // this is a declaration made for one pod; the rest of it was checked
}

// ready checks a declaration and makes it an injector; where anything was wrong so
// far it has no payload, because Read returns no injectors then.
func ready(p *problems, d declaration) *Injector {
	d.spec.Default()
	d.patterns = &p.patterns
	if !p.full() {
		check(p, d)
	}
	i := &Injector{Name: d.name, Spec: d.spec, Paused: d.spec.Paused, Literal: d.literal, declared: d}
	if finding.HasError(p.findings) {
		return i
	}
	for _, pattern := range d.spec.Names {
		i.Names = append(i.Names, d.patterns.find(pattern, true))
	}
	for n, body := range d.bodies("containers") {
		c := d.spec.Containers[n]
		i.Containers = append(i.Containers, Container{
			Entry: Entry{c.Name, body}, Placement: c.Placement, Mode: c.Mode, FromApp: c.FromApp, Overriding: c.Overriding,
			Resources: resourcesOf(c.ResourcesPolicy, d.patterns),
		})
	}
	for n, body := range d.bodies("initContainers") {
		c := d.spec.InitContainers[n]
		i.InitContainers = append(i.InitContainers, Container{
			Entry: Entry{c.Name, body}, Placement: c.Placement, FromApp: c.FromApp, Overriding: c.Overriding,
			Resources: resourcesOf(c.ResourcesPolicy, d.patterns),
		})
	}
	for n, body := range d.bodies("volumes") {
		i.Volumes = append(i.Volumes, Entry{d.spec.Volumes[n].Name, body})
	}
	for n, body := range d.bodies("imagePullSecrets") {
		i.ImagePullSecrets = append(i.ImagePullSecrets, Entry{d.spec.ImagePullSecrets[n].Name, body})
	}
	for n, entry := range node.List(d.fields, "appContainers") {
		i.AppContainers = append(i.AppContainers, AppContainers{
			Names:        d.spec.AppContainers[n].Containers,
			IncludeInit:  d.spec.AppContainers[n].IncludeInit,
			EnvPosition:  d.spec.AppContainers[n].EnvPosition,
			Env:          node.List(entry, "env"),
			EnvFrom:      node.List(entry, "envFrom"),
			VolumeMounts: node.List(entry, "volumeMounts"),
		})
	}
	for n, entry := range node.List(d.fields, "patchPodMetadata") {
		i.PodMetadata = append(i.PodMetadata, PodMetadata{
			Labels:      node.Get(entry, "labels"),
			Annotations: node.Get(entry, "annotations"),
			Policy:      d.spec.PatchPodMetadata[n].PatchPolicy,
		})
	}
	i.PodSpec = node.Get(d.fields, "podSpec")
	return i
}

// bodies are the entries of a payload list as they were written, without the knobs
// that are Pillion's and none of the cluster's.
func (d declaration) bodies(list string) []*yaml.Node {
	entries := node.List(d.fields, list)
	for n, entry := range entries {
		body := node.Fresh(entry)
		kept := body.Content[:0]
		for i := 0; i+1 < len(body.Content); i += 2 {
			if !isKnob(list, body.Content[i].Value) {
				kept = append(kept, body.Content[i], body.Content[i+1])
			}
		}
		body.Content = kept
		entries[n] = body
	}
	return entries
}

func isKnob(list, key string) bool {
	switch key {
	case "podInjectPolicy", "before", "after", "shareVolumePolicy", "shareVolumeDevicePolicy", "transferEnv", "resourcesPolicy", "allowOverride":
		return list == "containers" || list == "initContainers"
	case "mode":
		return list == "containers"
	case "containers", "includeInit", "envPosition":
		return list == "appContainers"
	case "patchPolicy":
		return list == "patchPodMetadata"
	}
	return false
}
