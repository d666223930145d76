package learn

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/live"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// Pair is a pod template before and after something changed it.
type Pair struct {
	Object   finding.Object
	path     string     // of the pod template in the object
	object   *node.Node // from before, in the namespace of after
	resource string     // such as deployments
	subject  variable.Subject

	before, after *node.Node // in normal form
}

// Matched are pairs, and how many objects belong to none.
type Matched struct {
	Pairs               []*Pair
	NotAfter, NotBefore int
	Broken              []finding.Finding // pods and workloads that cannot be compared
}

// candidate is an object of one side.
type candidate struct {
	live.Object
	owner     live.Owner
	kind      pod.Kind
	templates []pod.Template
	isOwned   bool
}

// Match finds the pairs among objects. A pod belongs to its owner; everything else is found by kind, namespace and name. An object without
// a namespace matches those of all namespaces.
func Match(before, after []manifest.Item) (Matched, error) {
	kinds := pod.NewKinds()
	old, brokenBefore, err := read(before, kinds)
	if err != nil {
		return Matched{}, err
	}
	current, brokenAfter, err := read(after, kinds)
	if err != nil {
		return Matched{}, err
	}
	found := Matched{Broken: append(brokenBefore, brokenAfter...)}
	const none = "there is no pod and no workload of a known kind in what is named as "
	switch {
	case len(old) == 0:
		return found, errors.New(none + "before")
	case len(current) == 0:
		return found, errors.New(none + "after")
	}
	current = withoutOwners(current)
	byName := map[live.Owner][]candidate{}
	for _, c := range old {
		byName[keyOf(c.owner)] = append(byName[keyOf(c.owner)], c)
	}
	matched, seen := map[*node.Node]bool{}, map[string]bool{}
	for _, c := range current {
		was, isFound := inNamespace(byName[keyOf(c.owner)], c.owner.Namespace)
		isFound = isFound && c.owner.Name != "" // and not only a generateName
		if !isFound && len(old) == 1 && len(current) == 1 {
			was, isFound = old[0], true
		}
		if !isFound {
			found.NotBefore++
			continue
		}
		matched[was.Node] = true
		for _, p := range newPairs(was, c) {
			if key := p.key(); !seen[key] { // most pods of a workload are the same
				seen[key] = true
				found.Pairs = append(found.Pairs, p)
			}
		}
	}
	found.NotAfter = len(old) - len(matched)
	if len(found.Pairs) == 0 {
		err = fmt.Errorf("none of the %d workloads from before is among those from after, which belong to %s, for example; "+
			"their kinds, namespaces and names must be the same", len(old), current[0].owner)
	}
	return found, err
}

// read returns the pods and workloads among items.
func read(items []manifest.Item, kinds pod.Kinds) (found []candidate, broken []finding.Finding, err error) {
	owners := live.NewOwners()
	for _, item := range items {
		_, object, err := item.Parse()
		if err != nil && !manifest.IsKeyError(err) { // nothing is written here
			return nil, nil, fmt.Errorf("%s: %w", finding.File{Path: item.File, Line: item.Line}, err)
		}
		o := live.NewObject(object)
		owners.Add(o)
		if reason, _ := live.Exempt(object); o.Kind == "Pod" && (reason == finding.MirrorPod || reason == finding.Terminating) {
			continue
		}
		kind, isKnown := kinds.Find(o.APIVersion, o.Kind)
		if !isKnown {
			continue
		}
		templates := kind.Templates(object)
		if i := slices.IndexFunc(templates, func(t pod.Template) bool { return t.Broken != nil }); i >= 0 {
			broken = append(broken, finding.Finding{
				Severity: finding.Warning, Code: finding.InvalidItem, Message: "it is not compared: " + templates[i].Broken.Error(),
				Object: &finding.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name},
			})
		} else if len(templates) > 0 {
			found = append(found, candidate{Object: o, kind: kind, templates: templates})
		}
	}
	for i := range found { // when the owners of all are known
		c := &found[i]
		c.owner = owners.Of(c.Object)
		if _, c.isOwned = live.CreatorOf(c.Object); c.Kind == "Pod" {
			_, c.templates[0].Node = live.Manifest(c.Object, c.owner, kinds)
		}
	}
	return found, broken, nil
}

// withoutOwners leaves out workloads whose pods are there, and what is between the two: webhooks change pods.
func withoutOwners(all []candidate) []candidate {
	hasPods := map[live.Owner]bool{}
	for _, c := range all {
		if c.Kind == "Pod" && c.isOwned {
			hasPods[c.owner] = true
		}
	}
	return slices.DeleteFunc(all, func(c candidate) bool { return c.Kind != "Pod" && (c.isOwned || hasPods[c.owner]) })
}

// keyOf returns an owner without what may differ between versions of an object.
func keyOf(o live.Owner) live.Owner {
	group, _ := pod.SplitVersion(o.APIVersion)
	return live.Owner{APIVersion: group, Kind: o.Kind, Name: o.Name}
}

// inNamespace returns the object of a namespace, or else one without.
func inNamespace(all []candidate, namespace string) (candidate, bool) {
	for _, name := range []string{namespace, ""} {
		if i := slices.IndexFunc(all, func(c candidate) bool { return c.Namespace == name }); i >= 0 {
			return all[i], true
		}
	}
	if namespace == "" && len(all) == 1 {
		return all[0], true
	}
	return candidate{}, false
}

// newPairs returns the pod templates of two versions of an object. A pod is compared with the first template of its owner.
func newPairs(was, is candidate) (pairs []*Pair) {
	object, namespace := was.Node, cmp.Or(was.Namespace, is.Namespace)
	if namespace != was.Namespace {
		object = set(node.Clone(object), node.String(namespace), "metadata", "namespace")
	}
	for i, template := range was.templates[:min(len(was.templates), len(is.templates))] {
		p := &Pair{
			Object: finding.Object{APIVersion: was.APIVersion, Kind: was.Kind, Namespace: namespace, Name: was.Name},
			path:   template.Path, object: object, resource: was.kind.Resource,
			before: normal(template.Node), after: normal(is.templates[i].Node),
		}
		if is.Kind == "Pod" {
			createdByController(p.after, p.before, was.Kind, pod.ClaimTemplates(was.Node))
		}
		p.subject = variable.Subject{
			Name: was.Name, Namespace: namespace, Kind: was.Kind,
			Labels: node.Get(template.Node, "metadata", "labels"), Annotations: node.Get(template.Node, "metadata", "annotations"),
			Container: injector.ContainerValues(defaultContainer(template.Node)),
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// defaultContainerKey is the annotation that names the container that kubectl takes if none is named.
const defaultContainerKey = "kubectl.kubernetes.io/default-container"

// defaultContainer returns the container that kubectl takes if none is named, or nil.
func defaultContainer(template *node.Node) *node.Node {
	all := node.List(template, "spec", pod.Main)
	named := node.Text(template, "metadata", "annotations", defaultContainerKey)
	for _, c := range all {
		if node.Text(c, "name") == named {
			return c
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// key distinguishes the pair from others that are not the same.
func (p *Pair) key() string {
	text := fmt.Appendf(nil, "%s %s %s ", p.Object, p.Object.APIVersion, p.path)
	sum := sha256.Sum256(node.AppendCanonical(text, p.after))
	return string(sum[:])
}

// names returns the names of the containers of a template.
func names(template *node.Node) (all []string) {
	for _, c := range pod.Containers(node.Get(template, "spec")) {
		all = append(all, node.Text(c, "name"))
	}
	return all
}
