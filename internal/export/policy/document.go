package policy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// mark is the beginning of every exported file. It distinguishes them from files that a person wrote.
const mark = "# Made by pillion export"

// YAML returns the policies with their bindings as a stream of YAML documents.
func (p Policies) YAML() []byte {
	w := &writer{}
	w.line(0, "%s from %s. Change the config and export it again.", mark, strings.Join(p.names(), ", "))
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

func (p Policies) names() (all []string) {
	for _, in := range p.injectors {
		all = append(all, in.Name)
	}
	return all
}

// writeEffects writes what happens to which pods, for people who review the policies.
func (p Policies) writeEffects(w *writer) {
	if p.mutating != nil {
		w.line(0, "# A new pod gets what is declared.")
	}
	if p.validating != nil {
		reaction := "refused"
		if !slices.Contains(p.options.Actions, "Deny") {
			reaction = "reported (" + strings.Join(p.options.Actions, ", ") + "), not refused"
		}
		w.line(0, "# A new pod without what is declared is %s.", reaction)
	}
	for _, in := range p.injectors {
		if selectsAll(&in.Spec) {
			w.line(0,
				"# %s selects all pods, except in Kubernetes' own namespaces: to choose, "+
					"set its selector or namespaces.", in.Name)
		}
	}
}

// selectsAll reports whether an injector selects every pod outside of Kubernetes' own namespaces that does not opt out.
func selectsAll(spec *v1alpha1.SidecarInjectorSpec) bool {
	return len(requirements(spec.Selector))+len(requirements(spec.NamespaceSelector))+
		len(spec.NeverInjectSelector) == 0 &&
		len(spec.Namespaces.Include)+len(spec.Namespaces.Exclude) == 0 && spec.Policy != v1alpha1.PolicyDisabled
}

// name returns the name of the policies and their bindings, which Kubernetes limits to 253 characters.
func (p Policies) name() string {
	const most = 200
	name := "pillion-" + strings.Join(p.names(), ".")
	if len(name) > most {
		name = fmt.Sprintf("pillion-%s.and-%d-more", p.injectors[0].Name, len(p.injectors)-1)
	}
	return name
}

// writeHead writes an object up to its spec: a kind of policy, or with a suffix its binding.
func (p Policies) writeHead(w *writer, kind, suffix string) {
	const firstStable = 36
	version := "v1"
	if kind == "Mutating" && p.options.Minor < firstStable {
		version = "v1beta1"
	}
	w.line(0, "apiVersion: admissionregistration.k8s.io/%s", version)
	w.line(0, "kind: %sAdmissionPolicy%s", kind, suffix)
	w.line(0, "metadata:")
	w.line(2, "name: %s", p.name())
	w.line(2, "labels: {app.kubernetes.io/managed-by: pillion, pillion.dev/config: %q}", p.options.Digest)
	w.line(0, "spec:")
}

func (p Policies) writePolicy(w *writer, kind string, of *policy) {
	p.writeHead(w, kind, "")
	w.line(2, "failurePolicy: %s", p.options.FailurePolicy)
	if kind == "Mutating" {
		w.line(2, "reinvocationPolicy: IfNeeded # what is there is not added again")
	}
	w.line(2, "matchConstraints:")
	w.line(4, "resourceRules:")
	w.line(4, `- {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}`)
	w.selector("namespaceSelector", of.who.namespaces)
	w.selector("objectSelector", of.who.objects)
	w.list("matchConditions", len(of.who.conditions))
	for _, c := range of.who.conditions {
		w.named(c.named)
	}
	w.list("variables", len(of.variables))
	for _, v := range of.variables {
		w.named(v)
	}
	if kind == "Mutating" {
		w.line(2, "mutations:")
		w.line(2, "- patchType: JSONPatch")
		w.line(4, "jsonPatch:")
		w.field(6, "expression", of.mutation)
		return
	}
	w.line(2, "validations:")
	for _, v := range of.validations {
		w.field(2, "- expression", v.expression)
		w.line(4, "message: %s", quoted(oneLine(v.message)))
		if v.messageExpression != "" {
			w.field(4, "messageExpression", v.messageExpression)
		}
	}
}

func (p Policies) writeBinding(w *writer, kind string) {
	w.line(0, "---")
	p.writeHead(w, kind, "Binding")
	w.line(2, "policyName: %s", p.name())
	if kind == "Validating" {
		w.line(2, "validationActions: [%s]", strings.Join(p.options.Actions, ", "))
	}
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

// quoted returns a text in single quotes, as YAML has them.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// writer writes YAML line by line: an encoder would not keep the comments and the layout of expressions.
type writer struct{ bytes.Buffer }

func (w *writer) line(indent int, format string, args ...any) {
	w.WriteString(strings.Repeat(" ", indent))
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

// list writes the name of a list, if there are entries.
func (w *writer) list(name string, entries int) {
	if entries > 0 {
		w.line(2, "%s:", name)
	}
}

// selector writes a selector of labels. Labels with one value are matchLabels.
func (w *writer) selector(name string, all []metav1.LabelSelectorRequirement) {
	if len(all) == 0 {
		return
	}
	w.line(4, "%s:", name)
	labels := node.Mapping()
	var expressions []*node.Node
	for _, r := range all {
		if r.Operator == metav1.LabelSelectorOpIn && len(r.Values) == 1 && node.Get(labels, r.Key) == nil {
			node.Set(labels, r.Key, node.String(r.Values[0]))
			continue
		}
		e := node.Mapping(node.String("key"), node.String(r.Key), node.String("operator"),
			node.String(string(r.Operator)))
		if len(r.Values) > 0 {
			values := node.Sequence()
			for _, value := range r.Values {
				values.Content = append(values.Content, node.String(value))
			}
			node.Set(e, "values", values)
		}
		expressions = append(expressions, e)
	}
	if len(labels.Content) > 0 {
		w.line(6, "matchLabels: %s", layout.FlowValue(nil, labels, ""))
	}
	if len(expressions) > 0 {
		w.line(6, "matchExpressions:")
	}
	for _, e := range expressions {
		w.line(6, "- %s", layout.FlowValue(nil, e, ""))
	}
}

// layout is how selectors are written.
var layout = emit.Style{LineEnd: "\n"}

// named writes a condition or a variable.
func (w *writer) named(v named) {
	comment := ""
	if v.comment != "" {
		comment = " # " + oneLine(v.comment)
	}
	w.line(2, "- name: %s%s", v.name, comment)
	w.field(4, "expression", v.expression)
}

// field writes a field whose value is an expression, in a block if it has several lines.
func (w *writer) field(indent int, name, text string) {
	if !strings.Contains(text, "\n") {
		if !unicode.IsLetter(rune(text[0])) || strings.Contains(text, ": ") || strings.Contains(text, " #") {
			text = quoted(text)
		}
		w.line(indent, "%s: %s", name, text)
		return
	}
	w.line(indent, "%s: |-", name)
	deeper := indent + 2
	if strings.HasPrefix(name, "- ") {
		deeper += 2
	}
	for line := range strings.SplitSeq(text, "\n") {
		w.line(deeper, "%s", line)
	}
}
