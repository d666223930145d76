package injector

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/config/variable"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// Subject is a pod template that an injector is for, and its workload.
type Subject struct {
	Object   *finding.Object
	Template pod.Template
	// App returns what variables of the app's containers refer to. It may be nil if no injector of the run has any, see
	// RefersToApp, or if no injector has run on the pod template.
	App func() App
	// Room is how much may be added to the workload. It may be nil.
	Room *meter.Room
}

// Values are what differs from pod to pod: the values of variables, and the fields that annotations of the pod set.
type Values struct {
	// Spec is the spec with these values.
	Spec v1alpha1.SidecarInjectorSpec

	variables  schema.Variables
	values     variable.Subject
	containers map[string]variable.Container // of the app, by name, if variables refer to them
	overrides  []override
	overridden map[*node.Node]*node.Node // the bodies of containers with overrides
}

// Varies reports whether the payload has variables, or "${" in an escaped form.
func (i *Injector) Varies() bool { return !i.Literal && len(i.declared.variables) > 0 }

// ValuesFor returns the values for one pod. They are nil if nothing differs from what was written. If one of the
// findings is an error, they must not be used.
func (i *Injector) ValuesFor(subject Subject) (*Values, []finding.Finding) {
	varies := i.Varies()
	if !varies && !mayOverride(subject.annotations()) {
		return nil, nil
	}
	v := &Values{overridden: map[*node.Node]*node.Node{}}
	d := i.declared
	if varies {
		if findings := v.expand(i, &d, subject); len(findings) > 0 {
			return v, findings
		}
	}
	findings := v.findOverrides(i, subject)
	if finding.HasError(findings) || !varies && len(v.overrides) == 0 {
		return nil, findings
	}
	if len(v.overrides) > 0 {
		findings = append(findings, v.override(&d, subject)...)
	}
	v.Spec = d.spec
	return v, findings
}

// Of returns a value of the payload in the pod. What does not differ is shared with all pods.
func (v *Values) Of(value *node.Node) *node.Node {
	if body := v.overridden[value]; body != nil {
		return body
	}
	return v.variables.Expand(value, v.values, nil)
}

// ExpandFor is like Of for what the app's container of a name gets.
func (v *Values) ExpandFor(container string, value *node.Node) *node.Node {
	values := v.values
	if of, isKnown := v.containers[container]; isKnown {
		values.Container = of
	}
	return v.variables.Expand(value, values, nil)
}

// ForEach is like For, once for each of the app's containers if the value refers to them.
func (v *Values) ForEach(value *node.Node) (all []*node.Node) {
	if !v.variables.UsesContainer(value) {
		return []*node.Node{v.Of(value)}
	}
	for name := range v.containers {
		all = append(all, v.ExpandFor(name, value))
	}
	return all
}

// Unescaped returns the injector with "${" in place of "$${" in its payload, which must not have variables.
func (i *Injector) Unescaped() (*Injector, []finding.Finding) {
	if !i.Varies() {
		return i, nil
	}
	v, findings := i.ValuesFor(Subject{Object: &finding.Object{}})
	return i.withPayload(v.Of), findings
}

// expand replaces the variables of a declaration by their values, and checks the result. It reports each variable
// without a value once.
func (v *Values) expand(i *Injector, d *declaration, subject Subject) []finding.Finding {
	v.variables = d.variables
	v.values = subject.values(i.NamespaceOf(subject.Object))
	e := expander{variables: d.variables, subject: subject, reported: map[string]bool{}}
	if d.refersToApp {
		app := i.appReader(subject)
		v.values.Container = app.defaultContainer()
		e.containers, v.containers = app.containers()
	}
	subject.Room.Charge(meter.PerByteMade * node.Weight(d.fields))
	d.before = d.fields
	d.fields = node.Clone(d.fields)
	for _, field := range schema.PayloadFields {
		value := node.Get(d.fields, field)
		switch {
		case value == nil:
		case field == "appContainers" && d.refersToApp:
			d.forEach = e.expandEach(node.Own(d.fields, field), i.AppContainers, v.values)
		default:
			node.Set(d.fields, field, e.expand(value, v.values))
		}
	}
	if len(e.findings) > 0 {
		return e.findings
	}
	d.variables = nil
	return d.checkAgain(func(f finding.Finding) finding.Finding {
		return subject.refuse(finding.VariableInvalid, subject.Template.At("spec"), "",
			"with the variables of the injector filled in, "+f.Message)
	})
}

