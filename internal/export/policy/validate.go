package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// validating returns the policy that finds pods without what injectors declare. It uses only what Kubernetes 1.30 has.
func (p *printer) validating() *policy {
	p.selectPods()
	for _, s := range p.subjects {
		p.validateNeeds(s)
		p.validatePod(s)
	}
	for _, e := range p.appEntries() {
		isEqual := e.Join != nil || e.OnTaken != injector.Keep
		p.require(e.subject, p.each(e.App, p.hasAppEntry(e)), isEqual,
			"in the app's containers, %s %s", e.Row.Noun, e.Key)
	}
	return p.finish()
}

const isMissingOrDiffers = "is missing or differs"

// require adds the validation that a declared thing is in the pod, as it is declared or at all.
func (p *printer) require(s *subject, condition term, isEqual bool, format string, args ...any) {
	problem := "is missing"
	if isEqual {
		problem = isMissingOrDiffers
	}
	p.validate(s, condition, validation{message: s.declares(fmt.Sprintf(format, args...)) + problem})
}

// declares returns the beginning of a message about a thing that the injector declares.
func (s *subject) declares(thing string) string {
	return fmt.Sprintf("%s: %s, declared by the injector %s, ", finding.Outdated, thing, s.Name)
}

// validate adds a validation, with its message.
func (p *printer) validate(s *subject, condition term, v validation) {
	if s.guard != "" {
		condition = term{parts: []term{atom("!" + s.guard), condition.in("(", ")")}, separator: " ||"}
	}
	v.expression = condition.text()
	p.validations = append(p.validations, v)
}

// requireEntry adds the validation that a list of the pod has a declared entry, with the declared fields. Its message
// names those that differ.
func (p *printer) requireEntry(s *subject, op injector.Operation) {
	list := op.Row.Name()
	of := "object.spec.?" + list + ".orValue([])"
	if list == pod.Main {
		of = "object.spec." + list
	}
	thing := op.Row.Noun + " " + op.Key
	body := op.Value
	if op.Container != nil {
		thing = nounOf(op) + " " + op.Key
		body = op.Body()
	}
	isEntry := "(c, c.name == " + quote(op.Key) + ")"
	differing := differingFields(body, pod.Element(pod.Type(podSpec, list)))
	if len(differing) == 0 {
		p.require(s, atom(of+".exists"+isEntry), false, "%s", thing)
		return
	}
	name := p.newName("differing_" + op.Key)
	p.define(name, "the fields of "+thing+" that differ, if it is there", term{
		open: of + ".filter" + isEntry + ".map(c, [", separator: ",", close: `].filter(f, f != ""))`, parts: differing,
	})
	variable := "variables." + name
	p.validate(s, atom(variable+".exists(fields, fields == [])"), validation{
		message: s.declares(thing) + isMissingOrDiffers,
		messageExpression: fmt.Sprintf("%s +\n(%[2]s == [] ? \"is missing\" : \"differs in \" + %[2]s[0].join(\", \"))",
			quote(oneLine(s.declares(thing))), variable),
	})
}

// differingFields returns an expression for each declared field of the entry c: its name if it differs, or "". Entries
// of lists that have keys are fields of their own.
func differingFields(declared *node.Node, t reflect.Type) (all []term) {
	add := func(name string, conditions []term) {
		if len(conditions) == 0 {
			return
		}
		condition := every(conditions...)
		all = append(all, condition.in("", ` ? "" : `+quote(oneLine(name))))
	}
	for key, value := range node.Fields(declared) {
		row := pod.InContainer(key)
		switch {
		case key == "name":
		case row.IsKeyed() && node.Resolve(value).Kind == node.SequenceNode:
			for _, entry := range node.Resolve(value).Content {
				only := node.Mapping(node.String(key), node.Sequence(entry))
				add(key+"["+row.Key(entry)+"]", equalFields(only, t, "c"))
			}
		default:
			add(key, equalFields(node.Mapping(node.String(key), value), t, "c"))
		}
	}
	return all
}

// validateNeeds adds validations for why the mutating policy leaves pods alone.
func (p *printer) validateNeeds(s *subject) {
	for _, n := range s.needs {
		p.validate(s, atom(n.expression), validation{
			message: fmt.Sprintf("%s: %s has no value in this pod", finding.VariableUnset, n.written),
		})
	}
}

// validatePod adds validations for what is in the pod, except in containers of the app.
func (p *printer) validatePod(s *subject) {
	for _, step := range []string{"initContainers", "containers", "volumes", "imagePullSecrets"} {
		for _, op := range s.In(step) {
			p.requireEntry(s, op)
		}
	}
	for _, op := range s.In("podSpec") {
		p.requireSet(s, op.Value, podSpec, "spec", op.Key)
	}
	for _, op := range s.In("patchPodMetadata") {
		at := fmt.Sprintf("object.metadata.?%s[?%s]", op.Row.Name(), quote(op.Key))
		condition := atom(at + ".hasValue()")
		if op.OnTaken == injector.Replace {
			condition = scalar(op.Value, reflect.TypeFor[string]()).in(at+" == optional.of(", ")")
		}
		p.require(s, condition, op.OnTaken == injector.Replace, "%s %s", op.Row.Noun, op.Key)
	}
}

