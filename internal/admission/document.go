package admission

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/patch"
)

// maxName bounds the names of policies, which Kubernetes bounds at 253 characters.
const maxName = 200

// YAML returns the policies with their bindings as a stream of YAML documents.
func (p Policies) YAML() []byte {
	w := &writer{}
	w.line(0, "%s from %s. Change the config and export it again:", patch.Mark, strings.Join(p.injectors, ", "))
	w.line(0, "#   pillion export admission -c CONFIG%s", p.flags())
	p.writeEffects(w)
	if p.mutating != nil {
		p.writePolicy(w, "Mutating", p.mutating)
		p.writeBinding(w, "Mutating")
	}
	if p.validating != nil {
		if p.mutating != nil {
			w.line(0, "---")
		}
		p.writePolicy(w, "Validating", p.validating)
		p.writeBinding(w, "Validating")
	}
	return w.Bytes()
}

// writeEffects writes what happens to which pods, for people who review the policies.
func (p Policies) writeEffects(w *writer) {
	if p.mutating != nil {
		w.line(0, "# A new pod gets what Pillion adds to its manifest.")
	}
	if p.validating != nil {
		reaction := "refused"
		if !slices.Contains(p.options.Actions, "Deny") {
			reaction = "reported (" + strings.Join(p.options.Actions, ", ") + "), not refused"
		}
		w.line(0, "# A new pod that lacks what Pillion adds to its manifest, or that Pillion refuses, is %s.", reaction)
	}
	w.line(0, "# A pod with the annotation or label %s: \"false\" passes unchanged.", strings.Join(p.markers, ": \"false\" and "))
	for _, name := range p.everywhere {
		w.line(0, "# %s selects all pods, except in Kubernetes' own namespaces: to choose, set its selector or namespaces.", name)
	}
}

// selectsAll reports whether an injector selects every pod outside of Kubernetes' own namespaces that does not opt out.
func selectsAll(spec *v1alpha1.SidecarInjectorSpec) bool {
	isEmpty := func(s *metav1.LabelSelector) bool { return s == nil || len(s.MatchLabels)+len(s.MatchExpressions) == 0 }
	return isEmpty(spec.Selector) && isEmpty(spec.NamespaceSelector) && len(spec.NeverInjectSelector) == 0 &&
		len(spec.Namespaces.Include)+len(spec.Namespaces.Exclude) == 0 && spec.Policy != v1alpha1.PolicyDisabled
}

// flags returns the flags of the command that export the same again.
func (p Policies) flags() string {
	flags := fmt.Sprintf(" --kubernetes-version 1.%d", p.options.Minor)
	switch {
	case p.mutating == nil:
		flags += " --only validate"
	case p.validating == nil:
		flags += " --only mutate"
	}
	if actions := strings.Join(p.options.Actions, ","); p.validating != nil && actions != "Deny" {
		flags += " --actions " + actions
	}
	if p.options.FailurePolicy != "Fail" {
		flags += " --failure-policy " + p.options.FailurePolicy
	}
	return flags
}

// name returns the name of the policies and their bindings.
func (p Policies) name() string {
	name := "pillion-" + strings.Join(p.injectors, ".")
	if len(name) > maxName {
		name = fmt.Sprintf("pillion-%s.and-%d-more", p.injectors[0], len(p.injectors)-1)
	}
	return name
}

// apiVersion returns the API version of a kind of policy in the cluster's version of Kubernetes.
func (p Policies) apiVersion(kind string) string {
	const firstStable = 36
	if kind == "Mutating" && p.options.Minor < firstStable {
		return "admissionregistration.k8s.io/v1beta1"
	}
	return "admissionregistration.k8s.io/v1"
}

// writeHead writes an object up to its spec: a kind of policy, or with a suffix its binding.
func (p Policies) writeHead(w *writer, kind, suffix string) {
	w.line(0, "apiVersion: %s", p.apiVersion(kind))
	w.line(0, "kind: %sAdmissionPolicy%s", kind, suffix)
	w.line(0, "metadata:")
	w.line(2, "name: %s", p.name())
	w.line(2, "labels:")
	w.line(4, "app.kubernetes.io/managed-by: pillion")
	w.line(4, "pillion.dev/version: %q", labelValue(p.options.Program))
	w.line(4, "pillion.dev/config: %q # the beginning of the SHA-256 of the config", labelValue(p.options.Digest))
	w.line(2, "annotations:")
	w.line(4, "pillion.dev/injectors: %q", strings.Join(p.injectors, ", "))
	w.line(0, "spec:")
}

