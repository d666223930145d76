package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/check"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/plan"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// Every field of the spec is in one of three lists: exported, withoutMeaning, or it is the field of a refusal. Of an exported field, some
// values may be refused.
var (
	// exported are the fields that policies express.
	exported = []string{
		"selector", "neverInjectSelector", "namespaces", "namespaceSelector", "marker", "policy", "jobs", "hostNetwork",
		"containers", "initContainers", "volumes", "imagePullSecrets", "appContainers", "patchPodMetadata", "podSpec", "onConflict",
		"containers[].mode", "containers[].podInjectPolicy", "containers[].before", "containers[].after",
		"appContainers[].containers", "appContainers[].includeInit", "appContainers[].env", "appContainers[].envFrom",
		"appContainers[].volumeMounts", "appContainers[].envPosition", "appContainers[].env[].join", "appContainers[].env[].joinOrder",
		"patchPodMetadata[].labels", "patchPodMetadata[].annotations", "patchPodMetadata[].patchPolicy",
		"onConflict.env", "onConflict.mountPath",
	}
	// withoutMeaning are the fields that make no difference to a new pod.
	withoutMeaning = []string{
		"checks",                               // decided when policies are exported, or by the cluster's own admission
		"stamp", "onDrift", "expect", "report", // about runs on manifests
		"kubernetesVersion",                                // decided when policies are exported
		"defaultNamespace", "namespaceLabels", "workloads", // the API server knows
		"podResources", // a pod with a block of its own is left alone
	}
)

// refusal is something that policies cannot express.
type refusal struct {
	field  string // of the spec, or a variable
	of     string // what of it
	reason string // why, and what to do instead
	find   func(c *candidate) []string
}

// candidate is an injector that may be refused.
type candidate struct {
	*plan.Plan

	spec    *v1alpha1.SidecarInjectorSpec
	options Options
	before  []*candidate // the injectors before it
}

// refusals returns all of them. The documentation lists them.
var refusals = sync.OnceValue(func() []refusal { return slices.Concat(refusedSettings, refusedPayload()) })

// refusedSettings are those about who gets what, and what happens then.
var refusedSettings = []refusal{
	{
		"action", "other than Inject", "a new pod has nothing to remove or to verify",
		one(func(c *candidate) bool { return c.spec.Action != v1alpha1.Inject }),
	},
	{"adopt", "", "a new pod has nothing to take over; adopt it in the manifests", one(func(c *candidate) bool { return c.spec.Adopt })},
	{"paused", "", "a paused injector changes nothing", one(func(c *candidate) bool { return c.Paused })},
	{
		"selectorScope", "other than PodTemplate", "a pod does not know the labels of its workload; label the pod template",
		one(func(c *candidate) bool { return c.spec.SelectorScope != v1alpha1.ScopePodTemplate }),
	},
	{
		"rules", "except for all workloads", "a pod does not know the kind of its workload; select by labels or namespaces",
		one(func(c *candidate) bool { return len(c.spec.Rules) > 0 && !slices.ContainsFunc(c.spec.Rules, isForAll) }),
	},
	{
		"names", "", "a pod does not know the name of its workload; select by labels",
		one(func(c *candidate) bool { return len(c.spec.Names) > 0 }),
	},
	{
		"excludeNames", "", "a pod does not know the name of its workload; label the pods, and use neverInjectSelector",
		one(func(c *candidate) bool { return len(c.spec.ExcludeNames) > 0 }),
	},
	{
		"helmHooks", "other than Inject", "a pod does not know whether its workload is a Helm hook",
		one(func(c *candidate) bool { return c.spec.HelmHooks != v1alpha1.PodInject }),
	},
	{
		"jobs", "Error", "a policy leaves a pod alone, or injects; use Skip",
		one(func(c *candidate) bool { return c.spec.Jobs == v1alpha1.JobsError }),
	},
	{
		"hostNetwork", "Error", "a policy leaves a pod alone, or injects; use Skip",
		one(func(c *candidate) bool { return c.spec.HostNetwork == v1alpha1.PodError }),
	},
	{
		"onConflict.container", "other than Error", "a pod arrives with defaults, so a policy cannot tell what is the app's own",
		one(func(c *candidate) bool { return c.spec.OnConflict.Container != v1alpha1.ContainerError }),
	},
	{
		"onConflict.volume", "other than Error", "a pod arrives with defaults, so a policy cannot tell what is the app's own",
		one(func(c *candidate) bool { return c.spec.OnConflict.Volume != v1alpha1.ConflictError }),
	},
	{
		"onConflict.port", "Keep", "a policy adds the same sidecar to all pods; use a port that no app has",
		one(func(c *candidate) bool { return c.spec.OnConflict.Port == v1alpha1.PortKeep }),
	},
	{
		"onConflict.env", "Replace, with a value that uses another variable",
		"it would have to move behind that variable; use Keep, or another name",
		ofOperations(func(op plan.Operation) bool {
			return op.App != nil && op.OnTaken == plan.Replace && op.Join == nil && len(pod.UsedVariables(node.Text(op.Value, "value"))) > 0
		}),
	},
}

