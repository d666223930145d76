package audit

import (
	"cmp"
	"context"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/live"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Auditor audits pods of a cluster, of which it knows other objects.
type Auditor struct {
	config     engine.Config // that audits
	kinds      podtemplate.Kinds
	owners     live.Owners
	namespaces map[string]engine.Source // by name
}

// New returns an auditor. Objects that are not pods tell of the pods' owners and of namespaces.
func New(config engine.Config, objects []live.Object) (*Auditor, error) {
	a := newAuditor(config)
	for _, object := range objects {
		if err := a.learn(object); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func newAuditor(config engine.Config) *Auditor {
	config = config.Auditing()
	return &Auditor{config: config, kinds: kindsOf(config), owners: live.NewOwners(nil), namespaces: map[string]engine.Source{}}
}

// learn adds what an object that is not a pod tells of pods. It keeps no memory of the object.
func (a *Auditor) learn(object live.Object) error {
	a.owners.Add(object)
	if object.APIVersion != "v1" || object.Kind != "Namespace" {
		return nil
	}
	metadata := node.Mapping()
	for _, field := range []string{"name", "labels", "annotations"} {
		if value := node.Get(object.Node, "metadata", field); value != nil {
			node.Set(metadata, field, value)
		}
	}
	text, err := encode(node.Mapping(
		node.String("apiVersion"), node.String("v1"), node.String("kind"), node.String("Namespace"), node.String("metadata"), metadata,
	))
	a.namespaces[interned(object.Name)] = engine.Source{Text: text}
	return err
}

// kindsOf returns the kinds of workloads that manifests of pods may have.
func kindsOf(config engine.Config) podtemplate.Kinds {
	var declared [][]v1alpha1.Workload
	for _, in := range config.Injectors() {
		declared = append(declared, in.Spec.Workloads)
	}
	return podtemplate.NewKinds(declared...)
}

// chunk is how many pods are audited at a time, which bounds the memory.
const chunk = 500

// Pods returns the states of pods, in their order, on all cores. A pod that cannot be read is refused. The error means that the context
// has ended.
func (a *Auditor) Pods(ctx context.Context, pods []live.Object) ([]Row, error) {
	if len(a.config.Injectors()) == 0 {
		return nil, ctx.Err()
	}
	rows := make([]Row, 0, len(pods)*len(a.config.Injectors()))
	for some := range slices.Chunk(pods, chunk) {
		found, err := a.audit(ctx, some)
		if err != nil {
			return nil, err
		}
		rows = append(rows, found...)
	}
	return rows, nil
}

// audit returns the states of a few pods, in their order.
func (a *Auditor) audit(ctx context.Context, pods []live.Object) ([]Row, error) {
	subjects := make([]*subject, len(pods))
	inParallel(ctx, len(pods), func(i int) { subjects[i] = a.newSubject(pods[i]) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := a.inject(ctx, subjects); err != nil {
		return nil, err
	}
	found := make([][]Row, len(pods))
	inParallel(ctx, len(pods), func(i int) { found[i] = subjects[i].rows() })
	return slices.Concat(found...), ctx.Err()
}

// inject gives the subjects what an injection into their manifests does. The engine refuses all sources if it cannot read one of them, so
// after a failure each is tried on its own.
func (a *Auditor) inject(ctx context.Context, subjects []*subject) error {
	var readable []*subject
	var sources []engine.Source // a source has the index of its subject
	for _, s := range subjects {
		if s.problem == "" {
			readable, sources = append(readable, s), append(sources, engine.Source{Text: s.text})
		}
	}
	result, err := engine.Apply(ctx, a.config, append(sources, a.namespacesOf(readable)...)...)
	if err != nil {
		return err
	}
	for i := range result.Run.Workloads {
		if w := &result.Run.Workloads[i]; w.Index < len(readable) { // the config may take namespaces for workloads
			readable[w.Index].workload, readable[w.Index].injected = w, result.Texts[w.Index]
		}
	}
	return a.injectAgain(ctx, readable, result.Run.General)
}

// injectAgain injects into each of the manifests that nothing was done with on its own, or reports why that is impossible for a single one.
func (a *Auditor) injectAgain(ctx context.Context, subjects []*subject, findings []finding.Finding) error {
	for i, s := range subjects {
		switch {
		case s.workload != nil:
		case len(subjects) == 1:
			s.problem = cmp.Or(messageOf(findings), "the pod cannot be read")
		default:
			if err := a.inject(ctx, subjects[i:i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// namespacesOf returns the namespaces of subjects, as far as they are known.
func (a *Auditor) namespacesOf(subjects []*subject) []engine.Source {
	var sources []engine.Source
	seen := map[string]bool{}
	for _, s := range subjects {
		name := s.pod.Namespace
		if source, isKnown := a.namespaces[name]; isKnown && !seen[name] {
			sources = append(sources, source)
			seen[name] = true
		}
	}
	return sources
}
