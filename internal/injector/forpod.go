package injector

import (
	"fmt"
	"reflect"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// Subject is a pod template that an injector is for, and its workload.
type Subject struct {
	Object   *finding.Object
	Template podtemplate.Template
	// App returns what variables of the app's containers refer to. It may be nil if no injector of the run has any, see
	// RefersToApp, or if no injector has run on the pod template.
	App func() App
	// Room is how much may be added to the workload. It may be nil.
	Room *meter.Room
}

// Varies reports whether the payload has variables, or "${" in an escaped form.
func (i *Injector) Varies() bool { return !i.Literal && len(i.declared.variables) > 0 }

// For returns the injector for one pod: with the values of its variables, and with the fields that the
// pod's annotations override. Without either, it is the injector itself. If one of the findings is an
// error, the injector must not be used.
func (i *Injector) For(subject Subject) (*Injector, []finding.Finding) {
	var findings []finding.Finding
	if i.Varies() {
		if i, findings = i.expand(subject); finding.HasError(findings) {
			return i, findings
		}
	}
	overrides, found := i.findOverrides(subject)
	findings = append(findings, found...)
	if finding.HasError(findings) || len(overrides) == 0 {
		return i, findings
	}
	i, found = i.override(subject, overrides)
	return i, append(findings, found...)
}

// Unescaped returns the injector with "${" in place of "$${" in its payload, which must not have variables.
func (i *Injector) Unescaped() (*Injector, []finding.Finding) {
	if !i.Varies() {
		return i, nil
	}
	return i.expand(Subject{Object: &finding.Object{}})
}

// expand returns the injector with the values of its variables. It reports each variable without a value once.
func (i *Injector) expand(subject Subject) (*Injector, []finding.Finding) {
	e := expander{
		declaration: i.declared, subject: subject, values: subject.values(i.NamespaceOf(subject.Object)), reported: map[string]bool{},
	}
	if i.declared.refersToApp {
		e.app = i.appReader(subject, e.values)
		e.values.Container = e.app.defaultContainer()
	}
	subject.Room.Charge(meter.PerByteMade * node.Weight(e.fields))
	e.fields = node.Clone(e.fields)
	for _, field := range PayloadFields {
		value := node.Get(e.fields, field)
		switch {
		case value == nil:
		case field == "appContainers" && e.refersToApp:
			node.Set(e.fields, field, e.expandEach(value))
		default:
			node.Set(e.fields, field, e.expand(value, e.values))
		}
	}
	if len(e.findings) > 0 {
		return nil, e.findings
	}
	d := e.declaration
	d.variables, d.refersToApp = nil, false
	return d.rebuild(func(f finding.Finding) finding.Finding {
		return subject.refuse(finding.VariableInvalid, subject.Template.At("spec"), "",
			"with the variables of the injector filled in, "+d.asWritten(f))
	})
}

// override returns the injector with fields set by annotations.
func (i *Injector) override(subject Subject, overrides []override) (*Injector, []finding.Finding) {
	d := i.declared
	d.fields = node.Clone(d.fields)
	setOverrides(d.fields, overrides)
	return d.rebuild(func(f finding.Finding) finding.Finding {
		o := overrides[0]
		for _, other := range overrides {
			if f.Field != nil && path(f.Field.Path).within(other.at(d)) {
				o = other
			}
		}
		why := f.Message
		if f.Field != nil {
			why = strings.TrimPrefix(why, o.at(d).String()+": ")
		}
		return subject.refuse(finding.OverrideInvalid, subject.annotation(o.annotation), o.value,
			fmt.Sprintf("the annotation %s is not valid: %s", o.annotation, why))
	})
}

// rebuild decodes, checks and builds a declaration with a changed payload. It returns the errors, in the
// words of the caller; the warnings were reported when the config was read.
func (d declaration) rebuild(reword func(finding.Finding) finding.Finding) (*Injector, []finding.Finding) {
	p := &problems{patterns: patterns{config: d.patterns}}
	decoder := &decoder{problems: p, version: d.spec.KubernetesVersion}
	d.expanded = true
	spec := reflect.ValueOf(&d.spec).Elem()
	known := jsonfield.Of(spec.Type())
	for _, field := range PayloadFields {
		decoder.value(node.Get(d.fields, field), spec.FieldByIndex(known.Named(field).Index), d.at(field))
	}
	built := build(p, d)
	var findings []finding.Finding
	for _, f := range p.all() {
		if f.Severity == finding.Error {
			findings = append(findings, reword(f))
		}
	}
	return built, findings
}

// values returns the values of variables, given the namespace of the workload.
func (s Subject) values(namespace string) variable.Subject {
	metadata := node.Get(s.Template.Node, "metadata")
	return variable.Subject{
		Name: s.Object.Name, Namespace: namespace, Kind: s.Object.Kind,
		Labels: node.Get(metadata, "labels"), Annotations: node.Get(metadata, "annotations"),
	}
}

func (s Subject) unset(at path, missing *variable.Unset) finding.Finding {
	field := missing.Field
	if missing.InPod {
		field = s.Template.At(field)
	}
	code := finding.VariableUnset
	if missing.Length > 0 {
		code = finding.VariableInvalid
	}
	return s.refuse(code, field, "", fmt.Sprintf("%s: %s", at, missing.Message()))
}

// annotation returns the path of an annotation of the pod template.
func (s Subject) annotation(key string) string {
	return path(s.Template.At("metadata.annotations")).key(key).String()
}

func (s Subject) refuse(code finding.Code, field, current, message string) finding.Finding {
	return finding.Finding{
		Severity: finding.Error, Code: code, Message: clip(message, maxMessageShown),
		Field: &finding.Field{Path: field, Current: clip(strings.Clone(current), maxShown)},
	}
}