// refusedPayload returns those about what is added.
func refusedPayload() []refusal {
	return []refusal{
		{
			"containers[].mode", "that is Auto in a ConfigMap, or before Kubernetes 1.29",
			"the pod decides whether the sidecar is native; use a SidecarInjector with mode Native or Container",
			ofContainers(func(c *injector.Container) bool { return c.Mode == v1alpha1.ModeAuto }),
		},
		{
			"containers[].allowOverride", "",
			"policies do not read annotations that set fields; use ${pod.annotations['KEY']:-DEFAULT} as the value",
			ofContainers(func(c *injector.Container) bool { return len(c.AllowOverride) > 0 }),
		},
		{
			"containers[].transferEnv", "", "policies do not copy variables of the app; list them in the sidecar",
			ofContainers(func(c *injector.Container) bool { return len(c.TransferEnv) > 0 }),
		},
		{
			"containers[].shareVolumePolicy", "", "policies do not copy mounts of the app; list them in the sidecar",
			ofContainers(func(c *injector.Container) bool { return isShared(c.ShareVolumePolicy) }),
		},
		{
			"containers[].shareVolumeDevicePolicy", "", "policies do not copy devices of the app; list them in the sidecar",
			ofContainers(func(c *injector.Container) bool { return isShared(c.ShareVolumeDevicePolicy) }),
		},
		{
			"containers[].resourcesPolicy", "", "CEL cannot compute with quantities; set the resources of the sidecar",
			ofContainers(func(c *injector.Container) bool { return c.Resources != nil }),
		},
		{
			"containers[].before", "or `after` another container of the injectors, or beside others in front or with `before` or `after`",
			"a policy does not know where others go; list the containers in the order that they should have", findPlaces,
		},
		{
			"patchPodMetadata[].patchPolicy", "MergePatchJson", "CEL cannot read JSON; use Retain or Overwrite",
			ofOperations(func(op plan.Operation) bool { return op.Verb == plan.Join && op.Join == nil }),
		},
		{
			"podSpec", "with " + strings.Join(earlyFields(), ", "), "the API server sets, extends or uses these before policies run",
			ofOperations(func(op plan.Operation) bool { return isInPodSpec(op) && (op.Row.Early || op.Row.Adds) }),
		},
		{
			"podSpec", "with hostAliases, or lists of mappings without a key", "a policy cannot add to an entry, or compare it with those of a pod",
			ofOperations(func(op plan.Operation) bool { return isInPodSpec(op) && hasOddList(op.Value, op.Row) }),
		},
		{
			"${workload.name}", "and ${workload.kind}",
			"a pod does not know its workload; use a label of the pod: ${pod.labels['app']}, or the setting name-label of a preset: " +
				"pillion init otel-java --set name-label=app",
			ofTexts(func(_ *candidate, t injector.Text) bool {
				return uses(t, variable.WorkloadName) || uses(t, variable.WorkloadKind)
			}),
		},
		{
			"${...}", "in names of containers, volumes, variables, sources, paths of mounts, and in ports, numbers and lists of podSpec",
			"policies compare these with those of a pod, so they must be the same for all pods",
			ofTexts(func(c *candidate, t injector.Text) bool { return t.Varies() && (!isText(t.Type) || c.isKey(t.Path)) }),
		},
		{
			"containers", "and other things of a name that another injector of the list has, or that appContainers has twice",
			"a policy sees the pod as it was before all injectors; declare it once", findShared,
		},
		{
			"appContainers", "with a variable that uses a later one, or one of another injector",
			"a policy sees the pod as it was before all injectors; list variables in front of what uses them", findUses,
		},
		{
			"kubernetesVersion", "below 1.30, or below 1.34 with a mutating policy",
			"the API server has no such policies; use a newer one, or --only validate",
			one(func(c *candidate) bool {
				return c.options.Minor < firstValidating || c.options.Minor < firstMutating && c.options.Mutate
			}),
		},
		{
			"containers", "or other fields of a pod that the version of Kubernetes does not have yet",
			"the API server refuses every pod that gets one", findNew,
		},
	}
}

