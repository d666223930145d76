package policy

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/text/glob"
)

// The labels and annotations of a pod, which may be absent.
const (
	labels          = "object.metadata.?labels.orValue({})"
	annotations     = "object.metadata.?annotations.orValue({})"
	namespaceLabels = "namespaceObject.metadata.?labels.orValue({})"
	namespaceName   = "kubernetes.io/metadata.name" // a label that the API server sets
)

// who is for which pods an injector is: all parts must hold.
type who struct {
	objects    []metav1.LabelSelectorRequirement
	namespaces []metav1.LabelSelectorRequirement
	conditions []condition
}

// condition is an expression for what the API server's selectors cannot say. It is a matchCondition if it uses no
// variables.
type condition struct {
	named
	isNeed bool // of the payload: without it, an injector that selects the pod leaves it alone
}

func (c condition) isLate() bool { return strings.Contains(c.expression, "variables.") }

// whoOf returns for which pods an injector is.
func whoOf(in *injector.Injector) (w who) {
	w.add("not-a-static-pod", "", `!("kubernetes.io/config.mirror" in `+annotations+`)`)
	for _, c := range in.ConditionsOf(expressed...) {
		w.addCondition(in, c)
	}
	return w
}

// expressed are the kinds of conditions that policies have, in the order in which they are written.
var expressed = []injector.ConditionKind{
	injector.OnSelector, injector.OnNamespaceSelector, injector.OnNamespaces, injector.OnNeverSelector,
	injector.OnOptIn, injector.OnMarker, injector.OnHostNetwork, injector.OnJobs,
}

func (w *who) addCondition(in *injector.Injector, c injector.Condition) {
	switch c.Kind {
	case injector.OnSelector:
		w.objects = requirements(c.Selector)
	case injector.OnNamespaceSelector:
		w.namespaces = requirements(c.Selector)
	case injector.OnNamespaces:
		w.addNamespaces(in.Spec.Namespaces)
	case injector.OnNeverSelector:
		w.addNever(c)
	case injector.OnOptIn:
		isThere, all := markers(in)
		w.add("opted-in", `a marker is there, and "true" or names this injector`, isThere+" &&\n"+all)
	case injector.OnMarker:
		_, all := markers(in)
		w.add("not-opted-out", `the marker is absent, "true", or names this injector`, all)
	case injector.OnHostNetwork:
		w.add("not-on-the-host-network", "", "!object.spec.?hostNetwork.orValue(false)")
	case injector.OnJobs:
		w.add("not-meant-to-finish", "", `object.spec.?restartPolicy.orValue("Always") == "Always"`)
	}
}

// addNever adds that labels must not match. If there is one requirement, its opposite is one as well.
func (w *who) addNever(c injector.Condition) {
	never := requirements(c.Selector)
	if len(never) == 1 {
		w.objects = append(w.objects, opposite(never[0]))
		return
	}
	w.add(fmt.Sprintf("not-never-inject-%d", c.Index+1), "", "!("+matching(never, labels).text()+")")
}

func (w *who) add(name, comment, expression string) {
	w.conditions = append(w.conditions, condition{named: named{name, comment, expression}})
}

func (w *who) addNeed(name, comment, expression string) {
	w.add(name, comment, expression)
	w.conditions[len(w.conditions)-1].isNeed = true
}

// requirements returns a selector as a list, with those of matchLabels first.
func requirements(selector *metav1.LabelSelector) (all []metav1.LabelSelectorRequirement) {
	if selector == nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(selector.MatchLabels)) {
		values := []string{selector.MatchLabels[key]}
		all = append(all, metav1.LabelSelectorRequirement{Key: key, Operator: metav1.LabelSelectorOpIn, Values: values})
	}
	return append(all, selector.MatchExpressions...)
}

var opposites = map[metav1.LabelSelectorOperator]metav1.LabelSelectorOperator{
	metav1.LabelSelectorOpIn:           metav1.LabelSelectorOpNotIn,
	metav1.LabelSelectorOpNotIn:        metav1.LabelSelectorOpIn,
	metav1.LabelSelectorOpExists:       metav1.LabelSelectorOpDoesNotExist,
	metav1.LabelSelectorOpDoesNotExist: metav1.LabelSelectorOpExists,
}

func opposite(r metav1.LabelSelectorRequirement) metav1.LabelSelectorRequirement {
	r.Operator = opposites[r.Operator]
	return r
}