// requireSet adds validations that the pod sets what podSpec sets: any value will do.
func (p *printer) requireSet(s *subject, value *node.Node, t reflect.Type, steps ...string) {
	value = node.Resolve(value)
	field := pod.Type(t, steps[len(steps)-1])
	row := pod.Of(steps...)
	switch {
	case node.IsNull(value) || isZero(value, field):
	case value.Kind == node.MappingNode && !row.Whole && len(value.Content) > 0:
		for key, inside := range node.Fields(value) {
			p.requireSet(s, inside, field, append(slices.Clone(steps), key)...)
		}
	case isExpression(value) && !isPointer(field): // the API server leaves out an empty value
		p.require(s, atom(fmt.Sprintf(`%s == "" || %s.hasValue()`, value.Value, at(steps))), false, "field %s",
			strings.Join(steps, "."))
	default:
		p.require(s, atom(at(steps)+".hasValue()"), false, "field %s", strings.Join(steps, "."))
	}
}

// hasAppEntry returns the condition that the container a of the app has an entry.
func (p *printer) hasAppEntry(e *appEntry) term {
	conditions := []term{e.isAtKey()}
	switch {
	case e.Join != nil:
		for _, part := range slices.Concat(e.before, e.after) {
			conditions = append(conditions, e.hasPart(`e.?value.orValue("")`, part))
		}
	case e.OnTaken != injector.Keep:
		rest := node.Fresh(e.Value)
		node.Delete(rest, e.Row.Keys[0])
		conditions = append(conditions, equalFields(rest, appTypes[e.list], "e")...)
	}
	return every(conditions...).in(fmt.Sprintf("a.?%s.orValue([]).exists(e, ", e.list), ")")
}

// A pod arrives at admission with defaults, and perhaps with what others added, so it is compared with the payload by
// the declared fields only. The Go types tell quantities from strings, and fields that the API server leaves out if
// they are zero from those that it keeps.

// equalFields returns the conditions that the mapping at an expression has the declared fields.
func equalFields(declared *node.Node, t reflect.Type, at string) (all []term) {
	t = pod.Pointed(t)
	for key, value := range node.Fields(declared) {
		if node.IsNull(value) {
			continue
		}
		if t.Kind() == reflect.Struct && len(at) == 1 { // what an entry always has
			if field := jsonfield.Of(t).Named(key); field != nil && field.Required &&
				field.Type.Kind() != reflect.Struct {
				all = append(all, scalar(node.Resolve(value), field.Type).in(at+"."+key+" == ", ""))
				continue
			}
		}
		all = append(all, equalValue(key, value, pod.Type(t, key), at+optional(key))...)
	}
	return all
}

// equalValue returns the conditions that the optional value at an expression is the declared one. There are none for
// what the API server leaves out or replaces by a default.
func equalValue(name string, declared *node.Node, t reflect.Type, at string) []term {
	declared = node.Resolve(declared)
	switch {
	case pod.Pointed(t) == reflect.TypeFor[resource.Quantity]():
		return []term{equalQuantity(declared, at)}
	case declared.Kind == node.MappingNode:
		conditions := equalFields(declared, t, at)
		if len(conditions) == 0 && isPointer(t) {
			return []term{atom(at + ".hasValue()")}
		}
		return conditions
	case declared.Kind == node.SequenceNode:
		return equalList(name, declared, t, at)
	case isExpression(declared):
		return []term{atom(fmt.Sprintf(`%s.orValue("") == %s`, at, declared.Value))}
	case !isZero(declared, t):
		return []term{scalar(declared, pod.Pointed(t)).in(at+" == optional.of(", ")")}
	case pod.IsDefaulted(name):
		return nil
	default:
		zero := scalar(declared, pod.Pointed(t)).String()
		return []term{atom(fmt.Sprintf("%s.orValue(%s) == %[2]s", at, zero))}
	}
}

func isPointer(t reflect.Type) bool { return t != nil && t.Kind() == reflect.Pointer }

// isZero reports whether the API server leaves out a scalar.
func isZero(n *node.Node, t reflect.Type) bool {
	if n.Kind != node.ScalarNode || isExpression(n) || t == nil || isPointer(t) || t.Kind() == reflect.Struct {
		return false
	}
	return slices.Contains([]string{`""`, "0", "false"}, scalar(n, t).String())
}

// equalQuantity returns the condition that an optional quantity is the declared one: 1000m is 1.
func equalQuantity(declared *node.Node, at string) term {
	value := declared.Value
	if !isExpression(declared) {
		value = quote(value)
	}
	return atom(fmt.Sprintf("%s.optMap(q, quantity(q).compareTo(quantity(%s)) == 0).orValue(false)", at, value))
}

// equalList returns the conditions that an optional list has the declared entries. If they have keys, others may be
// between them; the entries of other lists are compared by their index.
func equalList(name string, declared *node.Node, t reflect.Type, at string) (all []term) {
	element := pod.Element(t)
	entries := declared.Content
	isKeyed := pod.InContainer(name).IsKeyed()
	if len(entries) == 0 {
		return nil
	}
	if node.Resolve(entries[0]).Kind == node.ScalarNode {
		return []term{object(declared, t, "").in(at+".orValue([]) == ", "")}
	}
	if !isKeyed {
		all = append(all, atom(fmt.Sprintf("size(%s.orValue([])) == %d", at, len(entries))))
	}
	for i, entry := range entries {
		if isKeyed {
			conditions := equalFields(entry, element, "e")
			if name == "ports" && node.Get(entry, "protocol") == nil {
				conditions = append(conditions, atom(`e.protocol == "TCP"`))
			}
			all = append(all, every(conditions...).in(at+".orValue([]).exists(e, ", ")"))
		} else {
			all = append(all, equalFields(entry, element, fmt.Sprintf("%s[?%d]", at, i))...)
		}
	}
	return all
}