// The first minor versions of Kubernetes 1 that have each kind of policy.
const (
	firstValidating = 30
	firstMutating   = 34
)

// refuse returns an error finding for each field of the injectors that policies cannot express, or that its own checks refuse.
func refuse(injectors []*injector.Injector, options Options) (all []finding.Finding) {
	var before []*candidate
	for _, in := range injectors {
		c := &candidate{Plan: plan.Of(in), spec: &in.Spec, options: options, before: before}
		for _, r := range refusals() {
			for _, field := range r.find(c) {
				if field == "" {
					field = r.field
				}
				if _, inside, isInside := strings.Cut(r.field, "containers[]."); isInside {
					field += "." + inside
				}
				all = append(all, notExportable(in, field, r.reason))
			}
		}
		all = append(all, c.checkRequired()...)
		before = append(before, c)
	}
	return all
}

// notExportable returns the finding for a field of the spec, such as containers[0].resourcesPolicy, or a path in the config.
func notExportable(in *injector.Injector, field, reason string) finding.Finding {
	if end := strings.IndexAny(field+".", ".["); !strings.HasPrefix(field, "spec.") {
		field = in.At(field[:end]) + field[end:]
	}
	return finding.Finding{
		Severity: finding.Error, Code: finding.NotExportable, Injector: in.Name,
		Field: &finding.Field{Path: field}, Message: field + ": " + reason,
	}
}

// checkRequired runs the checks that depend on the payload alone.
func (c *candidate) checkRequired() (all []finding.Finding) {
	containers := node.Sequence()
	for _, container := range slices.Concat(c.InitContainers, c.Containers) {
		containers.Content = append(containers.Content, container.Body)
	}
	payload := node.Mapping(node.String("spec"), node.Mapping(node.String(pod.Main), containers))
	for _, f := range check.Required(pod.Template{Node: payload}, func(string) bool { return true }, c.spec) {
		if f.Severity == finding.Error {
			all = append(all, notExportable(c.Injector, "checks", f.Message))
		}
	}
	return all
}

// maxOperations bounds the blocks of a policy, because the API server bounds their cost: each is evaluated for all containers of a pod.
// maxExpression is the API server's limit.
const maxOperations, maxExpression = 200, 100_000

// tooLarge returns an error finding if the API server would not accept the policies.
func (p Policies) tooLarge() []finding.Finding {
	operations := 0
	for _, in := range p.injectors {
		for _, step := range plan.Of(in).Steps {
			operations += len(step.Operations)
		}
	}
	isTooLong := func(text string) bool { return utf8.RuneCountInString(text) > maxExpression }
	if operations <= maxOperations && (p.mutating == nil || !isTooLong(p.mutating.mutation)) &&
		(p.validating == nil || !slices.ContainsFunc(p.validating.validations, func(v validation) bool { return isTooLong(v.expression) })) {
		return nil
	}
	return []finding.Finding{notExportable(p.injectors[0], "containers", fmt.Sprintf("with %d operations, the policy is too large for "+
		"the API server; put variables into a ConfigMap, and read it with envFrom (the most are %d operations and %d characters)",
		operations, maxOperations, maxExpression))}
}

