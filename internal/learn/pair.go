package learn

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/variable"
	"pillion.dev/pillion/internal/learn/credential"
	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Pair is a pod template before and after something changed it.
type Pair struct {
	Object   finding.Object
	object   *node.Node // from before, in the namespace of after
	template pod.Template
	kind     pod.Kind
	subject  variable.Subject
	isPod    bool // after is a pod, which has more than its template

	before, after *node.Node // in normal form
	// entries are those of mappings and lists, by their keys: pods of strangers may have very many.
	entries map[*node.Node]map[string]*node.Node
}

// Matched are pairs, and how many objects belong to none.
type Matched struct {
	Pairs               []*Pair
	NotAfter, NotBefore int
	Broken              []finding.Finding // pods and workloads that cannot be compared
	hider               credential.Hider
	keepSecrets         bool
}

// candidate is an object of one side.
type candidate struct {
	live.Object
	creator   live.Creator
	kind      pod.Kind
	templates []pod.Template
}

// Match finds the pairs among objects. A pod belongs to its creator; everything else is found by kind, namespace and
// name. An object from before without a namespace matches those of all namespaces. Unless credentials are kept, nothing
// of what is returned has them.
func Match(before, after []*manifest.Item, keepSecrets bool) (Matched, error) {
	found := Matched{hider: credential.NewHider(), keepSecrets: keepSecrets}
	old, err := found.read(before, "before")
	if err != nil {
		return found, err
	}
	current, err := found.read(after, "after")
	if err != nil {
		return found, err
	}
	current = withoutCreators(current)
	byCreator := map[live.Creator]candidate{}
	for _, c := range slices.Backward(old) { // so that the first one of a name counts
		byCreator[key(c.creator, c.Namespace)] = c
	}
	matched := map[*node.Node]bool{}
	seen := map[[sha256.Size]byte]bool{}
	for _, c := range current {
		was, isFound := byCreator[key(c.creator, c.Namespace)]
		if !isFound {
			was, isFound = byCreator[key(c.creator, "")]
		}
		isFound = isFound && c.creator.Name != "" // and not only a generateName
		if !isFound && len(old) == 1 && len(current) == 1 {
			was = old[0]
			isFound = true
		}
		if !isFound {
			found.NotBefore++
			continue
		}
		matched[was.Node] = true
		for _, p := range newPairs(was, c) {
			text := fmt.Appendf(nil, "%s %s %s ", p.Object, p.Object.APIVersion, p.template.Path)
			sum := sha256.Sum256(node.AppendCanonical(text, p.after))
			if !seen[sum] { // most pods of a workload are the same
				seen[sum] = true
				found.Pairs = append(found.Pairs, p)
			}
		}
	}
	found.NotAfter = len(old) - len(matched)
	switch {
	case len(current) == 0:
		err = errors.New("all pods and workloads from after belong to objects that are not in the input; " +
			"add these objects to after")
	case len(found.Pairs) == 0:
		err = fmt.Errorf("none of the %d workloads from before is among those from after, which belong to %s, "+
			"for example; their kinds, namespaces and names must be the same", len(old), current[0].creator)
	}
	return found, err
}

