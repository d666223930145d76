package admission

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/selection"
)

// The labels and annotations of a pod, which may be absent, and the variables that hold them. Conditions cannot use variables.
const (
	objectLabels      = "object.metadata.?labels.orValue({})"
	objectAnnotations = "object.metadata.?annotations.orValue({})"
	podLabels         = "variables.labels"
	podAnnotations    = "variables.annotations"
)

// matches returns the expression that is true for the pods that an injector is for, whatever its policies for the host's network and for
// pods that finish say. It is the same decision as that of [selection.Selection] on a manifest of the pod in its namespace.
func (c *compiler) matches(in *injector.Injector) string {
	parts := []part{
		{"it is neither a static pod nor local config", notForeign},
		{"its namespace", namespaceIncluded(in.Spec.Namespaces)},
		{"the labels of its namespace", labelsMatch(in.Spec.NamespaceSelector, namespaceLabel)},
		{"its labels", labelsMatch(in.Spec.Selector, podLabel)},
	}
	for i := range in.Spec.NeverInjectSelector {
		never := labelsMatch(&in.Spec.NeverInjectSelector[i], podLabel)
		if never == "" {
			never = "true" // an empty selector matches every pod
		}
		parts = append(parts, part{fmt.Sprintf("neverInjectSelector[%d]", i), "!(" + never + ")"})
	}
	return conjunction(append(parts, part{"the marker " + in.Spec.Marker, c.optsIn(in)}))
}

// longestSelection returns the field with most of the expression that selects pods.
func longestSelection(in *injector.Injector) source {
	never := 0
	for i := range in.Spec.NeverInjectSelector {
		never += len(labelsMatch(&in.Spec.NeverInjectSelector[i], podLabel))
	}
	lengths := sizes{}
	for field, length := range map[string]int{
		"namespaces":          len(namespaceIncluded(in.Spec.Namespaces)),
		"namespaceSelector":   len(labelsMatch(in.Spec.NamespaceSelector, namespaceLabel)),
		"selector":            len(labelsMatch(in.Spec.Selector, podLabel)),
		"neverInjectSelector": never,
	} {
		lengths[source{in.Name, fieldPath(in, field)}] = length
	}
	return lengths.largest()
}

// policyConditions returns the conditions under which the policies of an injector let it into a pod that it is for. A pod that a policy
// refuses is not selected.
func policyConditions(in *injector.Injector) []part {
	var parts []part
	if in.Spec.HostNetwork != v1alpha1.PodInject {
		parts = append(parts, part{"hostNetwork: " + string(in.Spec.HostNetwork), "!" + usesHostNetwork})
	}
	if in.Spec.Jobs == v1alpha1.JobsSkip || in.Spec.Jobs == v1alpha1.JobsError {
		parts = append(parts, part{"jobs: " + string(in.Spec.Jobs), "!variables.finishes"})
	}
	return parts
}

const usesHostNetwork = "object.spec.?hostNetwork.orValue(false)"

// part is a condition with the comment above it.
type part struct{ comment, expression string }

// conjunction joins conditions, each with its comment. Empty ones always hold.
func conjunction(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.expression == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(" &&\n")
		}
		if p.comment != "" {
			b.WriteString("// " + p.comment + "\n")
		}
		b.WriteString(p.expression)
	}
	return b.String()
}

// notForeign is false for pods that Pillion leaves alone: the API server's mirrors of static pods, and local config.
const notForeign = `!("kubernetes.io/config.mirror" in ` + podAnnotations + `) &&
` + podAnnotations + `[?"kubernetes.io/config.source"].orValue("") in ["", "api"] &&
` + podAnnotations + `[?"config.kubernetes.io/local-config"].orValue("") != "true"`

// namespaceIncluded returns the condition on the name of the namespace. Kubernetes' own are out unless they are included by full name.
func namespaceIncluded(namespaces *v1alpha1.Namespaces) string {
	excluded := anyNamespace(slices.Concat(namespaces.ReservedNamespaces(), namespaces.Exclude))
	var conditions []string
	if excluded != "" {
		conditions = append(conditions, "!("+excluded+")")
	}
	if included := anyNamespace(namespaces.Include); included != "" {
		conditions = append(conditions, "("+included+")")
	}
	return strings.Join(conditions, " &&\n")
}

// anyNamespace returns the condition that one of the entries, names or patterns, matches the namespace.
func anyNamespace(entries []string) string {
	var names, conditions []string
	for _, entry := range entries {
		if injector.IsNamespacePattern(entry) {
			conditions = append(conditions, "request.namespace.matches("+quote(globPattern(entry))+")")
		} else {
			names = append(names, entry)
		}
	}
	if len(names) > 0 {
		conditions = append([]string{"request.namespace in " + stringList(names)}, conditions...)
	}
	return strings.Join(conditions, " || ")
}

// globPattern returns a pattern for namespaces as a regular expression.
func globPattern(pattern string) string {
	escaped := regexp.QuoteMeta(pattern)
	return "^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(escaped) + "$"
}

// labelOf returns the mapping that holds labels, and the conditions that a label is there and has one of some values.
type labelOf func(key string) (exists string, isOneOf func(values []string) string)

func podLabel(key string) (string, func([]string) string) { return label(podLabels, key) }

// namespaceLabel is a label of the namespace. The API server sets the one with the name.
func namespaceLabel(key string) (string, func([]string) string) {
	if key == "kubernetes.io/metadata.name" {
		return "true", func(values []string) string { return "request.namespace in " + stringList(values) }
	}
	return label("namespaceObject.metadata.?labels.orValue({})", key)
}

