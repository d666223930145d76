package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/internal/work/parallel"
)

// Run audits the pods among the items of one or more streams. Only a few pods at a time are in memory as nodes. An item
// that cannot be read is a warning, and the others are audited. The error means that the context has ended.
func Run(ctx context.Context, config engine.Config, items []*manifest.Item) (Audit, error) {
	r := run{auditor: newAuditor(config), items: items, findings: map[int]finding.Finding{}}
	pods := r.readOthers()
	var found Audit
	for some := range chunks(pods, func(i int) int { return len(items[i].Text) }) {
		rows, err := r.audit(ctx, some)
		if err != nil {
			return Audit{}, err
		}
		found.Rows = append(found.Rows, rows...)
	}
	NoteMovedTags(found.Rows)
	found.Groups = r.auditor.Groups(ctx, found.Rows)
	for _, i := range slices.Sorted(maps.Keys(r.findings)) {
		found.Findings = append(found.Findings, r.findings[i])
	}
	found.Findings = append(found.Findings, r.unknownNamespaces(found.Rows)...)
	return found, ctx.Err()
}

// run is an audit of items.
type run struct {
	auditor  *Auditor
	items    []*manifest.Item
	findings map[int]finding.Finding // by the index of the item
}

// readOthers reads the objects that are not pods, if they matter to pods. It returns the indexes of the pods.
func (r *run) readOthers() (pods []int) {
	for i, item := range r.items {
		switch {
		case item.Broken != nil:
			r.findings[i] = unreadable(item, item.Broken)
		case item.Kind == "" || item.APIVersion == "": // it may be a pod
			r.findings[i] = unreadable(item, errors.New("it has no apiVersion or no kind"))
		case item.APIVersion == "v1" && item.Kind == "Pod":
			pods = append(pods, i)
		case r.matters(item):
			r.readOther(i)
		}
	}
	return pods
}

// matters reports whether an item that is not a pod may show something about pods.
func (r *run) matters(item *manifest.Item) bool {
	_, isWorkload := r.auditor.kinds.Find(item.APIVersion, item.Kind)
	return isWorkload || item.Kind == "Namespace" || bytes.Contains(item.Text, []byte("ownerReferences"))
}

func (r *run) readOther(i int) {
	arena := yamlread.Borrow()
	defer arena.Return()
	object, err := parseObject(r.items[i], arena)
	if err == nil {
		read := func() (*node.Node, error) { return parseObject(r.items[i], new(yamlread.Arena)) }
		err = r.auditor.learn(live.NewObject(object), workload{bytes: len(r.items[i].Text), read: read})
	}
	if err != nil {
		r.findings[i] = unreadable(r.items[i], err)
	}
}

// audit returns the states of the pods with some indexes, in their order.
func (r *run) audit(ctx context.Context, indexes []int) ([]Row, error) {
	objects, errs := make([]live.Object, len(indexes)), make([]error, len(indexes))
	arenas := make([]*yamlread.Arena, len(indexes))
	parallel.Do(ctx, len(indexes), func(i int) {
		arenas[i] = yamlread.Borrow()
		object, err := parseObject(r.items[indexes[i]], arenas[i])
		objects[i], errs[i] = live.NewObject(object), err
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var pods []live.Object
	for i, index := range indexes {
		if errs[i] != nil {
			r.findings[index] = unreadable(r.items[index], errs[i])
		} else {
			pods = append(pods, objects[i])
		}
	}
	rows, err := r.auditor.Pods(ctx, pods)
	for _, arena := range arenas { // rows share no memory with the pods
		arena.Return()
	}
	return rows, err
}

// parseObject parses an item, with the memory of an arena. In a PodList, an object has the kind of the list.
func parseObject(item *manifest.Item, arena *yamlread.Arena) (*node.Node, error) {
	_, object, err := item.ParseIn(arena)
	if err == nil && node.Get(object, "kind") == nil {
		node.SetFirst(object, "kind", node.String(item.Kind))
		node.SetFirst(object, "apiVersion", node.String(item.APIVersion))
	}
	return object, err
}

// unknownNamespaces warns once for each injector that selects by labels of namespaces which are not in the input.
func (r *run) unknownNamespaces(rows []Row) []finding.Finding {
	pods := map[string]int{}
	for i := range rows {
		if rows[i].Reason == finding.NamespaceLabelsUnknown {
			pods[rows[i].Injector]++
		}
	}
	var findings []finding.Finding
	for _, in := range r.auditor.config.Injectors() {
		if n := pods[in.Name]; n > 0 {
			findings = append(findings, finding.Finding{
				Severity: finding.Warning, Code: finding.NamespaceLabelsUnknown, Injector: in.Name,
				Message: fmt.Sprintf("%s skipped, because the labels of namespaces are not known; add the namespaces to the input, "+
					"as kubectl get namespaces,pods -A -o json does", spelling.Plural(n, "pod")+" "+agree(n, "is", "are")),
			})
		}
	}
	return findings
}

// unreadable reports an item that cannot be audited.
func unreadable(item *manifest.Item, err error) finding.Finding {
	f := finding.Finding{
		Severity: finding.Warning, Code: finding.InvalidItem, Message: err.Error() + "; it is not audited",
		Object: &finding.Object{APIVersion: item.APIVersion, Kind: item.Kind, Name: item.Name},
	}
	if item.Kind == "" && f.Object.Name == "" {
		f.Object = nil
	}
	if item.File != "" {
		f.File = &finding.File{Path: item.File, Index: item.Index, Line: item.Line}
	}
	return f
}