// one returns a function that finds the field of the refusal if a condition holds.
func one(isSo func(*candidate) bool) func(*candidate) []string {
	return func(c *candidate) []string {
		if isSo(c) {
			return []string{""}
		}
		return nil
	}
}

func ofContainers(isSo func(*injector.Container) bool) func(*candidate) []string {
	return ofOperations(func(op plan.Operation) bool { return op.Container != nil && isSo(op.Container) })
}

// ofOperations returns a function that finds the fields of operations that a condition holds for.
func ofOperations(isSo func(plan.Operation) bool) func(*candidate) []string {
	return func(c *candidate) (all []string) {
		for _, op := range c.operations() {
			if isSo(op) {
				all = append(all, op.Field)
			}
		}
		return all
	}
}

// ofTexts returns a function that finds the texts with variables that a condition holds for.
func ofTexts(isSo func(*candidate, injector.Text) bool) func(*candidate) []string {
	return func(c *candidate) (all []string) {
		for _, text := range c.Texts() {
			if isSo(c, text) {
				all = append(all, text.Path)
			}
		}
		return all
	}
}

// isForAll reports whether a rule matches every workload.
func isForAll(r v1alpha1.Rule) bool {
	return slices.Contains(r.APIGroups, "*") && slices.Contains(r.APIVersions, "*") && slices.Contains(r.Resources, "*")
}

func isShared(p *v1alpha1.ShareVolumePolicy) bool { return p != nil && p.Type == v1alpha1.ShareEnabled }

func uses(t injector.Text, name string) bool {
	return slices.ContainsFunc(t.Segments(), func(s variable.Segment) bool { return s.Name == name })
}

// isText reports whether a field takes a text: a string, a quantity, or the name of a port.
func isText(t reflect.Type) bool {
	return t != nil && (t.Kind() == reflect.String || t == reflect.TypeFor[resource.Quantity]() || t == reflect.TypeFor[intstr.IntOrString]())
}

// isKey reports whether the text at a path is, or is part of, a key by which policies find an entry.
func (c *candidate) isKey(path string) bool {
	for _, op := range c.operations() {
		at := notExportable(c.Injector, op.Field, "").Field.Path
		inside, isInside := strings.CutPrefix(path, at+".")
		isAtKey := func(key string) bool { return inside == key || strings.HasPrefix(inside, key+".") }
		switch {
		case isInPodSpec(op) && strings.HasPrefix(path, at) && strings.Contains(path[len(at):], "["),
			isInside && op.Verb != plan.Fill && slices.ContainsFunc(op.Row.Keys, isAtKey),
			isInside && strings.HasPrefix(inside, "ports["):
			return true
		}
	}
	return false
}

func isInPodSpec(op plan.Operation) bool { return strings.HasPrefix(op.Field, "podSpec.") }

