package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/config/variable"
	"pillion.dev/pillion/internal/export/refusal"
	"pillion.dev/pillion/internal/pods/check"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// candidate is an injector that may be refused.
type candidate struct {
	*injector.Plan

	options Options
	before  []*candidate // the injectors before it
}

// refusals returns what policies cannot express. The documentation lists it.
func (c *candidate) refusals() []refusal.Entry {
	return slices.Concat(refusal.Table, c.ownRefusals())
}

// ownRefusals returns those that depend on other injectors, on CEL, and on what the API server does before policies
// run.
func (c *candidate) ownRefusals() []refusal.Entry {
	return []refusal.Entry{
		{
			Field: "containers[].before",
			Find:  c.unplaceable,
			Policy: refusal.Reason{
				When: "or `after`, if another declared container is not at the end of the list",
				Why:  "a policy does not know where others go; list the containers in the order that they should have",
			},
		},
		{
			Field: "podSpec",
			Find:  refusal.IfOperation(func(op injector.Operation) bool { return isInPodSpec(op) && isEarly(op.Row) }),
			Policy: refusal.Reason{
				When: "with " + strings.Join(earlyFields(), ", "),
				Why:  "the API server sets, extends or uses these before policies run; set them in the manifests",
			},
		},
		{
			Field: "podSpec",
			Find: refusal.IfOperation(func(op injector.Operation) bool {
				return isInPodSpec(op) && !isEarly(op.Row) && hasList(op.Value, op.Row)
			}),
			Policy: refusal.Reason{
				When: "with lists",
				Why:  "a policy cannot tell which entries are the app's; set them in the manifests",
			},
		},
		{
			Field: "${workload.name}",
			Find: texts(func(t schema.Text) bool {
				return uses(t, variable.WorkloadName) || uses(t, variable.WorkloadKind)
			}),
			Policy: refusal.Reason{
				When: "and ${workload.kind}",
				Why: "a pod does not know its workload; use a label of the pod: ${pod.labels['app']}, " +
					"or the setting name-label of a preset: pillion init otel-java --set name-label=app",
			},
		},
		{
			Field: "${...}",
			Find:  texts(func(t schema.Text) bool { return t.Varies() && (!isText(t.Type) || c.isKey(t.Path)) }),
			Policy: refusal.Reason{
				When: "in names of containers, volumes, variables and envFrom, in paths of mounts, " +
					"and in ports, numbers and lists of podSpec",
				Why: "a policy compares this with what the pod has, so it must be the same for all pods; " +
					"write it without a variable",
			},
		},
		{
			Field: "containers",
			Find:  c.findShared,
			Policy: refusal.Reason{
				When: "and other things of a name that another injector of the list has with another value, " +
					"or that appContainers has twice",
				Why: "a policy sees the pod as it was before all injectors; " +
					"declare it once, or export the injectors one by one",
			},
		},
		{
			Field: "appContainers",
			Find:  c.findUses,
			Policy: refusal.Reason{
				When: "with a variable that uses a later one, or one of another injector",
				Why:  "a policy sees the pod as it was before all injectors; list variables in front of what uses them",
			},
		},
		{
			Field: "kubernetesVersion",
			Find: refusal.IfSpec(func(*v1alpha1.SidecarInjectorSpec) bool {
				isOld := c.options.Minor < firstValidating || c.options.Minor < firstMutating && c.options.Mutate
				return isOld && len(c.before) == 0
			}),
			Policy: refusal.Reason{
				When: "below 1.30, or below 1.34 with a mutating policy",
				Why: "there are no such policies; " +
					"mutating ones need 1.34, and validating ones, by --only validate, need 1.30",
			},
		},
	}
}

// The first minor versions of Kubernetes 1 that have each kind of policy.
const (
	firstValidating = 30
	firstMutating   = 34
)

// refuse returns an error finding for each field of the injectors that policies cannot express, or that its own checks
// refuse.
func refuse(injectors []*injector.Injector, options Options) (all []finding.Finding) {
	var before []*candidate
	for _, in := range injectors {
		c := &candidate{Plan: in.Plan(), options: options, before: before}
		all = append(all, refusal.Find(c.Plan, c.refusals(), refusal.Entry.InPolicy)...)
		all = append(all, c.checkRequired()...)
		before = append(before, c)
	}
	return all
}

// checkRequired runs the checks that depend on the payload alone.
func (c *candidate) checkRequired() (all []finding.Finding) {
	containers := node.Sequence()
	for _, container := range slices.Concat(c.InitContainers, c.Containers) {
		containers.Content = append(containers.Content, container.Body)
	}
	payload := node.Mapping(node.String("spec"), node.Mapping(node.String(pod.Main), containers))
	for _, f := range check.Required(pod.Template{Node: payload}, func(string) bool { return true }, &c.Spec) {
		if f.Severity == finding.Error {
			all = append(all, refusal.New(c.Injector, "checks", f.Message))
		}
	}
	return all
}

// maxOperations bounds the blocks of a policy, because the API server bounds their cost: each is evaluated for all
// containers of a pod. maxExpression is the API server's limit.
const maxOperations, maxExpression = 200, 100_000

// tooMany returns an error finding if the injectors have more operations than a policy can have. What is printed grows
// with their square.
func tooMany(injectors []*injector.Injector) []finding.Finding {
	operations := 0
	for _, in := range injectors {
		operations += len(in.Plan().Entries())
	}
	if operations <= maxOperations {
		return nil
	}
	why := fmt.Sprintf("with %d operations, the policy is too large for the API server, and %d are the most; "+
		"put variables into a ConfigMap, and read it with envFrom", operations, maxOperations)
	return []finding.Finding{refusal.New(injectors[0], "containers", why)}
}

