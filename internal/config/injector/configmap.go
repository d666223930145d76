package injector

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
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
	APIVersion string              `json:"apiVersion"`
	Kind       string              `json:"kind"`
	Metadata   metav1.ObjectMeta   `json:"metadata"`
	Data       map[string]yamlText `json:"data"`
	BinaryData map[string]string   `json:"binaryData"`
	Immutable  *bool               `json:"immutable"`
}

// yamlText is a string that holds YAML.
type yamlText string

// partialPodSpec is the content of data.config: the payload as it is in a pod.
type partialPodSpec struct {
	Containers       []v1alpha1.Container          `json:"containers"`
	InitContainers   []v1alpha1.InitContainer      `json:"initContainers"`
	Volumes          []corev1.Volume               `json:"volumes"`
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets"`
}

// configMapReader collects the fields of a spec from the keys of a ConfigMap.
type configMapReader struct {
	*decoder
	spec   v1alpha1.SidecarInjectorSpec
	fields *node.Node
	paths  map[string]path // of the fields
}

func readConfigMap(config *node.Node, d *decoder) []*Injector {
	var decoded configMap
	name := strings.TrimSuffix(d.object.Name, initializerSuffix)
	d.injector = name
	d.version = strings.TrimSpace(node.Text(config, "data", "kubernetesVersion"))
	d.decode(config, &decoded, "")
	if len(decoded.BinaryData) > 0 {
		d.refusef("binaryData", "", "a config is text; move what is here to data")
	}
	c := &configMapReader{decoder: d, fields: node.Mapping(), paths: map[string]path{}}
	for key, text := range node.Fields(node.Get(config, "data")) {
		if text.Kind == node.ScalarNode && text.Tag == node.StrTag {
			c.readKey(key, text.Value)
		}
	}
	return []*Injector{build(d.problems, declaration{
		name: name, nameAt: "metadata.name", fields: c.fields, spec: c.spec, at: c.at, literal: true, autoPlain: true,
	})}
}

// at returns the path of a field of the spec, even if it was not written.
func (c *configMapReader) at(field string) path {
	inPayload := path("data").key(PayloadKey).text().key(field)
	if jsonfield.Of(reflect.TypeFor[partialPodSpec]()).Named(field) == nil {
		inPayload = path("data").key(field).text()
	}
	return cmp.Or(c.paths[field], inPayload)
}

// readKey reads the text of a data key: the payload, or the field of the spec with that name.
func (c *configMapReader) readKey(key, text string) {
	at := path("data").key(key)
	if key == PayloadKey {
		c.readPayload(text, at)
		return
	}
	known := specFields().Named(key)
	if known == nil {
		c.refuseKey(key, at)
		return
	}
	value := node.String(strings.TrimSpace(text))
	if known.Type.Kind() != reflect.String {
		value = c.parse(text, at)
	}
	if value != nil && c.add(key, value, at.text()) {
		c.value(value, reflect.ValueOf(&c.spec).Elem().FieldByIndex(known.Index), at.text())
	}
}

func specFields() jsonfield.Fields {
	return jsonfield.Of(reflect.TypeFor[v1alpha1.SidecarInjectorSpec]())
}

func (c *configMapReader) readPayload(text string, at path) {
	content := c.parse(text, at)
	if node.IsNull(content) {
		return
	}
	var payload partialPodSpec
	c.decode(content, &payload, at.text())
	for field, value := range node.Fields(content) {
		c.add(field, value, at.text().key(field))
	}
	c.spec.Containers = append(c.spec.Containers, payload.Containers...)
	c.spec.InitContainers = append(c.spec.InitContainers, payload.InitContainers...)
	c.spec.Volumes = append(c.spec.Volumes, payload.Volumes...)
	c.spec.ImagePullSecrets = append(c.spec.ImagePullSecrets, payload.ImagePullSecrets...)
}

// add adds a field to the spec. It refuses a field that another key has, too.
func (c *configMapReader) add(field string, value *node.Node, at path) bool {
	if first, again := c.paths[field]; again {
		c.malformf(at, "", "%s has this already; keep one of the two", first)
		return false
	}
	c.paths[field] = at
	c.fields.Content = append(c.fields.Content, node.String(field), value)
	return true
}

// parse reads the text of a data key as one YAML document. It returns nil after a problem.
func (c *configMapReader) parse(text string, at path) *node.Node {
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
		c.malformf(at, "", "line %d, column %d of this text is not one YAML document: %v", line, column, err)
		return nil
	}
	return c.expandAliases(document.Content[0], at.text())
}

func (c *configMapReader) refuseKey(key string, at path) {
	names := append([]string{PayloadKey}, specFields().Names()...)
	unknown := problem{at: at, current: key, message: fmt.Sprintf("there is no data key %q", clip(key, maxShown))}
	if !unknown.propose(key, names) {
		unknown.message += "; it must be " + PayloadKey + ", which holds containers and volumes, " +
			"or the name of a SidecarInjector's spec field"
	}
	c.malform(unknown)
}
