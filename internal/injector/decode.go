package injector

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/schema"
	"pillion.dev/pillion/internal/yaml/node"
)

// decoder reads plain nodes into Go values and takes nothing that is not as the type
// says. It goes on behind a problem, so that all of them are found in one run; what
// could not be read stays unset.
type decoder struct {
	*problems
	variables variables // of the injector at hand
}

// structFields are a struct's fields in order, and by name.
type structFields struct {
	names  []string
	byName map[string]schema.Field
}

func newDecoder(p *problems) *decoder {
	return &decoder{problems: p}
}

// decode reads n into the variable that target points to.
func (d *decoder) decode(n *yaml.Node, target any, at path) {
	d.value(n, reflect.ValueOf(target).Elem(), at)
}

// value reads n into v. Null means "not set", as it does to Kubernetes.
func (d *decoder) value(n *yaml.Node, v reflect.Value, at path) {
	if node.IsNull(n) {
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if d.varies(n, v) {
		return
	}
	if unmarshalsItself(v.Type()) {
		d.custom(n, v, at)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.structure(n, v, at)
	case reflect.Map:
		d.mapping(n, v, at)
	case reflect.Slice:
		d.list(n, v, at)
	default:
		d.scalar(n, v, at)
	}
}

func (d *decoder) structure(n *yaml.Node, v reflect.Value, at path) {
	if !d.hasShape(n, v.Type(), at) {
		return
	}
	fields := d.fieldsOf(v.Type())
	d.pairs(n, at, func(name string, value *yaml.Node) {
		if field, ok := fields.byName[name]; ok {
			d.value(value, v.FieldByIndex(field.Index), at.key(name))
			return
		}
		d.unknownField(name, v.Type(), at)
	})
}

func (d *decoder) mapping(n *yaml.Node, v reflect.Value, at path) {
	if !d.hasShape(n, v.Type(), at) {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	d.pairs(n, at, func(name string, value *yaml.Node) {
		element := reflect.New(v.Type().Elem()).Elem()
		d.value(value, element, at.key(name))
		if d.varies(value, element) {
			return // no value yet is not zero
		}
		v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), element)
	})
}

// list keeps an empty list apart from none: an empty one was written on purpose.
func (d *decoder) list(n *yaml.Node, v reflect.Value, at path) {
	if !d.hasShape(n, v.Type(), at) {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, entry := range n.Content {
		if node.IsNull(entry) {
			d.malform(problem{at: at.index(i), message: "this entry is empty; write " + expected(v.Type().Elem()) + " or remove its dash"})
			continue
		}
		d.value(entry, v.Index(i), at.index(i))
	}
}

// pairs calls visit for each pair of a mapping and refuses a key that comes twice:
// what reads it next may take either.
func (d *decoder) pairs(n *yaml.Node, at path, visit func(name string, value *yaml.Node)) {
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		if seen[name] {
			d.malform(problem{at: at.key(name), message: "this key is given twice in one mapping; remove one"})
			continue
		}
		seen[name] = true
		visit(name, n.Content[i+1])
	}
}

// maxCustom bounds the text of a quantity: parsing a long one takes more than linear time.
const maxCustom = 256

// custom reads the types that know best what they look like, such as quantities.
func (d *decoder) custom(n *yaml.Node, v reflect.Value, at path) {
	var value any
	err := n.Decode(&value)
	if err == nil && len(n.Value) > maxCustom {
		err = errors.New("it is too long")
	}
	if err == nil {
		var text []byte
		if text, err = json.Marshal(value); err == nil {
			err = json.Unmarshal(text, v.Addr().Interface())
		}
	}
	if err != nil {
		d.malform(problem{at: at, current: n.Value, message: fmt.Sprintf("expected %s, found %s", expected(v.Type()), node.Describe(n))})
	}
}

func unmarshalsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// structs are the fields of the types that were met: payloads with variables are read again
// for each pod.
var structs sync.Map // reflect.Type to structFields

func (d *decoder) fieldsOf(t reflect.Type) structFields {
	if known, ok := structs.Load(t); ok {
		return known.(structFields)
	}
	fields := structFields{byName: map[string]schema.Field{}}
	for _, field := range schema.Fields(t) {
		fields.names = append(fields.names, field.Name)
		fields.byName[field.Name] = field
	}
	structs.Store(t, fields)
	return fields
}
