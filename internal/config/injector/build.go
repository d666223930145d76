package injector

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/form"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// declaration is an injector as it was written, in any kind of config.
type declaration struct {
	form.Form
	name   string
	spec   v1alpha1.SidecarInjectorSpec
	fields *node.Node // the spec as nodes

	variables schema.Variables // of the payload
	patterns  *patterns        // of the config

	refersToApp bool // whether some of the variables are those of the app's containers

	// In a declaration for one pod: the fields that were checked before, and the entries of appContainers that refer to
	// the app's containers. They are nil otherwise.
	before  *node.Node
	forEach map[int][]expandedFor
}

// build sets defaults in a declaration, checks it and makes an injector of it. After an error, the injector has no
// payload.
func build(p *schema.Problems, d declaration, patterns *patterns) *Injector {
	d.spec.Default()
	d.patterns = patterns
	d.refersToApp = d.variables.ReferToApp()
	if !p.IsFull() {
		check(p, d)
	}
	i := &Injector{Name: d.name, Spec: d.spec, Kind: d.Kind, Paused: d.spec.Paused, Literal: d.Literal, declared: d}
	if !finding.HasError(p.Findings) {
		i.addPayload()
	}
	return i
}

func (i *Injector) addPayload() {
	d := &i.declared
	entries := append(d.entries("containers"), d.entries("initContainers")...)
	all := make([]Container, len(entries))
	for n, c := range d.containers() {
		all[n] = Container{
			Entry: entries[n], Placement: c.Placement, Mode: d.modeOf(c),
			FromApp: c.FromApp, Overriding: c.Overriding, Resources: d.newResources(c.ResourcesPolicy),
		}
		if n < len(d.spec.Containers) {
			all[n].NativeBody = NativeBody(entries[n].Body)
		}
	}
	split := len(d.spec.Containers)
	i.Containers = all[:split:split]
	i.InitContainers = all[split:]
	i.Volumes = d.entries("volumes")
	i.ImagePullSecrets = d.entries("imagePullSecrets")
	for n, entry := range node.List(d.fields, "appContainers") {
		app := AppContainers{
			Names:        d.spec.AppContainers[n].Containers,
			IncludeInit:  d.spec.AppContainers[n].IncludeInit,
			EnvPosition:  d.spec.AppContainers[n].EnvPosition,
			EnvFrom:      node.List(entry, "envFrom"),
			VolumeMounts: node.List(entry, "volumeMounts"),
		}
		app.addEnv(d, node.List(entry, "env"), d.spec.AppContainers[n].Env)
		i.AppContainers = append(i.AppContainers, app)
	}
	for n, entry := range node.List(d.fields, "patchPodMetadata") {
		i.PodMetadata = append(i.PodMetadata, PodMetadata{
			Labels:      node.Get(entry, "labels"),
			Annotations: node.Get(entry, "annotations"),
			Policy:      d.spec.PatchPodMetadata[n].PatchPolicy,
		})
	}
	i.PodSpec = node.Get(d.fields, "podSpec")
}

// addEnv adds variables as they were written, without settings.
func (a *AppContainers) addEnv(d *declaration, written []*node.Node, env []v1alpha1.AppEnvVar) {
	for i, variable := range written {
		if env[i].Join != "" {
			variable = d.withoutSettings(variable, reflect.TypeFor[v1alpha1.AppEnvVar]())
			if a.Joins == nil {
				a.Joins = map[*node.Node]Join{}
			}
			a.Joins[variable] = Join{Separator: env[i].Join, Before: env[i].JoinOrder == v1alpha1.JoinBefore}
		}
		a.Env = append(a.Env, variable)
	}
}

// modeOf returns the mode of a container: Auto is Native where it cannot be plain.
func (d *declaration) modeOf(c payloadContainer) v1alpha1.Mode {
	if c.mode == v1alpha1.ModeAuto && !d.canBePlain() {
		return v1alpha1.ModeNative
	}
	return c.mode
}

// canBePlain reports whether sidecars of mode Auto can become plain containers.
func (d *declaration) canBePlain() bool {
	return d.AutoPlain || !schema.IsAtLeast(d.spec.KubernetesVersion, schema.FirstNative)
}

