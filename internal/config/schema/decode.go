package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/expression"
	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Decoder decodes nodes without aliases into Go values, and refuses everything that the type does not have. It
// continues after a problem, so that one run finds all of them. What cannot be decoded stays unset.
type Decoder struct {
	*Problems
	Variables Variables // of the current injector
	rule      int       // the index of the entry of appContainers in which variables are looked for, or -1
	Version   string    // of the cluster of the current injector

	// foreign are the words that types of another tool's config may be. They are nil in Pillion's own, which has a
	// version of the cluster.
	Foreign map[reflect.Type][]string
}

// Ignored is a mapping that is not decoded with what is around it.
type Ignored struct{}

// Decode decodes n into the variable that target points to.
func (d *Decoder) Decode(n *node.Node, target any, at Path) {
	d.Value(n, reflect.ValueOf(target).Elem(), at)
}

// Value decodes n into v. Null leaves it unset, as in Kubernetes.
func (d *Decoder) Value(n *node.Node, v reflect.Value, at Path) {
	if node.IsNull(n) || v.Type() == reflect.TypeFor[Ignored]() {
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if d.varies(n, v) {
		return
	}
	if UnmarshalsItself(v.Type()) {
		d.decodeCustom(n, v, at)
		return
	}
	if !d.CheckNodeKind(n, v.Type(), at) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.decodeStruct(n, v, at)
	case reflect.Map:
		d.decodeMap(n, v, at)
	case reflect.Slice:
		d.decodeSlice(n, v, at)
	case reflect.String:
		d.decodeString(n, v, at)
	case reflect.Bool:
		d.decodeTagged(n, v, at, node.BoolTag)
	default:
		d.decodeTagged(n, v, at, node.IntTag)
	}
}

func (d *Decoder) decodeStruct(n *node.Node, v reflect.Value, at Path) {
	fields := jsonfield.Of(v.Type())
	d.EachPair(n, at, func(name string, value *node.Node) {
		if field := fields.Named(name); field != nil {
			d.checkSince(name, v.Type(), at)
			d.Value(value, v.FieldByIndex(field.Index), at.Key(name))
			return
		}
		if IsNewerThanTypes(d.Version) && isOfPod(v.Type()) &&
			!d.IsFull() && !spelling.IsMisspelt(name, fields.Names()) {
			d.takeField(name, value, at)
			return
		}
		d.RefuseField(name, v.Type(), at)
	})
	d.checkValues(n, v, at)
}

// checkSince refuses a field of a pod that the cluster is too old for: it drops the field.
func (d *Decoder) checkSince(name string, t reflect.Type, at Path) {
	if since := pod.Since(t, name); !IsAtLeast(d.Version, since) {
		d.Malformf(at.Key(name), name,
			"the field needs Kubernetes 1.%d, and kubernetesVersion is %s; remove it or raise the version",
			since, d.Version)
	}
}

// takeField reports a field that is not known here, and checks that its value has a meaning in JSON.
func (d *Decoder) takeField(name string, value *node.Node, at Path) {
	if _, ok := d.toJSON(value, "a value of JSON without repeated keys", at.Key(name)); ok {
		d.Warn(Problem{At: at.Key(name), Current: name, Code: finding.UnknownField, Message: fmt.Sprintf(
			"Kubernetes 1.%d, the newest version that is known here, has no such field; it is added as written",
			pod.Last)})
	}
}

// isOfPod reports whether a type is part of a pod, or such a part with settings.
func isOfPod(t reflect.Type) bool {
	hasSettings := t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Anonymous &&
		t.Field(0).Type.PkgPath() == corePackage
	return hasSettings || t.PkgPath() == corePackage
}

var corePackage = reflect.TypeFor[corev1.Container]().PkgPath()

func (d *Decoder) decodeMap(n *node.Node, v reflect.Value, at Path) {
	v.Set(reflect.MakeMap(v.Type()))
	d.EachPair(n, at, func(name string, value *node.Node) {
		element := reflect.New(v.Type().Elem()).Elem()
		d.Value(value, element, at.Key(name))
		if d.varies(value, element) {
			return // its value is not known, which is not the zero value
		}
		v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), element)
	})
}

// decodeSlice decodes an empty list as an empty slice, because people write it on purpose.
func (d *Decoder) decodeSlice(n *node.Node, v reflect.Value, at Path) {
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, entry := range n.Content {
		if node.IsNull(entry) {
			d.Malformf(at.Index(i), "", "this entry is empty; write %s or remove its dash", expected(v.Type().Elem()))
			continue
		}
		d.Value(entry, v.Index(i), at.Index(i))
	}
}

// EachPair calls visit for each pair of a mapping. It refuses a key that the mapping has twice, because other programs
// may take either, and one that is another key to kubectl, because the workload would be refused once it has that key.
func (d *Decoder) EachPair(n *node.Node, at Path, visit func(name string, value *node.Node)) {
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		if known, isName := node.KeyName(n.Content[i]); !isName || known != name {
			d.refuseKey(n.Content[i], at)
			continue
		}
		if seen[name] {
			d.Malformf(at.Key(name), "", "this key is given twice in one mapping; remove one")
			continue
		}
		seen[name] = true
		visit(name, n.Content[i+1])
	}
}

// maxCustom bounds texts such as times.
const maxCustom = 256

// plainTags are the tags of scalars that are what they look like. A value with another one, such as !!binary, is not.
var plainTags = []node.Tag{node.StrTag, node.IntTag, node.FloatTag, node.BoolTag, node.NullTag, node.TimestampTag}

