package engine

import (
	"slices"
	"sync"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/check"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/splice"
	"pillion.dev/pillion/internal/work/meter"
)

// run is what all items of a run have in common. It does not change while they are processed.
type run struct {
	Config
	readyInjectors     []*runInjector          // none after a failure
	failure            *finding.Finding        // why all workloads are left as they are; nil if there was no error
	outcomes           outcomeSets             // of the ready injectors
	injectorByStampKey map[string]*runInjector // by the keys of their stamps
	surroundings       selection.Surroundings
	kinds              pods.Kinds
	meter              *meter.Meter
	workloads          *sync.Pool            // workloads that were processed, for their memory
	shown              map[*node.Node]string // what the ready injectors add to lists in all pods, as changes show it
	shared             *splice.Shared        // the same as it is written
	valid              check.Valid           // their containers
	injected           map[string]bool       // see injectedNames, if all select a pod; nil if it differs from pod to pod
	refersToApp        bool                  // whether payloads differ from pod to pod because of the app's containers
	namesOthers        bool                  // whether payloads name other objects
	releases           bool                  // whether HelmReleases are patched
}

// runInjector is one injector of a run, ready for use.
type runInjector struct {
	index     int // among the injectors of the run, and so among the outcomes of a workload
	injector  *injector.Injector
	selection *selection.Selection
	plan      *injector.Plan         // what it does to a pod
	release   *injector.Plan         // what it does to a HelmRelease
	webhooks  []check.WebhookSidecar // those that inject the same sidecars
	key       string                 // the annotation of its stamps
	hashes    stamp.Hashes           // of what it adds to lists of the pod spec, unless that differs from pod to pod
	namesVary bool                   // whether names of objects in the payload have variables
	podSecurity
}

func (m *runInjector) removes() bool { return m.injector.Spec.Action == v1alpha1.Remove }

// prepare reads the surroundings of the workloads from the items that decide about others, which may be among more, and
// makes the injectors ready.
func prepare(items []*manifest.Item, config Config) (*run, []finding.Finding) {
	surroundings, findings := observe(items)
	surroundings.Injectors = make(map[string]bool, len(config.injectors))
	for _, in := range config.injectors {
		surroundings.Injectors[in.Name] = true
	}
	r := &run{
		Config: config, injectorByStampKey: map[string]*runInjector{}, surroundings: surroundings,
		refersToApp: slices.ContainsFunc(config.injectors, (*injector.Injector).RefersToApp),
		namesOthers: slices.ContainsFunc(config.injectors, func(in *injector.Injector) bool { return len(in.References()) > 0 }),
		workloads:   &sync.Pool{New: func() any { return new(workload) }},
		shown:       map[*node.Node]string{},
		valid:       check.Valid{},
	}
	r.shared = &splice.Shared{Has: func(n *node.Node) bool { _, is := r.shown[n]; return is }}
	r.meter = meter.New(config.bytes)
	declared := make([][]v1alpha1.Workload, len(r.injectors))
	for i, in := range r.injectors {
		declared[i] = in.Spec.Workloads
		s, err := selection.New(in, surroundings)
		if err != nil {
			f := newFinding(finding.Error, finding.InvalidConfig, nil, "%v", err)
			f.Injector = in.Name
			findings = append(findings, f)
			continue
		}
		m := &runInjector{
			index:       i,
			injector:    in,
			selection:   s,
			plan:        in.Plan(),
			key:         stamp.Key(in.Name),
			podSecurity: podSecurityOf(in),
		}
		m.readPayload(r.valid, r.shown)
		r.readyInjectors = append(r.readyInjectors, m)
		r.injectorByStampKey[m.key] = m
	}
	findings = append(findings, r.preparePatches()...)
	if r.kinds = pods.NewKinds(declared...); r.isLive {
		r.kinds = r.kinds.AsTemplates()
	}
	dependsOnPod := func(in *injector.Injector) bool { return in.Literal || in.Varies() || leavesToApp(in) }
	if !slices.ContainsFunc(r.injectors, dependsOnPod) {
		r.injected = injectedNames(r.injectors, injector.Subject{Object: &finding.Object{}}, nil)
	}
	if at := firstError(findings); at >= 0 {
		cause := findings[at].Message
		if object := findings[at].Object; object != nil {
			cause = object.String() + ": " + cause
		}
		f := newFinding(finding.Info, findings[at].Code, nil, "it is left as it is, because of an error: %s", cause)
		r.readyInjectors = nil
		r.failure = &f
	}
	r.outcomes = make(outcomeSets, len(r.readyInjectors))
	return r, findings
}

// readPayload computes what is the same for all pods, and adds the containers that need no check by themselves to the
// valid ones.
func (m *runInjector) readPayload(valid check.Valid, shown map[*node.Node]string) {
	in := m.injector
	m.hashes.Declared = m.plan.Declared()
	add := func(list string, entry *node.Node) {
		m.hashes.Add(list, entry)
		shown[entry] = brief(entry)
	}
	m.namesVary = in.Varies() && m.hashes.Declared.HasVariables()
	for _, step := range m.plan.Steps {
		for _, op := range step.Operations {
			switch {
			case op.Native != nil:
				add(pods.Main, op.Native)
				add(pods.Main, op.Value)
			case op.Container != nil:
				add(pods.Main, op.Value)
			case op.Verb == injector.Add && op.App == nil:
				add(step.Field, op.Value)
			}
		}
	}
	for _, of := range []struct {
		list       string
		containers []injector.Container
	}{{pods.Main, in.Containers}, {pods.Init, in.InitContainers}} {
		for _, c := range of.containers {
			valid.Add(c.Body, of.list)
			if c.NativeBody != nil {
				valid.Add(c.NativeBody, pods.Init)
			}
			for _, sidecar := range check.FindWebhookSidecars(c.Name, node.Text(c.Body, "image")) {
				isSame := func(w check.WebhookSidecar) bool { return w.Product == sidecar.Product }
				if !slices.ContainsFunc(m.webhooks, isSame) {
					m.webhooks = append(m.webhooks, sidecar)
				}
			}
		}
	}
}

// observe reads the items on which the selection of others depends, such as Namespaces.
func observe(items []*manifest.Item) (selection.Surroundings, []finding.Finding) {
	var surroundings selection.Surroundings
	for _, item := range items {
		if !selection.Informs(item.APIVersion, item.Kind) {
			continue
		}
		_, object, err := item.Parse()
		switch {
		case manifest.IsRepeatedKey(err):
			surroundings.ObserveRepeated(object, item.File) // processOther warns about it
		case err != nil:
			return surroundings, []finding.Finding{unreadableItem(item, err)}
		default:
			surroundings.Observe(object, item.File)
		}
	}
	return surroundings, nil
}

// verifies reports whether the run writes nothing and only finds what an injection would change. A list of injectors
// does so as a whole, or not at all.
func (r *run) verifies() bool {
	return len(r.readyInjectors) > 0 && r.readyInjectors[0].injector.Spec.Action == v1alpha1.Verify
}

// only returns a run of one of the injectors.
func (r *run) only(m *runInjector) *run {
	run := *r
	alone := *m
	alone.index = 0
	run.readyInjectors = []*runInjector{&alone}
	run.injectorByStampKey = map[string]*runInjector{m.key: &alone}
	run.outcomes = make(outcomeSets, 1)
	run.injectors = []*injector.Injector{m.injector}
	run.injected = nil
	return &run
}
