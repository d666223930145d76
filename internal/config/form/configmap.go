package form

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// PayloadKey is the data key that holds the payload of a classic ConfigMap.
const PayloadKey = "config"

// initializerSuffix is the usual ending of the names of such ConfigMaps.
const initializerSuffix = "-initializer"

// configMap is a Kubernetes ConfigMap.
type configMap struct {
	APIVersion string                     `json:"apiVersion"`
	Kind       string                     `json:"kind"`
	Metadata   metav1.ObjectMeta          `json:"metadata"`
	Data       map[string]schema.YAMLText `json:"data"`
	BinaryData map[string]string          `json:"binaryData"`
	Immutable  *bool                      `json:"immutable"`
}

// partialPodSpec is the content of data.config: the payload as it is in a pod.
type partialPodSpec struct {
	Containers       []v1alpha1.Container          `json:"containers"`
	InitContainers   []v1alpha1.InitContainer      `json:"initContainers"`
	Volumes          []corev1.Volume               `json:"volumes"`
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets"`
}

// configMapReader collects the fields of a spec from the keys of a ConfigMap.
type configMapReader struct {
	reader
	spec      *node.Node
	positions schema.Positions // of all fields, also of those that are not written
}

func (d reader) readConfigMap(config *node.Node) Form {
	var decoded configMap
	name := strings.TrimSuffix(d.Object.Name, initializerSuffix)
	d.Injector = name
	d.Decode(config, &decoded, "")
	if len(decoded.BinaryData) > 0 {
		d.Refusef("binaryData", "", "a config is text; move what is here to data")
	}
	c := configMapReader{reader: d, spec: node.Mapping(), positions: schema.Positions{}}
	for _, field := range schema.SpecFields().Names() {
		c.positions[schema.InSpec(field)] = schema.Path("data").Key(field).Text()
	}
	for _, field := range fieldsInConfig().Names() {
		c.positions[schema.InSpec(field)] = schema.Path("data").Key(PayloadKey).Text().Key(field)
	}
	for key, text := range node.Fields(node.Get(config, "data")) {
		if text.Kind == node.ScalarNode && text.Tag == node.StrTag {
			c.readKey(key, text.Value)
		}
	}
	metadata := node.Mapping(node.String("name"), node.String(name))
	return Form{
		Injector:  node.Mapping(node.String("metadata"), metadata, node.String("spec"), c.spec),
		Positions: c.positions,
		AutoPlain: true,
		Literal:   true,
	}
}

func fieldsInConfig() jsonfield.Fields { return jsonfield.Of(reflect.TypeFor[partialPodSpec]()) }

// readKey reads the text of a data key: the payload, or the field of the spec with that name.
func (c configMapReader) readKey(key, text string) {
	at := schema.Path("data").Key(key)
	known := schema.SpecFields().Named(key)
	switch {
	case key == PayloadKey:
		c.readPayload(c.parse(text, at), at.Text())
	case known == nil:
		c.refuseKey(key, at)
	case known.Type.Kind() == reflect.String:
		c.add(key, node.String(strings.TrimSpace(text)), at.Text())
	default:
		c.add(key, c.parse(text, at), at.Text())
	}
}

func (c configMapReader) readPayload(content *node.Node, at schema.Path) {
	t := reflect.TypeFor[partialPodSpec]()
	if node.IsNull(content) || !c.CheckNodeKind(content, t, at) {
		return
	}
	c.EachPair(content, at, func(name string, value *node.Node) {
		if fieldsInConfig().Named(name) == nil {
			c.RefuseField(name, t, at)
			return
		}
		c.add(name, value, at.Key(name))
	})
}

// add adds a field to the spec, unless its text is empty. It refuses a field that another key has, too.
func (c configMapReader) add(field string, value *node.Node, at schema.Path) {
	switch {
	case value == nil:
	case node.Get(c.spec, field) != nil:
		c.Malformf(at, "", "%s has this already; keep one of the two", c.positions[schema.InSpec(field)])
	default:
		c.positions[schema.InSpec(field)] = at
		node.Set(c.spec, field, value)
	}
}

// parse reads the text of a data key as one YAML document. It returns nil after a problem.
func (c configMapReader) parse(text string, at schema.Path) *node.Node {
	document, err := read.Document([]byte(text))
	switch {
	case errors.Is(err, io.EOF), err == nil && len(document.Content) == 0:
		return nil
	case err != nil:
		line := 1
		column := 1
		if found, ok := errors.AsType[*read.Error](err); ok {
			line, column = read.Position([]byte(text), found.At)
		}
		c.Malformf(at, "", "line %d, column %d of this text is not one YAML document: %v", line, column, err)
		return nil
	}
	return c.ExpandAliases(document.Content[0], at.Text())
}

func (c configMapReader) refuseKey(key string, at schema.Path) {
	names := append([]string{PayloadKey}, schema.SpecFields().Names()...)
	unknown := schema.Problem{At: at, Current: key, Message: fmt.Sprintf("there is no data key %q", schema.Shown(key))}
	if !unknown.Propose(key, names) {
		unknown.Message += "; it must be " + PayloadKey + ", which holds containers and volumes, " +
			"or the name of a SidecarInjector's spec field"
	}
	c.Malform(unknown)
}
