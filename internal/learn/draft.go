package learn

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/learn/credential"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/encode"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// draft is an injector that is being learned.
type draft struct {
	name, rests string // and on what it rests
	spec        *node.Node
	entries     map[string]*node.Node // of appContainers and patchPodMetadata, by what is set in them first
}

// encoded returns a value of the API, none of which fails to be encoded.
func encoded(value any) *node.Node {
	n, _ := encode.Node(value)
	return n
}

// set sets a field of a mapping, by its path, and returns the mapping.
func set(m, value *node.Node, path ...string) *node.Node {
	for at := m; ; path = path[1:] {
		if len(path) == 1 {
			node.Set(at, path[0], value)
			return m
		}
		at = node.OwnMapping(at, path[0])
	}
}

// appendTo adds an entry to a list of a mapping, by its path.
func appendTo(m, entry *node.Node, path ...string) {
	list := node.Get(m, path...)
	if list == nil {
		list = node.Sequence()
		set(m, list, path...)
	}
	list.Content = append(list.Content, entry)
}

// add adds an addition to the injector, if there is a value for all pods.
func (d *draft) add(a *addition) {
	switch {
	case a.isContainer():
		d.container(a)
	case isInApp(a.path):
		d.inApp(a)
	case a.path[0] == "metadata":
		d.metadata(a)
	default:
		d.field(a)
	}
}

// field sets a field of the pod spec, or adds an entry to a list of it.
func (d *draft) field(a *addition) {
	parent, steps := d.spec, a.path[1:]
	isVolume := steps[0] == "volumes"
	value := generaliser{isWhole: true, isNeeded: isVolume}.of(a)
	if value == nil {
		return
	}
	if !isVolume && steps[0] != "imagePullSecrets" {
		parent = node.OwnMapping(parent, "podSpec")
	}
	if list := len(steps) - 1; pod.Element(typeAt(a.path[:list+1])) != nil {
		appendTo(parent, value, steps[:list]...)
	} else {
		set(parent, value, steps...)
	}
}

// typeAt returns the type at a path of a pod template, or nil.
func typeAt(path []string) reflect.Type {
	t := reflect.TypeFor[corev1.PodTemplateSpec]()
	for _, step := range path {
		if element := pod.Element(t); element != nil {
			t = element
		} else {
			t = pod.Type(t, step)
		}
	}
	return t
}

func (d *draft) container(a *addition) {
	list := a.path[1]
	isNative := pod.IsNative(list, a.samples[0].value)
	value := generaliser{}.of(a)
	switch {
	case value == nil:
		return
	case isNative:
		list = pod.Main
		node.Delete(value, "restartPolicy")
	case list == pod.Main:
		node.Set(value, "mode", encoded(v1alpha1.ModeContainer))
	}
	switch at := a.neighbours(); {
	case at.isFirst && isNative, at.isLast && !isNative && (!at.isFirst || !at.leadsNative): // the default
	case at.isFirst:
		node.Set(value, "podInjectPolicy", encoded(v1alpha1.BeforeAppContainer))
	case at.isLast:
		node.Set(value, "podInjectPolicy", encoded(v1alpha1.AfterAppContainer))
	case at.after != "":
		node.Set(value, "after", node.String(at.after))
	case at.before != "":
		node.Set(value, "before", node.String(at.before))
	}
	appendTo(d.spec, value, list)
}

// entry returns the entry of a list of the spec that begins with the same fields, or adds it.
func (d *draft) entry(list string, first any) *node.Node {
	fields := encoded(first)
	key := list + string(node.AppendCanonical(nil, fields))
	if d.entries[key] == nil {
		d.entries[key] = fields
		appendTo(d.spec, fields, list)
	}
	return d.entries[key]
}

func (d *draft) metadata(a *addition) {
	value := generaliser{}.of(a)
	if value == nil {
		return
	}
	var patch v1alpha1.PodMetadataPatch
	if slices.ContainsFunc(a.samples, func(s sample) bool { return s.replaced != nil }) {
		patch.PatchPolicy = v1alpha1.PatchOverwrite
	}
	set(d.entry("patchPodMetadata", patch), value, a.path[1], a.key())
}

// inApp adds what containers of the app get.
func (d *draft) inApp(a *addition) {
	field := a.path[3]
	value := a.joined(generaliser{isWhole: true})
	if value == nil {
		d.inAppByName(a)
		return
	}
	containers, includeInit, isKept := a.receivers()
	if isKept && field == "volumeMounts" { // by default, the pod would be refused
		set(d.spec, encoded(v1alpha1.ConflictKeep), "onConflict", "mountPath")
	}
	entry := v1alpha1.AppContainers{Containers: containers, IncludeInit: includeInit}
	if at := a.neighbours(); field == "env" && at.isLast && !at.isFirst {
		entry.EnvPosition = v1alpha1.EnvAppend
	}
	appendTo(d.entry("appContainers", entry), value, field)
}

// inAppByName adds what differs from container to container, if it is the same in those of a name.
func (d *draft) inAppByName(a *addition) {
	const most = 50 // names that people review
	byName := map[string][]sample{}
	for _, s := range a.samples {
		name := node.Text(s.container, "name")
		byName[name] = append(byName[name], s)
	}
	if len(byName) == 1 || len(byName) > most {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		d.inApp(&addition{a.path, byName[name]})
	}
}

// joined returns the value of an addition, with the separator by which it is joined to the app's. It is nil if it
// replaces that.
func (a *addition) joined(g generaliser) *node.Node {
	const separators = " :;,"
	parts, join, order := &addition{a.path, slices.Clone(a.samples)}, "", ""
	for i, s := range parts.samples {
		old, value := node.Text(s.replaced, "value"), node.Text(s.value, "value")
		behind, isBefore := strings.CutPrefix(value, old)
		front, isAfter := strings.CutSuffix(value, old)
		switch {
		case s.replaced == nil:
			continue
		case isBefore && len(behind) > 1 && strings.Contains(separators, behind[:1]):
			join, order, value = behind[:1], "", behind[1:]
		case isAfter && len(front) > 1 && strings.Contains(separators, front[len(front)-1:]):
			join, order, value = front[len(front)-1:], string(v1alpha1.JoinBefore), front[:len(front)-1]
		default:
			return nil
		}
		parts.samples[i].value = node.Mapping(node.String("name"), node.Get(s.value, "name"), node.String("value"), node.String(value))
	}
	value := g.of(parts)
	for field, text := range map[string]string{"join": join, "joinOrder": order} {
		if value != nil && text != "" {
			set(value, node.String(text), field)
		}
	}
	return value
}

// hiddenIn returns a finding for each credential that was replaced in what was learned.
func (d *draft) hiddenIn(n *node.Node, path string) (findings []finding.Finding) {
	for i, child := range n.Content {
		at := fmt.Sprintf("%s[%d]", path, i)
		if n.Kind == node.MappingNode { // of a key, and of its value
			at = path + "." + n.Content[i-i%2].Value
		}
		findings = append(findings, d.hiddenIn(child, at)...)
	}
	if credential.IsHidden(n.Value) {
		findings = append(findings, finding.Finding{
			Severity: finding.Warning, Code: finding.CredentialHidden, Injector: d.name, Field: &finding.Field{Path: path},
			Message: path + " looks like a credential and was replaced by a placeholder; keep it in a Secret and refer to that with " +
				"valueFrom.secretKeyRef, or use --keep-secrets",
		})
	}
	return findings
}