// NativeBody returns the body of a container as a native sidecar.
func NativeBody(body *node.Node) *node.Node {
	native := node.Clone(body)
	node.Set(native, "restartPolicy", node.String("Always"))
	return native
}

// payloadContainer is a container or an init container of a spec.
type payloadContainer struct {
	list  string
	index int
	*corev1.Container
	v1alpha1.Placement
	v1alpha1.FromApp
	v1alpha1.Overriding
	mode v1alpha1.Mode // empty for an init container
}

// containers returns the containers and then the init containers of the spec.
func (d *declaration) containers() []payloadContainer {
	all := make([]payloadContainer, 0, len(d.spec.Containers)+len(d.spec.InitContainers))
	for i := range d.spec.Containers {
		c := &d.spec.Containers[i]
		all = append(all, payloadContainer{"containers", i, &c.Container, c.Placement, c.FromApp, c.Overriding, c.Mode})
	}
	for i := range d.spec.InitContainers {
		c := &d.spec.InitContainers[i]
		all = append(all, payloadContainer{"initContainers", i, &c.Container, c.Placement, c.FromApp, c.Overriding, ""})
	}
	return all
}

// written returns a container as it was written, or nil if its list could not be decoded.
func (d *declaration) written(c payloadContainer) *node.Node {
	if entries := node.List(d.fields, c.list); c.index < len(entries) {
		return entries[c.index]
	}
	return nil
}

// isForPod reports whether this is a declaration for one pod, of which only the payload is checked, where it changed.
func (d *declaration) isForPod() bool { return d.before != nil }

// isChanged reports whether an entry of a payload list is to be checked.
func (d *declaration) isChanged(list string, index int) bool {
	return !d.isForPod() || node.List(d.fields, list)[index] != node.List(d.before, list)[index]
}

// checkAgain decodes and checks what changed in a declaration. It returns the errors, in the words of the caller; the
// warnings were reported when the config was read.
func (d *declaration) checkAgain(reword func(finding.Finding) finding.Finding) []finding.Finding {
	p := &schema.Problems{Positions: d.Positions, IsOfPod: true}
	decoder := &schema.Decoder{Problems: p, Version: d.spec.KubernetesVersion}
	spec := reflect.ValueOf(&d.spec).Elem()
	known := jsonfield.Of(spec.Type())
	for _, field := range schema.PayloadFields {
		value := node.Get(d.fields, field)
		typed := spec.FieldByIndex(known.Named(field).Index)
		switch {
		case value == node.Get(d.before, field):
		case typed.Kind() != reflect.Slice:
			decoder.Value(value, typed, schema.InSpec(field))
		default:
			typed.Set(reflect.AppendSlice(reflect.MakeSlice(typed.Type(), 0, typed.Len()), typed))
			for i, entry := range value.Content {
				if d.isChanged(field, i) {
					typed.Index(i).SetZero()
					decoder.Value(entry, typed.Index(i), schema.InSpec(field).Index(i))
				}
			}
		}
	}
	d.spec.Default()
	if !p.IsFull() {
		check(p, *d)
	}
	var findings []finding.Finding
	for _, f := range p.All() {
		if f.Severity == finding.Error {
			findings = append(findings, reword(f))
		}
	}
	return findings
}

// pathOf returns the path of a container.
func (d *declaration) pathOf(c payloadContainer) schema.Path {
	return schema.InSpec(c.list).Index(c.index)
}

// entries returns the entries of a payload list as they were written, without settings.
func (d *declaration) entries(list string) []Entry {
	var entries []Entry
	t := schema.SpecFields().Named(list).Type.Elem()
	for _, written := range node.List(d.fields, list) {
		body := d.withoutSettings(written, t)
		entries = append(entries, Entry{node.Text(body, "name"), body})
	}
	return entries
}

// withoutSettings returns a copy of an entry of a type as it goes into a pod, with the same variables.
func (d *declaration) withoutSettings(entry *node.Node, t reflect.Type) *node.Node {
	body := node.Fresh(entry)
	d.variables.AddCopy(entry, body)
	for _, field := range jsonfield.Of(t) {
		if schema.IsSetting(field) {
			node.Delete(body, field.Name)
		}
	}
	return body
}