// read returns the pods and workloads among the items of a side, and adds those that are broken.
func (m *Matched) read(items []*manifest.Item, side string) (found []candidate, err error) {
	creators, kinds := live.NewCreators(), pod.NewKinds()
	for _, item := range items {
		_, object, err := item.Parse()
		if err != nil && !manifest.IsKeyError(err) { // nothing is written here
			return nil, fmt.Errorf("%s: %w", finding.File{Path: item.File, Line: item.Line}, err)
		}
		o := live.NewObject(node.Fresh(object))
		creators.Add(o)
		reason, _ := live.Exempt(o.Node)
		if o.Kind == "Pod" && (reason == finding.MirrorPod || reason == finding.Terminating) {
			continue
		}
		kind, isKnown := kinds.Find(o.APIVersion, o.Kind)
		if !isKnown {
			continue
		}
		templates := kind.Templates(o.Node)
		if i := slices.IndexFunc(templates, func(t pod.Template) bool { return t.Broken != nil }); i >= 0 {
			m.Broken = append(m.Broken, finding.Finding{
				Severity: finding.Warning,
				Code:     finding.InvalidItem,
				Message:  "it is not compared: " + templates[i].Broken.Error(),
				Object:   &finding.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name},
			})
			continue
		}
		for _, t := range templates {
			if !m.keepSecrets {
				m.hider.Hide(t.Node)
			}
		}
		if len(templates) > 0 {
			found = append(found, candidate{Object: o, kind: kind, templates: templates})
		}
	}
	for i := range found { // when the creators of all are known
		c := &found[i]
		if c.creator = creators.Of(c.Object); c.Kind == "Pod" {
			_, template := live.Manifest(c.Object, c.creator, kinds)
			c.templates[0].Node = template
			replaceTemplate(c.Node, template)
		}
	}
	if len(found) == 0 {
		err = errors.New("there is no pod and no workload of a known kind in what is named as " + side)
	}
	return found, err
}

// replaceTemplate gives a pod the labels, the annotations and the spec of a template instead of its own.
func replaceTemplate(running, template *node.Node) {
	for _, field := range []string{"labels", "annotations"} {
		node.Delete(node.Get(running, "metadata"), field)
		if value := node.Get(template, "metadata", field); value != nil {
			set(running, value, "metadata", field)
		}
	}
	set(running, node.Get(template, "spec"), "spec")
}

// withoutCreators leaves out workloads whose pods are there, and what is between the two: webhooks change pods.
func withoutCreators(all []candidate) []candidate {
	hasPods := map[live.Creator]bool{}
	for _, c := range all {
		hasPods[c.creator] = hasPods[c.creator] || c.Kind == "Pod"
	}
	return slices.DeleteFunc(all, func(c candidate) bool {
		return c.Kind != "Pod" && (c.creator.Kind != c.Kind || hasPods[c.creator])
	})
}

// key returns a creator in a namespace, without the version, in which objects may differ.
func key(o live.Creator, namespace string) live.Creator {
	group, _ := pod.SplitVersion(o.APIVersion)
	return live.Creator{APIVersion: group, Kind: o.Kind, Namespace: namespace, Name: o.Name}
}

// newPairs returns the pod templates of two versions of an object. A pod is compared with the first template of its
// creator.
func newPairs(was, is candidate) (pairs []*Pair) {
	object, namespace := was.Node, cmp.Or(was.Namespace, is.Namespace)
	if namespace != was.Namespace {
		object = set(node.Clone(object), node.String(namespace), "metadata", "namespace")
	}
	for i, template := range was.templates[:min(len(was.templates), len(is.templates))] {
		p := &Pair{
			Object: finding.Object{APIVersion: was.APIVersion, Kind: was.Kind, Namespace: namespace, Name: was.Name},
			object: object, template: template, kind: was.kind, isPod: is.Kind == "Pod",
			subject: variable.Subject{
				Name: was.Name, Namespace: namespace, Kind: was.Kind,
				Labels:      node.Get(template.Node, "metadata", "labels"),
				Annotations: node.Get(template.Node, "metadata", "annotations"),
				Container:   injector.DefaultContainerValues(template.Node),
			},
			entries: map[*node.Node]map[string]*node.Node{},
		}
		p.before, p.after = p.normal(template.Node), p.normal(is.templates[i].Node)
		pairs = append(pairs, p)
	}
	return pairs
}

// at returns what one of the pair's templates has at a path of a difference, or nil.
func (p *Pair) at(n *node.Node, path ...string) *node.Node {
	row := pod.Of()
	for _, step := range path {
		n = p.entriesOf(n, row)[step]
		row = row.Child(step)
	}
	return n
}

// entriesOf returns the values in a mapping or a list of one of the pair's templates, which may be nil, by their keys.
func (p *Pair) entriesOf(of *node.Node, row *pod.Row) map[string]*node.Node {
	if of != nil && p.entries[of] == nil {
		_, p.entries[of] = childrenOf(of, row)
	}
	return p.entries[of]
}
