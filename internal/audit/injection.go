package audit

import (
	"cmp"
	"context"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/internal/work/parallel"
)

// injection is what the engine does to a manifest. Most pods of a workload come from the same.
type injection struct {
	manifest  []byte
	namespace string

	isDone   bool
	outcomes []*outcome.Outcome // by injector
	wanted   *node.Node         // the pod template with everything that is declared, and its stamps; nil if the manifest has it
	stamps   map[string]*stamp.Stamp
	problem  string // why there are no outcomes

	declared pod.Declared // the names of objects, and those of the app
}

// inject gives the subjects their injections.
func (a *Auditor) inject(ctx context.Context, subjects []*subject) error {
	known := map[string]*injection{}
	var all []*injection
	for _, s := range subjects {
		if s.injection != nil { // it has a problem
			continue
		}
		s.injection = known[string(s.manifest)]
		if s.injection == nil {
			s.injection = &injection{manifest: s.manifest, namespace: s.pod.Namespace}
			known[string(s.manifest)] = s.injection
			all = append(all, s.injection)
		}
	}
	return a.injectInto(ctx, all)
}

// injectInto runs the engine on manifests. It refuses all of them if it cannot read one, so then each is tried on its
// own.
func (a *Auditor) injectInto(ctx context.Context, all []*injection) error {
	if len(all) == 0 {
		return ctx.Err()
	}
	sources := make([]finding.Source, len(all), 2*len(all)) // a source has the index of its injection
	for i, in := range all {
		sources[i].Text = in.manifest
	}
	result, err := engine.Apply(ctx, a.config, append(sources, a.namespacesOf(all)...)...)
	if err != nil {
		return err
	}
	parallel.Do(ctx, len(result.Run.Workloads), func(i int) {
		if w := result.Run.Workloads[i]; w.Index < len(all) { // the config may take namespaces for workloads
			all[w.Index].finish(w, result.Texts[w.Index], a.kinds)
		}
	})
	for i, in := range all {
		switch {
		case in.isDone:
		case len(all) == 1:
			in.problem = cmp.Or(messageOf(result.Run.General), "the pod cannot be read")
		default:
			if err := a.injectInto(ctx, all[i:i+1]); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// namespacesOf returns the namespaces of manifests, as far as they are known.
func (a *Auditor) namespacesOf(all []*injection) []finding.Source {
	var sources []finding.Source
	seen := map[string]bool{}
	for _, in := range all {
		if source, isKnown := a.namespaces[in.namespace]; isKnown && !seen[in.namespace] {
			sources = append(sources, source)
			seen[in.namespace] = true
		}
	}
	return sources
}

// finish records what became of the manifest, given its new text, which is nil if nothing changes.
func (in *injection) finish(w *outcome.Workload, text []byte, kinds pod.Kinds) {
	in.isDone, in.outcomes = true, w.Outcomes
	if len(w.Outcomes) == 0 {
		in.problem = cmp.Or(messageOf(w.General), "it has no pod template")
	}
	if text == nil || in.problem != "" {
		return
	}
	document, err := yamlread.Document(text)
	if err != nil {
		in.problem = "the injected pod cannot be read: " + err.Error()
		return
	}
	object := document.Content[0]
	kind, _ := kinds.Find(node.Text(object, "apiVersion"), node.Text(object, "kind"))
	in.wanted = kind.Templates(object)[0].Node
	in.stamps, _ = stamp.Read(in.wanted)
	in.declared = pod.Declared{}
	in.declared.Add(pod.Of("spec"), node.Get(in.wanted, "spec"))
}

// messageOf returns the message of the first error, or of the first finding if there is none.
func messageOf(findings []finding.Finding) string {
	for _, f := range findings {
		if f.Severity == finding.Error {
			return f.Message
		}
	}
	for _, f := range findings {
		return f.Message
	}
	return ""
}
