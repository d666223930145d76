package engine

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/check"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/meter"
	pods "pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/parse"
	"pillion.dev/pillion/transformers"
)

// run is what all items of a run have in common. It does not change while they are processed.
type run struct {
	members   []*member        // none after a failure
	failure   *finding.Finding // why all workloads are left as they are; nil if there was no error
	outcomes  outcomeSets      // of the members
	meter     *meter.Meter
	owners    map[string]*member   // by the keys of their stamps
	injectors []*injector.Injector // those of the members
	around    selection.Surroundings
	namespace string // of workloads without one; empty if it is not known
	kinds     podtemplate.Kinds
	arenas    *parse.Pool // the memory of items that are being processed
	valid     check.Valid // their containers; nil if transformers could change these, although they must not
	// The transformers of other programs run before and after the payload is added.
	before, after []transformers.Transformer
	refersToApp   bool // whether payloads differ from pod to pod because of the app's containers
	guardedToo    bool // whether objects that only kubectl would apply are selected, too: local config, and what was read from a cluster
}

// member is one injector of a run, ready for use.
type member struct {
	index     int // among the injectors of the run, and so among the outcomes of a workload
	injector  *injector.Injector
	selection *selection.Selection
	webhooks  []check.WebhookSidecar // those that inject the same sidecars
	key       string                 // the annotation of its stamps
	hashes    stamp.Hashes
	namesVary bool // whether names of objects in the payload have variables
	podSecurity
	// isFunction is set if the run has no flags, such as -v.
	isFunction bool
}

func (m *member) removes() bool { return m.injector.Spec.Action == v1alpha1.Remove }

// prepare reads the surroundings of the workloads from the items, and makes the injectors ready.
func prepare(items []manifest.Item, config Config) (*run, []finding.Finding) {
	injectors := config.injectors
	around, findings := observe(items)
	r := &run{
		injectors: injectors, owners: map[string]*member{}, around: around, namespace: config.namespace,
		before: config.before, after: config.after,
		refersToApp: slices.ContainsFunc(injectors, (*injector.Injector).RefersToApp),
		arenas:      new(parse.Pool), guardedToo: config.guardedToo,
		meter: meter.New(config.bytes + bytesOf(items)),
	}
	declared := make([][]v1alpha1.Workload, len(injectors))
	for i, in := range injectors {
		declared[i] = in.Spec.Workloads
		s, err := selection.New(in, around)
		if err != nil {
			f := newFinding(finding.Error, finding.InvalidConfig, nil, "%v", err)
			f.Injector = in.Name
			findings = append(findings, f)
			continue
		}
		m := &member{
			index: i, injector: in, selection: s, webhooks: webhooksOf(in), key: stamp.Key(in.Name), hashes: hashesOf(in),
			podSecurity: podSecurityOf(in), isFunction: config.isFunction,
		}
		m.namesVary = in.Varies() && m.hashes.Declared.HasVariables()
		r.members, r.owners[m.key] = append(r.members, m), m
	}
	if len(r.before)+len(r.after) == 0 {
		r.valid = validContainers(injectors)
	}
	r.kinds = podtemplate.NewKinds(declared...)
	if at := firstError(findings); at >= 0 {
		cause := findings[at].Message
		if object := findings[at].Object; object != nil {
			cause = object.String() + ": " + cause
		}
		f := newFinding(finding.Info, findings[at].Code, nil, "it is left as it is, because of an error: %s", cause)
		r.members, r.failure = nil, &f
	}
	r.outcomes = make(outcomeSets, len(r.members))
	return r, findings
}

func bytesOf(items []manifest.Item) int {
	total := 0
	for i := range items {
		total += len(items[i].Text)
	}
	return total
}

// hashesOf returns the hashes of what an injector adds to lists of the pod spec, unless it differs from pod to pod.
func hashesOf(in *injector.Injector) stamp.Hashes {
	hashes := stamp.Hashes{Declared: in.Declared()}
	for _, list := range [...][]injector.Container{in.InitContainers, in.Containers} {
		for _, c := range list {
			hashes.Add(pods.Main, c.Body)
			hashes.Add(pods.Main, c.NativeBody)
		}
	}
	for _, volume := range in.Volumes {
		hashes.Add("volumes", volume.Body)
	}
	for _, secret := range in.ImagePullSecrets {
		hashes.Add("imagePullSecrets", secret.Body)
	}
	return hashes
}

// validContainers returns the containers of the injectors that need no check by themselves in each pod.
func validContainers(injectors []*injector.Injector) check.Valid {
	valid := check.Valid{}
	for _, in := range injectors {
		for _, c := range in.InitContainers {
			valid.Add(c.Body, pods.Init)
		}
		for _, c := range in.Containers {
			valid.Add(c.Body, pods.Main)
			valid.Add(c.NativeBody, pods.Init)
		}
	}
	return valid
}

// observe reads the items on which the selection of others depends, such as Namespaces.
func observe(items []manifest.Item) (selection.Surroundings, []finding.Finding) {
	var around selection.Surroundings
	for _, item := range items {
		if !selection.Informs(item.APIVersion, item.Kind) {
			continue
		}
		_, object, err := item.Parse()
		switch {
		case item.Kind == "Namespace" && manifest.IsRepeatedKey(err):
			around.ObserveRepeated(object, item.File)
			continue // processOther warns about it
		case err == nil:
			err = around.Observe(item.Kind, object, item.File)
		}
		if err != nil {
			return around, []finding.Finding{unreadableItem(item, err)}
		}
	}
	return around, nil
}

// verifies reports whether the run writes nothing and only finds what an injection would change. A list of injectors
// does so as a whole, or not at all.
func (r *run) verifies() bool {
	return len(r.members) > 0 && r.members[0].injector.Spec.Action == v1alpha1.Verify
}

// only returns a run of one of the injectors.
func (r *run) only(m *member) *run {
	run, alone := *r, *m
	alone.index = 0
	run.members, run.owners = []*member{&alone}, map[string]*member{m.key: &alone}
	run.outcomes, run.injectors = make(outcomeSets, 1), []*injector.Injector{m.injector}
	return &run
}

// webhooksOf returns the webhooks that inject the same sidecars as an injector, each once.
func webhooksOf(in *injector.Injector) []check.WebhookSidecar {
	var each []check.WebhookSidecar
	add := func(name, image string) {
		for _, sidecar := range check.FindWebhookSidecars(name, image) {
			if !slices.ContainsFunc(each, func(a check.WebhookSidecar) bool { return a.Owner == sidecar.Owner }) {
				each = append(each, sidecar)
			}
		}
	}
	for _, c := range in.Spec.Containers {
		add(c.Name, c.Image)
	}
	for _, c := range in.Spec.InitContainers {
		add(c.Name, c.Image)
	}
	return each
}