func (p Policies) writePolicy(w *writer, kind string, of *policy) {
	p.writeHead(w, kind, "")
	w.line(2, "failurePolicy: %s", p.options.FailurePolicy)
	if kind == "Mutating" {
		writeReinvocation(w)
	}
	w.line(2, "matchConstraints:")
	w.line(4, "resourceRules:")
	w.line(4, `- {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}`)
	if len(of.leftAlone) > 0 {
		w.line(4, "# Kubernetes' own namespaces are left alone, unless an injector includes them by name.")
		w.line(4, "namespaceSelector:")
		w.line(6, "matchExpressions:")
		w.line(6, "- {key: kubernetes.io/metadata.name, operator: NotIn, values: [%s]}", strings.Join(of.leftAlone, ", "))
	}
	if len(of.conditions) > 0 {
		w.line(2, "matchConditions:")
	}
	for _, c := range of.conditions {
		w.named(c)
	}
	w.line(2, "variables:")
	for _, v := range of.variables {
		w.named(v)
	}
	if kind == "Mutating" {
		w.line(2, "mutations:")
		w.line(2, "- patchType: JSONPatch")
		w.line(4, "jsonPatch:")
		w.block(6, "expression", of.mutation())
		return
	}
	w.line(2, "validations:")
	for _, v := range of.validations {
		w.comment(v.comment)
		w.block(2, "- expression", v.expression)
		w.line(4, "message: %q", oneLine(v.message))
		if v.messageExpression != "" {
			w.block(4, "messageExpression", v.messageExpression)
		}
	}
}

func writeReinvocation(w *writer) {
	w.line(2, "# Once more if another policy or a webhook changed the pod. What is there already is not added again.")
	w.line(2, "reinvocationPolicy: IfNeeded")
}

func (p Policies) writeBinding(w *writer, kind string) {
	w.line(0, "---")
	p.writeHead(w, kind, "Binding")
	w.line(2, "policyName: %s", p.name())
	if kind == "Validating" {
		w.line(2, "validationActions: [%s]", strings.Join(p.options.Actions, ", "))
	}
}

// mutation returns the one expression of a mutating policy: all operations, each part with its comment, if the policy applies.
func (p *policy) mutation() string {
	parts := make([]string, len(p.operations))
	for i, o := range p.operations {
		parts[i] = "// " + oneLine(o.comment) + "\n" + o.expression
	}
	return "!variables.applies ? [] :\n" + chain(parts)
}

// maxChain bounds a chain of additions: CEL refuses more than 250 as too deep.
const maxChain = 200

// chain joins expressions for lists by a plus sign, in groups if there are many.
func chain(parts []string) string {
	for len(parts) > maxChain {
		var groups []string
		for len(parts) > 0 {
			n := min(maxChain, len(parts))
			groups = append(groups, "(\n"+strings.Join(parts[:n], " +\n")+"\n)")
			parts = parts[n:]
		}
		parts = groups
	}
	return strings.Join(parts, " +\n")
}

// labelValue returns a text as the value of a label, without what such values cannot have.
func labelValue(text string) string {
	const most = 63
	text = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("-_.", r):
			return r
		default:
			return '_'
		}
	}, text)
	return strings.Trim(text[:min(most, len(text))], "-_.")
}

// oneLine returns a text without line breaks and other characters that end or hide a comment.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// writer writes YAML line by line: an encoder would not keep the comments and the layout of expressions.
type writer struct{ bytes.Buffer }

func (w *writer) line(indent int, format string, args ...any) {
	w.WriteString(strings.Repeat(" ", indent))
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

// comment writes what the next entry of a list of the policy is for.
func (w *writer) comment(text string) { w.line(2, "# %s", oneLine(text)) }

// named writes a condition or a variable.
func (w *writer) named(e namedExpression) {
	w.comment(e.comment)
	w.line(2, "- name: %s", e.name)
	w.block(4, "expression", e.expression)
}

// block writes a field whose value is a block of lines.
func (w *writer) block(indent int, field, text string) {
	w.line(indent, "%s: |-", field)
	deeper := indent + 2
	if strings.HasPrefix(field, "- ") {
		deeper += 2
	}
	for line := range strings.SplitSeq(text, "\n") {
		w.line(deeper, "%s", line)
	}
}
