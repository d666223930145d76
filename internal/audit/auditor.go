package audit

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/parallel"
)

// Auditor audits the pods of a cluster, given other objects of it. It is safe for concurrent use.
type Auditor struct {
	config     engine.Config // that audits
	kinds      pod.Kinds
	creators   live.Creators
	namespaces map[string]finding.Source   // by name
	workloads  map[live.Creator]workload   // those with pod templates, ReplicaSets and Jobs included
	labels     map[live.Creator]*node.Node // and annotations of workloads, if injectors select by them
	selections func() []*selection.Selection
}

// New returns an auditor. Objects that are not pods show who owns pods, which templates the owners have, and which
// labels namespaces have. The nodes of objects with pod templates are kept and must not change.
func New(config engine.Config, objects []live.Object) (*Auditor, error) {
	a := newAuditor(config)
	for _, object := range objects {
		if err := a.learn(object, workload{read: func() (*node.Node, error) { return object.Node, nil }}); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func newAuditor(config engine.Config) *Auditor {
	config = config.Auditing()
	a := &Auditor{
		config: config, kinds: kindsOf(config), creators: live.NewCreators(),
		namespaces: map[string]finding.Source{}, workloads: map[live.Creator]workload{}, labels: map[live.Creator]*node.Node{},
	}
	a.selections = sync.OnceValue(a.newSelections) // when all namespaces are known
	return a
}

// learn adds what an object that is not a pod shows about pods. It keeps no memory of the object, which it can read
// again as a workload.
func (a *Auditor) learn(object live.Object, as workload) error {
	a.creators.Add(object)
	if kind, isWorkload := a.kinds.Find(object.APIVersion, object.Kind); isWorkload {
		name := live.Creator{APIVersion: object.APIVersion, Kind: object.Kind, Namespace: object.Namespace, Name: object.Name}.Interned()
		as.object = live.Object{APIVersion: name.APIVersion, Kind: name.Kind, Namespace: name.Namespace, Name: name.Name}
		as.containers = containersOf(object, kind)
		a.workloads[name] = as
		a.learnLabels(name, kind, object.Node)
	}
	if object.APIVersion != "v1" || object.Kind != "Namespace" {
		return nil
	}
	metadata := fieldsOf(node.Get(object.Node, "metadata"), "name", "labels", "annotations")
	text, err := manifest.JSON(node.Mapping(
		node.String("apiVersion"), node.String("v1"), node.String("kind"), node.String("Namespace"), node.String("metadata"), metadata,
	))
	if err != nil {
		return err
	}
	if known, isKnown := a.namespaces[object.Name]; isKnown && !bytes.Equal(known.Text, text) {
		return errAnotherNamespace
	}
	a.namespaces[interned(object.Name)] = finding.Source{Text: text}
	return nil
}

// A cluster has each Namespace once. A second one must not decide silently which pods are selected.
var errAnotherNamespace = errors.New("the input has another Namespace of this name, with different labels or annotations; " +
	"pass the objects of one cluster")

// kindsOf returns the kinds of workloads that manifests of pods may have.
func kindsOf(config engine.Config) pod.Kinds {
	var declared [][]v1alpha1.Workload
	for _, in := range config.Injectors() {
		declared = append(declared, in.Spec.Workloads)
	}
	return pod.NewKinds(declared...).AsTemplates()
}

// Pods returns the states of pods, in their order, on all cores. A pod that cannot be read is refused. The error means
// that the context has ended.
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
	parallel.Do(ctx, len(pods), func(i int) { subjects[i] = a.newSubject(pods[i], a.creators.Of(pods[i]), false) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := a.inject(ctx, subjects); err != nil {
		return nil, err
	}
	found := make([][]Row, len(pods))
	parallel.Do(ctx, len(pods), func(i int) { found[i] = subjects[i].rows() })
	return slices.Concat(found...), ctx.Err()
}