// earlyFields returns the fields of the pod spec that the API server has set or used before policies run.
func earlyFields() (all []string) {
	for i := range podSpec.NumField() {
		name, _, _ := strings.Cut(podSpec.Field(i).Tag.Get("json"), ",")
		if row := pod.InSpec(name); row.Early || row.Adds {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// hasOddList reports whether a value has a list whose entries a policy cannot compare with those of a pod.
func hasOddList(value *yaml.Node, row *pod.Row) bool {
	value = node.Resolve(value)
	switch {
	case row.Whole || node.IsNull(value):
		return false
	case value.Kind == yaml.SequenceNode:
		return slices.ContainsFunc(value.Content, func(entry *yaml.Node) bool {
			return row.Grows || node.Resolve(entry).Kind != yaml.ScalarNode && row.Key(entry) == ""
		})
	}
	for key, inside := range node.Fields(value) {
		if hasOddList(inside, row.Child(key)) {
			return true
		}
	}
	return false
}

// findPlaces returns the containers that cannot be placed, because a policy uses the indexes of the pod as it arrives: one beside another
// must be the only one that does not go to the end of its list.
func findPlaces(c *candidate) (all []string) {
	count, isBeside, isDeclared := map[string]int{}, map[string]bool{}, map[string]bool{}
	own := slices.Concat(c.In("initContainers"), c.In("containers"))
	for _, op := range append(c.earlier("initContainers", "containers"), own...) {
		neighbour, list := op.Place.Before+op.Place.After, op.Row.Name()
		isDeclared[op.Key], isBeside[list] = true, isBeside[list] || neighbour != ""
		if op.Place.IsFront || neighbour != "" {
			count[list]++
		}
	}
	for _, op := range own {
		neighbour, list := op.Place.Before+op.Place.After, op.Row.Name()
		isPlaced := op.Place.IsFront || neighbour != ""
		if isDeclared[neighbour] || isPlaced && isBeside[list] && count[list] > 1 {
			all = append(all, op.Field)
		}
	}
	return all
}

// earlier returns the operations of injectors before, from some fields.
func (c *candidate) earlier(fields ...string) (all []plan.Operation) {
	for _, other := range c.before {
		for _, field := range fields {
			all = append(all, other.In(field)...)
		}
	}
	return all
}

// findShared returns what an injector before has as well, and what appContainers has twice for the same container. Several values may be
// joined to one variable.
func findShared(c *candidate) (all []string) {
	var before []plan.Operation
	for _, other := range c.before {
		before = append(before, other.operations()...)
	}
	for _, op := range c.operations() {
		isSame := func(other plan.Operation) bool {
			isSameRow := op.Row == other.Row || op.Container != nil && other.Container != nil
			isJoined := op.Join != nil && other.Join != nil && op.App == other.App && op.Join.Separator == other.Join.Separator
			return isSameRow && op.Key == other.Key && (op.App == nil || overlap(op.App, other.App)) && !isJoined
		}
		if slices.ContainsFunc(before, isSame) {
			all = append(all, op.Field)
		}
		before = append(before, op)
	}
	return all
}

// operations returns those that come from entries and fields of the config.
func (c *candidate) operations() (all []plan.Operation) {
	for _, step := range c.Steps {
		for _, op := range step.Operations {
			if op.Value != nil {
				all = append(all, op)
			}
		}
	}
	return all
}

// findUses returns the variables that use one that may not be in front of them: a later one, or one of another injector.
func findUses(c *candidate) (all []string) {
	others, own := c.earlier("appContainers"), c.In("appContainers")
	for i, op := range own {
		if slices.ContainsFunc(slices.Concat(others, own[i+1:]), func(other plan.Operation) bool { return usesVariable(op, other) }) ||
			slices.ContainsFunc(others, func(other plan.Operation) bool { return usesVariable(other, op) }) {
			all = append(all, op.Field)
		}
	}
	return all
}

// usesVariable reports whether the value of a variable uses another one.
func usesVariable(op, other plan.Operation) bool {
	return op.Row.Expands && other.Row.Expands && slices.Contains(pod.UsedVariables(node.Text(op.Value, "value")), other.Key)
}

// findNew returns the fields of pods that the version of Kubernetes does not have.
func findNew(c *candidate) (all []string) {
	for _, op := range c.operations() {
		t := pod.Element(pod.Type(podSpec, op.Row.Name()))
		switch {
		case strings.HasPrefix(op.Field, "patchPodMetadata"):
			continue
		case op.App != nil:
			t = appTypes[op.Row.Name()]
		case isInPodSpec(op):
			t = pod.Type(podSpec, op.Key)
			if pod.Since(podSpec, op.Key) > c.options.Minor {
				all = append(all, op.Field)
			}
		}
		all = append(all, newIn(op.Value, t, op.Field, c.options.Minor)...)
	}
	return all
}

// newIn returns the fields of a value that are newer than a minor version.
func newIn(value *yaml.Node, t reflect.Type, at string, minor int) (all []string) {
	value, t = node.Resolve(value), pod.Pointed(t)
	switch value.Kind {
	case yaml.SequenceNode:
		for i, entry := range value.Content {
			all = append(all, newIn(entry, pod.Element(t), fmt.Sprintf("%s[%d]", at, i), minor)...)
		}
	case yaml.MappingNode:
		for key, inside := range node.Fields(value) {
			if pod.Since(t, key) > minor {
				all = append(all, at+"."+key)
				continue
			}
			all = append(all, newIn(inside, pod.Type(t, key), at+"."+key, minor)...)
		}
	}
	return all
}