// decodeCustom decodes types that unmarshal themselves, such as quantities.
func (d *Decoder) decodeCustom(n *node.Node, v reflect.Value, at Path) {
	text, ok := d.toJSON(n, expected(v.Type()), at)
	if !ok {
		return
	}
	isWrong := len(n.Value) > maxCustom
	if v.Type() == reflect.TypeFor[resource.Quantity]() && n.Tag != node.IntTag {
		_, err := expression.Quantity(n.Value) // which has limits: Kubernetes takes hours to parse 1e-999999999
		isWrong = err != nil
	}
	if isWrong || json.Unmarshal(text, v.Addr().Interface()) != nil {
		d.Malformf(at, n.Value, "expected %s, found %s%s", expected(v.Type()), node.Describe(n), withoutBytes(n.Value))
		return
	}
	if quantity, isQuantity := v.Addr().Interface().(*resource.Quantity); isQuantity {
		d.warnOfBytes(n.Value, quantity, at)
	}
}

// withoutBytes returns how to write an amount of bytes such as 64MB, as the end of a message, or "" if a text is none.
func withoutBytes(text string) string {
	amount, isBytes := strings.CutSuffix(strings.ReplaceAll(text, " ", ""), "B")
	if !isBytes {
		return ""
	}
	if _, err := expression.Quantity(amount); err != nil {
		return ""
	}
	return "; write " + amount + ", without B"
}

// tagOf returns the tag of a node, for messages.
func tagOf(n *node.Node) string {
	if n.Tag == node.OtherTag {
		return "a YAML tag that no object has"
	}
	return "the YAML tag " + n.Tag.String()
}

// toJSON returns a value in JSON. It refuses a value that has no meaning there, and a tag that would be lost.
func (d *Decoder) toJSON(n *node.Node, expected string, at Path) (text []byte, ok bool) {
	if n.Kind == node.ScalarNode && !slices.Contains(plainTags, n.Tag) {
		d.Malformf(at, n.Value, "expected %s, found a value with %s; remove the tag", expected, tagOf(n))
		return nil, false
	}
	var value any
	err := n.Decode(&value)
	if err == nil {
		text, err = json.Marshal(value)
	}
	if err != nil {
		d.Malformf(at, n.Value, "expected %s, found %s", expected, node.Describe(n))
	}
	return text, err == nil
}

// UnmarshalsItself reports whether values of a type are read from JSON by the type itself.
func UnmarshalsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// PresentFields returns the names of a struct's fields that are not nil. All of its fields must be pointers.
func PresentFields(v any) []string {
	value := reflect.ValueOf(v)
	var names []string
	for _, field := range jsonfield.Of(value.Type()) {
		if !value.FieldByIndex(field.Index).IsNil() {
			names = append(names, field.Name)
		}
	}
	return names
}

// decodeString decodes strings only: the API server refuses a number or a boolean in their place, such as value: 8080.
func (d *Decoder) decodeString(n *node.Node, v reflect.Value, at Path) {
	allowed := d.allowedFor(v)
	switch n.Tag {
	case node.IntTag, node.FloatTag, node.BoolTag:
		if len(allowed) > 0 {
			d.Malformf(at, n.Value, "expected one of %s, found %s", strings.Join(allowed, ", "), node.Describe(n))
			return
		}
		quoted := `"` + Shown(n.Value) + `"`
		d.Malform(Problem{At: at, Current: n.Value, Proposed: quoted, Message: fmt.Sprintf(
			"expected a string, found %s; write it in quotes: %s", node.Describe(n), quoted)})
		return
	case node.StrTag, node.TimestampTag: // a date without quotes is a string to Kubernetes
	default:
		d.Malformf(at, n.Value, "expected a string, found a value with %s; remove the tag", tagOf(n))
		return
	}
	if n.Value == "" || len(allowed) == 0 || slices.Contains(allowed, n.Value) {
		v.SetString(n.Value)
		return
	}
	if remedy, isWithdrawn := withdrawn[reflect.ValueOf(n.Value).Convert(v.Type()).Interface()]; isWithdrawn {
		d.Malformf(at, n.Value, "%s", remedy)
		return
	}
	message := fmt.Sprintf("%q is not one of %s", Shown(n.Value), strings.Join(allowed, ", "))
	found := Problem{At: at, Current: n.Value, Message: message}
	found.Propose(n.Value, allowed)
	d.Malform(found)
}

// allowedFor returns the values of a string type, or nil if it has any.
func (d *Decoder) allowedFor(v reflect.Value) []string {
	if allowed := v1alpha1.Allowed(v.Interface()); len(allowed) > 0 {
		return allowed
	}
	return d.Foreign[v.Type()]
}

// decodeTagged decodes a boolean or a number with YAML's own decoder, if the node has the tag.
func (d *Decoder) decodeTagged(n *node.Node, v reflect.Value, at Path, tag node.Tag) {
	fits := n.Tag == tag
	if fits && n.Decode(v.Addr().Interface()) == nil {
		return
	}
	v.SetZero()
	if fits {
		d.Malformf(at, n.Value, "the number %s is too large for this field", Shown(n.Value))
		return
	}
	found := Problem{At: at, Current: n.Value, Message: fmt.Sprintf(
		"expected %s, found %s", expected(v.Type()), node.Describe(n))}
	unquoted := node.Node{Kind: node.ScalarNode, Value: n.Value}
	if _, isVariable := d.Variables[n]; isVariable {
		found.Message += "; a variable gives a string, which this field does not take"
	} else if n.Tag == node.StrTag && unquoted.Decode(v.Addr().Interface()) == nil {
		found.Proposed = n.Value
		if v.Kind() == reflect.Bool {
			found.Proposed = strconv.FormatBool(v.Bool())
		}
		found.Message += "; write " + found.Proposed
		v.SetZero()
	}
	d.Malform(found)
}
