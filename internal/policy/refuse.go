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
		"action", "other than Inject", "a new pod has nothing to remove or to verify; use Inject",
		one(func(c *candidate) bool { return c.spec.Action != v1alpha1.Inject }),
	},
	{"adopt", "", "a new pod has nothing to take over; adopt it in the manifests", one(func(c *candidate) bool { return c.spec.Adopt })},
	{"paused", "", "a paused injector changes nothing; remove the field", one(func(c *candidate) bool { return c.Paused })},
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
		"helmHooks", "other than Inject", "a pod does not know whether its workload is a Helm hook; use Inject",
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
		"onConflict.container", "other than Error", "a pod arrives with defaults, so a policy cannot tell what is the app's own; use Error",
		one(func(c *candidate) bool { return c.spec.OnConflict.Container != v1alpha1.ContainerError }),
	},
	{
		"onConflict.volume", "other than Error", "a pod arrives with defaults, so a policy cannot tell what is the app's own; use Error",
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
			"containers[].before", "or `after`, if another declared container is not at the end of the list",
			"a policy does not know where others go; list the containers in the order that they should have", findPlaces,
		},
		{
			"patchPodMetadata[].patchPolicy", "MergePatchJson", "CEL cannot read JSON; use Retain or Overwrite",
			ofOperations(func(op plan.Operation) bool { return op.Verb == plan.Join && op.Join == nil }),
		},
		{
			"podSpec", "with " + strings.Join(earlyFields(), ", "), "the API server sets, extends or uses these before policies run; set them in the manifests",
			ofOperations(func(op plan.Operation) bool { return isInPodSpec(op) && isEarly(op.Row) }),
		},
		{
			"podSpec", "with lists", "a policy cannot tell which entries are the app's; set them in the manifests",
			ofOperations(func(op plan.Operation) bool { return isInPodSpec(op) && !isEarly(op.Row) && hasList(op.Value, op.Row) }),
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
			"${...}", "in names of containers, volumes, variables and envFrom, in paths of mounts, and in ports, numbers and lists of podSpec",
			"a policy compares this with what the pod has, so it must be the same for all pods; write it without a variable",
			ofTexts(func(c *candidate, t injector.Text) bool { return t.Varies() && (!isText(t.Type) || c.isKey(t.Path)) }),
		},
		{
			"containers", "and other things of a name that another injector of the list has with another value, or that appContainers has twice",
			"a policy sees the pod as it was before all injectors; declare it once, or export the injectors one by one", findShared,
		},
		{
			"appContainers", "with a variable that uses a later one, or one of another injector",
			"a policy sees the pod as it was before all injectors; list variables in front of what uses them", findUses,
		},
		{
			"--kubernetes-version", "below 1.30, or below 1.34 with a mutating policy",
			"there are no such policies; mutating ones need 1.34, and validating ones, by --only validate, need 1.30",
			one(func(c *candidate) bool {
				isOld := c.options.Minor < firstValidating || c.options.Minor < firstMutating && c.options.Mutate
				return isOld && len(c.before) == 0
			}),
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
		if in.IsForeign() { // it lacks the fields that the other reasons name
			all = append(all, notExportable(in, "kind", "the rules of a "+in.Kind+" cannot be exported; write a SidecarInjector"))
			continue
		}
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
	if end := strings.IndexAny(field+".", ".["); !strings.HasPrefix(field, "spec.") && !strings.HasPrefix(field, "-") && field != "kind" {
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
		if isEarly(pod.InSpec(name)) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// isEarly reports whether the API server has set, extended or used a field of the pod spec before policies run.
func isEarly(row *pod.Row) bool { return row.Early || row.Adds }

// hasList reports whether a value has a list that is not set as a whole.
func hasList(value *yaml.Node, row *pod.Row) bool {
	value = node.Resolve(value)
	if row.Whole || node.IsNull(value) {
		return false
	}
	for key, inside := range node.Fields(value) {
		if hasList(inside, row.Child(key)) {
			return true
		}
	}
	return value.Kind == yaml.SequenceNode
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
			isEqual := op.App == nil && op.Container == nil && op.OnTaken == other.OnTaken && node.Equal(op.Value, other.Value)
			return isSameRow && op.Key == other.Key && (op.App == nil || overlap(op.App, other.App)) && !isJoined && !isEqual
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