// expander replaces the variables of a declaration by the values of one pod.
type expander struct {
	variables  schema.Variables
	subject    Subject
	containers []appContainer // of the app, if variables refer to them
	findings   []finding.Finding
	reported   map[string]bool // the messages
}

// maxUnset bounds the findings about one pod, because it may have thousands of containers.
const maxUnset = 20

// expand returns a node with the values of its variables.
func (e *expander) expand(n *node.Node, values variable.Subject) *node.Node {
	return e.variables.Expand(n, values, func(text schema.Text, missing *variable.Unset) {
		message := missing.Message()
		if e.reported[message] || len(e.findings) >= maxUnset {
			return
		}
		e.reported[message] = true
		field := missing.Field
		code := finding.VariableUnset
		if missing.InPod {
			field = e.subject.Template.At(field)
		}
		if missing.Length > 0 {
			code = finding.VariableInvalid
		}
		e.findings = append(e.findings, e.subject.refuse(code, field, "", text.Path+": "+message))
	})
}

// expandedFor is an entry of appContainers as one container of the app gets it.
type expandedFor struct {
	container string
	entry     *node.Node
}

// expandEach expands the entries of appContainers. It leaves those that refer to containers as they are, and returns
// these for each container, by the index of the entry.
func (e *expander) expandEach(list *node.Node, rules []AppContainers, values variable.Subject) map[int][]expandedFor {
	all := map[int][]expandedFor{}
	for n, entry := range list.Content {
		if !e.variables.UsesContainer(entry) {
			list.Content[n] = e.expand(entry, values)
			continue
		}
		all[n] = nil
		rule := &rules[n]
		e.subject.Room.Charge(len(rule.Names) * len(e.containers) * meter.PerValue)
		for _, c := range e.containers {
			if len(e.findings) >= maxUnset {
				return all
			}
			if c.isInit && !rule.IncludeInit || !rule.Includes(c.values.Name) {
				continue
			}
			values.Container = c.values
			made := e.expand(entry, values)
			if !e.subject.Room.Take(node.Weight(made)) {
				at := e.subject.Template.At("spec")
				e.findings = append(e.findings,
					e.subject.refuse(finding.LimitExceeded, at, "", e.subject.Room.Problem()))
				return all
			}
			all[n] = append(all[n], expandedFor{c.values.Name, made})
		}
	}
	return all
}

// override sets the fields of a declaration that annotations set, and checks the result.
func (v *Values) override(d *declaration, subject Subject) []finding.Finding {
	d.before = d.fields
	d.fields = node.Clone(d.fields)
	for _, o := range v.overrides {
		o.setIn(node.OwnEntry(node.Own(d.fields, o.List), o.Index))
	}
	return d.checkAgain(func(f finding.Finding) finding.Finding {
		o := v.overrides[0]
		for _, other := range v.overrides {
			if f.Field != nil && schema.Path(f.Field.Path).Within(other.at) {
				o = other
			}
		}
		return subject.refuse(finding.OverrideInvalid, subject.annotation(o.annotation), o.value,
			fmt.Sprintf("the annotation %s is not valid: %s",
				o.annotation, strings.TrimPrefix(f.Message, o.at.String()+": ")))
	})
}

// values returns the values of variables, given the namespace of the workload.
func (s Subject) values(namespace string) variable.Subject {
	metadata := node.Get(s.Template.Node, "metadata")
	return variable.Subject{
		Name: s.Object.Name, Namespace: namespace, Kind: s.Object.Kind,
		Labels: node.Get(metadata, "labels"), Annotations: node.Get(metadata, "annotations"),
	}
}

func (s Subject) annotations() *node.Node {
	return node.Get(s.Template.Node, "metadata", "annotations")
}

// annotation returns the path of an annotation of the pod template.
func (s Subject) annotation(key string) string {
	return schema.Path(s.Template.At("metadata.annotations")).Key(key).String()
}

func (s Subject) refuse(code finding.Code, field, current, message string) finding.Finding {
	return finding.Finding{
		Severity: finding.Error, Code: code, Message: schema.Clip(message, schema.MaxMessageShown),
		Field: &finding.Field{Path: field, Current: schema.Shown(strings.Clone(current))},
	}
}