func label(labels, key string) (string, func([]string) string) {
	exists := quote(key) + " in " + labels
	return exists, func(values []string) string {
		if !slices.Contains(values, "") {
			return fmt.Sprintf("%s[?%s].orValue(\"\") in %s", labels, quote(key), stringList(values))
		}
		return fmt.Sprintf("(%s && %s[%s] in %s)", exists, labels, quote(key), stringList(values))
	}
}

// labelsMatch returns the condition that labels match a selector, or "" if every label does.
func labelsMatch(selector *metav1.LabelSelector, of labelOf) string {
	if selector == nil {
		return ""
	}
	var conditions []string
	for _, key := range slices.Sorted(maps.Keys(selector.MatchLabels)) {
		_, isOneOf := of(key)
		conditions = append(conditions, isOneOf([]string{selector.MatchLabels[key]}))
	}
	for _, e := range selector.MatchExpressions {
		exists, isOneOf := of(e.Key)
		switch e.Operator {
		case metav1.LabelSelectorOpIn:
			conditions = append(conditions, isOneOf(e.Values))
		case metav1.LabelSelectorOpNotIn:
			conditions = append(conditions, "!("+isOneOf(e.Values)+")")
		case metav1.LabelSelectorOpExists:
			conditions = append(conditions, exists)
		case metav1.LabelSelectorOpDoesNotExist:
			conditions = append(conditions, "!("+exists+")")
		}
	}
	return strings.Join(conditions, " &&\n")
}

// optsIn returns the condition that the markers of a pod do not keep the injector out. All that it has must opt in: one that opts out
// or is unclear takes precedence. The annotation of the classic Initializer counts if there is no other.
func (c *compiler) optsIn(in *injector.Injector) string {
	without := "true"
	if in.Spec.Policy == v1alpha1.PolicyDisabled {
		without = "false"
	}
	return fmt.Sprintf(`(size(%[1]s) > 0 ?
  // "true", or names of injectors with this one among them; anything else keeps the pod out
  %[1]s.all(v, %[4]s) :
  %[2]s[?%[3]s].orValue("") != "" ?
  // the annotation of the classic Initializer
  [%[2]s[?%[3]s].orValue("")].all(v, %[4]s) :
  // no marker: policy is %[5]s
  %[6]s)`, c.marker(in.Spec.Marker), podAnnotations, quote(selection.InitializerAnnotation(in.Name)), isOptIn(in.Name), in.Spec.Policy,
		without)
}

// marker returns the variable for the values of a marker, and adds it for its first injector.
func (c *compiler) marker(key string) string {
	if found, ok := c.markers[key]; ok {
		return found
	}
	suffix := ""
	if len(c.markers) > 0 {
		suffix = fmt.Sprintf("_%d", len(c.markers)+1)
	}
	c.markers[key] = c.add("marker"+suffix, "the values of the annotation and the label "+key, fmt.Sprintf(
		"[%s, %s].filter(m, %[3]s in m).map(m, m[%[3]s])", podAnnotations, podLabels, quote(key)))
	return c.markers[key]
}

// isOptIn returns the condition that the value v of a marker opts in. A name that is a boolean to people counts only beside others.
// The names are found by a regular expression: the API server takes more than linear time to go through a list, and a pod may list many.
func isOptIn(name string) string {
	const space = `[\t-\r\x{85}\p{Z}]*`
	named := fmt.Sprintf("v.matches(%s)", quote("(^|,)"+space+regexp.QuoteMeta(name)+space+"(,|$)"))
	if selection.IsBooleanWord(name) {
		named = fmt.Sprintf("v.trim() != %s && %s", quote(name), named)
	}
	return `v.trim().lowerAscii() == "true" || ` + named
}

// optsOut returns the condition that a marker of a pod is "false".
func optsOut(marker string) string {
	return fmt.Sprintf(`%[2]s[?%[1]s].orValue("").trim().lowerAscii() == "false" ||
%[3]s[?%[1]s].orValue("").trim().lowerAscii() == "false"`, quote(marker), objectAnnotations, objectLabels)
}

// addConditions adds the matchConditions: pods for which the policy is not even evaluated, so that no mistake in it can keep them out of
// the cluster. Conditions can use neither variables nor the labels of the namespace; the rest is part of the variable of each injector.
func (c *compiler) addConditions() {
	c.from(&c.injectors[0], "marker")
	c.conditions = append(c.conditions, namedExpression{
		"not-a-mirror", "a static pod is changed in the file that the kubelet reads",
		`!("kubernetes.io/config.mirror" in ` + objectAnnotations + `)`, c.source,
	}, namedExpression{
		"has-containers", "a pod without containers is refused by the API server itself",
		"dyn(object.spec.containers) != null", c.source,
	})
	var markers []string
	for _, in := range c.injectors {
		markers = append(markers, in.Spec.Marker)
	}
	slices.Sort(markers)
	markers = slices.Compact(markers)
	outs := make([]string, len(markers))
	for i, marker := range markers {
		outs[i] = "!(" + optsOut(marker) + ")"
	}
	c.conditions = append(c.conditions, namedExpression{
		"not-opted-out", `a pod whose marker is "false" passes, whatever else the policy says`, strings.Join(outs, " ||\n"),
		c.source,
	})
}

// reserved returns Kubernetes' own namespaces that no injector includes.
func (c *compiler) reserved() []string {
	reserved := (&v1alpha1.Namespaces{}).ReservedNamespaces()
	for _, in := range c.injectors {
		left := in.Spec.Namespaces.ReservedNamespaces()
		reserved = slices.DeleteFunc(reserved, func(name string) bool { return !slices.Contains(left, name) })
	}
	return reserved
}
