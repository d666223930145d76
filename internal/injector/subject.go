package injector

import (
	"fmt"
	"reflect"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// Subject is the pod template that an injector is to go into, and its workload.
type Subject struct {
	Object   *finding.Object
	Template podtemplate.Template
}

// Varies tells whether the payload holds variables, so that it differs from pod to pod, or at
// least is not as it was written.
func (i *Injector) Varies() bool { return !i.Literal && len(i.declared.variables) > 0 }

// For is the injector as it is for one pod: with its variables filled in, and with what the
// pod's annotations override. It is the injector itself where neither is there. Where an error is
// among the findings, the injector must not be used.
func (i *Injector) For(subject Subject) (*Injector, []finding.Finding) {
	made, met := i, []finding.Finding(nil)
	if i.Varies() {
		made, met = i.filledIn(subject)
		if finding.HasError(met) {
			return made, met
		}
	}
	overrides, said := made.overridesOf(subject)
	met = append(met, said...)
	if finding.HasError(met) || len(overrides) == 0 {
		return made, met
	}
	overridden, said := made.overridden(subject, overrides)
	return overridden, append(met, said...)
}

// Unescaped is the injector as it is for every pod, with "${" where its payload says "$${". There
// must be no variables in it.
func (i *Injector) Unescaped() (*Injector, []finding.Finding) {
	if !i.Varies() {
		return i, nil
	}
	return i.filledIn(Subject{Object: &finding.Object{}})
}

// filledIn is the injector with its variables filled in.
func (i *Injector) filledIn(subject Subject) (*Injector, []finding.Finding) {
	var met []finding.Finding
	said := map[string]bool{} // a variable that many fields use is said once
	values := subject.values()
	d := i.declared
	fields := node.Clone(d.fields)
	for _, field := range payloadFields {
		if value := node.Get(fields, field); value != nil {
			node.Set(fields, field, d.variables.expand(value, values, func(at path, missing *variable.Unset) {
				if !said[missing.Variable] {
					said[missing.Variable] = true
					met = append(met, subject.unset(at, missing))
				}
			}))
		}
	}
	if len(met) > 0 {
		return nil, met
	}
	d.fields, d.variables = fields, nil
	return d.again(func(f finding.Finding) finding.Finding {
		return subject.refuse(finding.VariableInvalid, subject.Template.At("spec"), "",
			"with the variables of the injector filled in, "+f.Message)
	})
}

// overridden is the injector with the values of annotations in it.
func (i *Injector) overridden(subject Subject, overrides []override) (*Injector, []finding.Finding) {
	d := i.declared
	d.fields = node.Clone(d.fields)
	setOverrides(d.fields, overrides)
	return d.again(func(f finding.Finding) finding.Finding {
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
			fmt.Sprintf("the annotation %s cannot be: %s", o.annotation, why))
	})
}

// again makes an injector of a declaration whose payload has changed, with the same strictness
// as the first time.
func (d declaration) again(say func(finding.Finding) finding.Finding) (*Injector, []finding.Finding) {
	p := &problems{patterns: patterns{config: d.patterns}}
	decoder := newDecoder(p)
	d.expanded = true
	spec := reflect.ValueOf(&d.spec).Elem()
	known := decoder.fieldsOf(spec.Type()).byName
	for _, field := range payloadFields {
		decoder.value(node.Get(d.fields, field), spec.FieldByIndex(known[field].Index), d.at(field))
	}
	made := ready(p, d)
	var met []finding.Finding
	for _, f := range p.all() {
		if f.Severity == finding.Error { // what is merely doubtful was said when the config was read
			met = append(met, say(f))
		}
	}
	return made, met
}

// values are what variables take their values from.
func (s Subject) values() variable.Subject {
	metadata := node.Get(s.Template.Node, "metadata")
	return variable.Subject{
		Name: s.Object.Name, Namespace: s.Object.Namespace, Kind: s.Object.Kind,
		Labels: node.Get(metadata, "labels"), Annotations: node.Get(metadata, "annotations"),
	}
}

func (s Subject) unset(at path, missing *variable.Unset) finding.Finding {
	field := missing.Field
	if missing.InPod {
		field = s.Template.At(field)
	}
	return s.refuse(finding.VariableUnset, field, "", fmt.Sprintf("%s: %s", at, missing.Message()))
}

// annotation is the place of one of the pod template's annotations.
func (s Subject) annotation(key string) string {
	return path(s.Template.At("metadata.annotations")).key(key).String()
}

func (s Subject) refuse(code finding.Code, field, current, message string) finding.Finding {
	return finding.Finding{
		Severity: finding.Error, Code: code, Message: clip(message, maxMessageShown),
		Field: &finding.Field{Path: field, Current: clip(strings.Clone(current), maxShown)},
	}
}