// tooLong returns an error finding if an expression is longer than the API server accepts.
func (p Policies) tooLong() []finding.Finding {
	isTooLong := func(text string) bool { return utf8.RuneCountInString(text) > maxExpression }
	if !slices.ContainsFunc(slices.Concat(p.mutating.expressions(), p.validating.expressions()), isTooLong) {
		return nil
	}
	why := fmt.Sprintf("an expression of the policy has more than %d characters, which the API server refuses; "+
		"move long values into a ConfigMap", maxExpression)
	return []finding.Finding{refusal.New(p.injectors[0], "containers", why)}
}

// texts returns a function that finds the texts with variables that a condition holds for.
func texts(isSo func(schema.Text) bool) refusal.Finder {
	return func(p *injector.Plan) (all []string) {
		for _, text := range p.Texts() {
			if isSo(text) {
				all = append(all, text.Path)
			}
		}
		return all
	}
}

func uses(t schema.Text, name string) bool {
	return slices.ContainsFunc(t.Segments(), func(s variable.Segment) bool { return s.Name == name })
}

// isText reports whether a field takes a text: a string, a quantity, or the name of a port.
func isText(t reflect.Type) bool {
	return t != nil && (t.Kind() == reflect.String || t == reflect.TypeFor[resource.Quantity]() ||
		t == reflect.TypeFor[intstr.IntOrString]())
}

// isKey reports whether the text at a path is, or is part of, a key by which policies find an entry.
func (c *candidate) isKey(path string) bool {
	for _, op := range c.Entries() {
		at := c.PathOf(op.Field)
		inside, isInside := strings.CutPrefix(path, at+".")
		isAtKey := func(key string) bool { return inside == key || strings.HasPrefix(inside, key+".") }
		switch {
		case isInPodSpec(op) && strings.HasPrefix(path, at) && strings.Contains(path[len(at):], "["),
			isInside && op.Verb != injector.Fill && slices.ContainsFunc(op.Row.Keys, isAtKey),
			isInside && strings.HasPrefix(inside, "ports["):
			return true
		}
	}
	return false
}

func isInPodSpec(op injector.Operation) bool { return strings.HasPrefix(op.Field, "podSpec.") }

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
func hasList(value *node.Node, row *pod.Row) bool {
	value = node.Resolve(value)
	if row.Whole || node.IsNull(value) {
		return false
	}
	for key, inside := range node.Fields(value) {
		if hasList(inside, row.Child(key)) {
			return true
		}
	}
	return value.Kind == node.SequenceNode
}

// unplaceable returns the containers that cannot be placed, because a policy uses the indexes of the pod as it arrives:
// one beside another must be the only one that does not go to the end of its list.
func (c *candidate) unplaceable(*injector.Plan) (all []string) {
	count := map[string]int{}
	isBeside := map[string]bool{}
	isDeclared := map[string]bool{}
	own := slices.Concat(c.In("initContainers"), c.In("containers"))
	for _, op := range append(c.earlier("initContainers", "containers"), own...) {
		neighbour := op.Position.Before + op.Position.After
		list := op.Row.Name()
		isDeclared[op.Key] = true
		isBeside[list] = isBeside[list] || neighbour != ""
		if op.Position.IsFront || neighbour != "" {
			count[list]++
		}
	}
	for _, op := range own {
		neighbour := op.Position.Before + op.Position.After
		list := op.Row.Name()
		isPlaced := op.Position.IsFront || neighbour != ""
		if isDeclared[neighbour] || isPlaced && isBeside[list] && count[list] > 1 {
			all = append(all, op.Field)
		}
	}
	return all
}

// earlier returns the operations of injectors before, from some fields.
func (c *candidate) earlier(fields ...string) (all []injector.Operation) {
	for _, other := range c.before {
		for _, field := range fields {
			all = append(all, other.In(field)...)
		}
	}
	return all
}

// findShared returns what an injector before has as well, and what appContainers has twice for the same container.
// Several values may be joined to one variable.
func (c *candidate) findShared(*injector.Plan) (all []string) {
	var before []injector.Operation
	for _, other := range c.before {
		before = append(before, other.Entries()...)
	}
	for _, op := range c.Entries() {
		isSame := func(other injector.Operation) bool {
			isSameRow := op.Row == other.Row || op.Container != nil && other.Container != nil
			isJoined := op.Join != nil && other.Join != nil && op.App == other.App &&
				op.Join.Separator == other.Join.Separator
			isEqual := op.App == nil && op.Container == nil && op.OnTaken == other.OnTaken &&
				node.Equal(op.Value, other.Value)
			return isSameRow && op.Key == other.Key && (op.App == nil || overlap(op.App, other.App)) &&
				!isJoined && !isEqual
		}
		if slices.ContainsFunc(before, isSame) {
			all = append(all, op.Field)
		}
		before = append(before, op)
	}
	return all
}

// findUses returns the variables that use one that may not be in front of them: a later one, or one of another
// injector.
func (c *candidate) findUses(*injector.Plan) (all []string) {
	others := c.earlier("appContainers")
	own := c.In("appContainers")
	for i, op := range own {
		isUsed := func(other injector.Operation) bool { return usesVariable(op, other) }
		isUser := func(other injector.Operation) bool { return usesVariable(other, op) }
		if slices.ContainsFunc(slices.Concat(others, own[i+1:]), isUsed) || slices.ContainsFunc(others, isUser) {
			all = append(all, op.Field)
		}
	}
	return all
}

// usesVariable reports whether the value of a variable uses another one.
func usesVariable(op, other injector.Operation) bool {
	return op.Row.Expands && other.Row.Expands &&
		slices.Contains(pod.UsedVariables(node.Text(op.Value, "value")), other.Key)
}