// addNamespaces adds what the name of the namespace must be. Kubernetes' own are out unless they are included by full
// name.
func (w *who) addNamespaces(in *v1alpha1.Namespaces) {
	names := func(entries []string) []string {
		return slices.DeleteFunc(slices.Clone(entries), glob.HasWildcard)
	}
	included := names(in.Include)
	if len(included) == len(in.Include) && len(included) > 0 {
		w.addName(metav1.LabelSelectorOpIn, included)
	}
	if len(included) == 0 || len(included) < len(in.Include) || len(in.Exclude) > 0 {
		w.addName(metav1.LabelSelectorOpNotIn, append(in.ReservedNamespaces(), names(in.Exclude)...))
	}
	if len(included) < len(in.Include) && !slices.Contains(in.Include, "*") {
		w.add("in-a-namespace", "", isNamespace(in.Include).text())
	}
	isName := func(entry string) bool { return !glob.HasWildcard(entry) }
	if patterns := slices.DeleteFunc(slices.Clone(in.Exclude), isName); len(patterns) > 0 {
		w.add("not-in-a-namespace", "", isNamespace(patterns).in("!", "").text())
	}
}

func (w *who) addName(operator metav1.LabelSelectorOperator, names []string) {
	if len(names) > 0 {
		w.namespaces = append(w.namespaces,
			metav1.LabelSelectorRequirement{Key: namespaceName, Operator: operator, Values: names})
	}
}

// isNamespace returns the condition that one of the entries, names or globs, matches the namespace.
func isNamespace(entries []string) term {
	parts := make([]term, len(entries))
	for i, entry := range entries {
		parts[i] = atom("request.namespace == " + quote(entry))
		if glob.HasWildcard(entry) {
			pattern := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(entry))
			parts[i] = atom("request.namespace.matches(" + quote("^"+pattern+"$") + ")")
		}
	}
	return term{open: "(", parts: parts, separator: " ||", close: ")"}
}

// markers returns the expressions that a pod has a marker, an annotation or a label, and that all which it has are for
// the injector.
func markers(in *injector.Injector) (areThere, areForInjector string) {
	key := quote(in.Spec.Marker)
	both := fmt.Sprintf("[object.metadata.?annotations[?%[1]s], object.metadata.?labels[?%[1]s]]", key)
	return both + ".exists(m, m.hasValue())", both + ".all(m,\n" + fmt.Sprintf(
		`  m.orValue("true").trim().lowerAscii() == "true" || m.orValue("").split(",").exists(v, v.trim() == %s))`,
		quote(in.Name))
}

// takeShared removes from selections what all of them have, and returns it.
func takeShared(all []*who) (shared who) {
	shared.objects = shareOf(all, func(w *who) *[]metav1.LabelSelectorRequirement { return &w.objects })
	shared.namespaces = shareOf(all, func(w *who) *[]metav1.LabelSelectorRequirement { return &w.namespaces })
	shared.conditions = shareOf(all, func(w *who) *[]condition { return &w.conditions })
	for _, c := range shared.conditions {
		for _, w := range all {
			if c.isLate() {
				w.conditions = append(w.conditions, c)
			}
		}
	}
	shared.conditions = slices.DeleteFunc(shared.conditions, condition.isLate)
	return shared
}

// shareOf removes from lists the entries that all of them have, and returns these.
func shareOf[T any](all []*who, field func(*who) *[]T) (shared []T) {
	has := func(in []T, entry T) bool {
		return slices.ContainsFunc(in, func(other T) bool { return reflect.DeepEqual(entry, other) })
	}
	for _, entry := range *field(all[0]) {
		isShared := !has(shared, entry)
		for i := range all {
			isShared = isShared && has(*field(all[i]), entry)
		}
		if isShared {
			shared = append(shared, entry)
		}
	}
	for i := range all {
		list := field(all[i])
		*list = slices.DeleteFunc(slices.Clone(*list), func(entry T) bool { return has(shared, entry) })
	}
	return shared
}

// guards returns the conditions for what remains of a selection, and of the needs of the payload.
func (w *who) guards() (selects, needs []term) {
	if len(w.objects) > 0 {
		selects = append(selects, matching(w.objects, labels))
	}
	if len(w.namespaces) > 0 {
		selects = append(selects, matching(w.namespaces, namespaceLabels))
	}
	for _, c := range w.conditions {
		if c.isNeed {
			needs = append(needs, atom("("+c.expression+")"))
		} else {
			selects = append(selects, atom("("+c.expression+")"))
		}
	}
	return selects, needs
}

// matching returns the condition that labels meet requirements.
func matching(all []metav1.LabelSelectorRequirement, labels string) term {
	conditions := make([]term, len(all))
	for i, r := range all {
		key := quote(r.Key)
		isOneOf := names(r.Values).in(fmt.Sprintf("%[2]s in %[1]s && %[1]s[%[2]s] in ", labels, key), "")
		switch r.Operator {
		case metav1.LabelSelectorOpIn:
			conditions[i] = isOneOf
		case metav1.LabelSelectorOpNotIn:
			conditions[i] = isOneOf.in("!(", ")")
		case metav1.LabelSelectorOpExists:
			conditions[i] = atom(key + " in " + labels)
		default:
			conditions[i] = atom("!(" + key + " in " + labels + ")")
		}
	}
	return every(conditions...)
}
