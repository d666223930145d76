package transformers

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/encode"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Get returns the node at a path in the pod template, for reading, or nil. A step into a list is the key by which
// Kubernetes tells its entries apart: Get("spec", "containers", "web", "ports", "8080/TCP"). Aliases and merge keys are
// resolved.
func (p *Pod) Get(path ...string) *yaml.Node {
	at, list := p.Node, ""
	for _, step := range path {
		if at != nil && at.Kind == yaml.SequenceNode {
			i := indexOfKey(at, list, step)
			if i < 0 {
				return nil
			}
			at = node.Resolve(at.Content[i])
		} else if at = node.Get(at, step); at == nil {
			return nil
		}
		list = step
	}
	return at
}

// Set sets the value at a path, as Get finds it, and adds missing mappings on the way. It does nothing if the value is
// there already. The value is a *yaml.Node, or a Go value that is written by its JSON tags, such as a string or a
// corev1.Container. Set reports an error if something on the way is no mapping, or if a list has no such entry.
func (p *Pod) Set(value any, path ...string) []finding.Finding {
	wanted, findings := p.encode(value, path)
	if len(findings) > 0 || node.Equal(p.Get(path...), wanted) {
		return findings
	}
	findings = p.set(wanted, path...)
	p.changed = p.changed || len(findings) == 0
	return findings
}

// Append adds an entry to the list at a path, as Get finds it, and adds the list and mappings on the way if they are
// missing. It does nothing if the list has an equal entry, and reports an error if it has a different one of the same key.
// The value is as for Set.
func (p *Pod) Append(value any, path ...string) []finding.Finding {
	entry, findings := p.encode(value, path)
	if len(findings) > 0 {
		return findings
	}
	name := path[len(path)-1]
	list := p.Get(path...)
	switch {
	case node.IsNull(list):
		findings = p.set(node.Sequence(entry), path...)
	case list.Kind != yaml.SequenceNode:
		return []finding.Finding{p.wrongKind(path, "a list", list)}
	default:
		if i := findKeyed(list.Content, entry, name); i >= 0 {
			return p.conflictsAt(path, list.Content[i], entry)
		}
		extended := node.Clone(list)
		node.Insert(extended, len(extended.Content), entry)
		findings = p.set(extended, path...)
	}
	if len(findings) > 0 {
		return findings
	}
	p.changed = true
	if len(path) == 2 && path[0] == "spec" {
		p.noteChange(name, entry)
	}
	return nil
}

// conflictCodes are the codes for an entry that a list has already, and that differs.
var conflictCodes = map[string]finding.Code{
	containers: finding.ContainerConflict, initContainers: finding.ContainerConflict, "volumes": finding.VolumeConflict,
	"env": finding.EnvConflict, "ports": finding.PortConflict, "volumeMounts": finding.MountConflict, "volumeDevices": finding.MountConflict,
}

// conflictsAt reports a different entry of the same key in the list at a path.
func (p *Pod) conflictsAt(path []string, present, wanted *yaml.Node) []finding.Finding {
	if node.Equal(present, wanted) {
		return nil
	}
	list := path[len(path)-1]
	code := conflictCodes[list]
	if code == "" {
		code = finding.InvalidItem
	}
	at := p.At(strings.Join(path, "."))
	f := newFinding(finding.Error, code, at,
		"%s already has a different entry %q; rename one of them", at, podtemplate.EntryKey(list, present))
	f.Field.Current, f.Field.Proposed = node.Brief(present), node.Brief(wanted)
	return []finding.Finding{f}
}

func (p *Pod) encode(value any, path []string) (*yaml.Node, []finding.Finding) {
	if len(path) == 0 {
		return nil, []finding.Finding{newFinding(finding.Error, finding.InvalidItem, p.Path, "there is no path to set a value at")}
	}
	switch value := value.(type) {
	case string:
		return node.String(value), nil
	case *yaml.Node:
		return node.Fresh(value), nil
	}
	n, err := encode.Node(value)
	if err != nil {
		at := p.At(strings.Join(path, "."))
		return nil, []finding.Finding{newFinding(finding.Error, finding.InvalidItem, at, "the value cannot be written: %v", err)}
	}
	return n, nil
}

// set sets the value at a path, and makes everything on the way safe to change. Values that are shared with the original
// are cloned, never changed.
func (p *Pod) set(value *yaml.Node, path ...string) []finding.Finding {
	at, list := p.Node, ""
	for i, step := range path {
		isLast := i == len(path)-1
		index := -1
		switch {
		case at.Kind == yaml.SequenceNode && podtemplate.IsKeyed(list):
			if index = indexOfKey(at, list, step); index < 0 {
				where := p.At(strings.Join(path[:i], "."))
				return []finding.Finding{newFinding(finding.Error, finding.InvalidItem, where, "%s has no entry %q", where, step)}
			}
		case at.Kind != yaml.MappingNode:
			return []finding.Finding{p.wrongKind(path[:i], "a mapping", at)}
		}
		switch {
		case isLast && index >= 0:
			at.Content[index] = value
		case isLast:
			if present := node.Get(at, step); !node.IsNull(present) && present.Kind != value.Kind && value.Kind == yaml.ScalarNode {
				return []finding.Finding{p.wrongKind(path, "a string", present)}
			}
			node.Set(at, step, value)
		case index >= 0:
			at = node.OwnEntry(at, index)
		default:
			at = ownMapping(at, step)
		}
		list = step
	}
	return nil
}

// ownMapping returns the value of a key, safe to change: a new mapping if there is none. Metadata comes first, as people
// write it.
func ownMapping(parent *yaml.Node, key string) *yaml.Node {
	value := node.Own(parent, key)
	if !node.IsNull(value) {
		return value
	}
	value = node.Mapping()
	if key == "metadata" {
		node.SetFirst(parent, key, value)
	} else {
		node.Set(parent, key, value)
	}
	return value
}

func (p *Pod) wrongKind(path []string, wanted string, present *yaml.Node) finding.Finding {
	at := p.At(strings.Join(path, "."))
	if len(path) == 3 && path[0] == "metadata" {
		at = p.At(strings.Join(path[:2], ".") + "[" + path[2] + "]") // keys of labels have dots
	}
	return newFinding(finding.Error, finding.InvalidItem, at, "%s must be %s, but is %s", at, wanted, node.Describe(present))
}

// indexOfKey returns the index of the entry of a key, or -1. Entries of lists without keys are found by their index.
func indexOfKey(list *yaml.Node, name, key string) int {
	if !podtemplate.IsKeyed(name) {
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(list.Content) {
			return i
		}
		return -1
	}
	return slices.IndexFunc(list.Content, func(entry *yaml.Node) bool { return podtemplate.EntryKey(name, entry) == key })
}
