package injector

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/spelling"
	"pillion.dev/pillion/internal/yaml/node"
	yamlparse "pillion.dev/pillion/internal/yaml/parse"
)

// PayloadKey is the data key that holds the payload of a classic ConfigMap.
const PayloadKey = "config"

// classicSuffix is what people named the ConfigMap of an initializer with.
const classicSuffix = "-initializer"

// configMap is a Kubernetes ConfigMap as far as it is a config.
type configMap struct {
	APIVersion string              `json:"apiVersion"`
	Kind       string              `json:"kind"`
	Metadata   metav1.ObjectMeta   `json:"metadata"`
	Data       map[string]dataText `json:"data"`
	BinaryData map[string]string   `json:"binaryData"`
	Immutable  *bool               `json:"immutable"`
}

// dataText is a string that holds YAML.
type dataText string

// partialPodSpec is what data.config holds: the payload, as it stands in a pod.
type partialPodSpec struct {
	Containers       []v1alpha1.Container          `json:"containers"`
	InitContainers   []v1alpha1.InitContainer      `json:"initContainers"`
	Volumes          []corev1.Volume               `json:"volumes"`
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets"`
}

// classic is a ConfigMap on its way to becoming a declaration.
type classic struct {
	*decoder
	spec   v1alpha1.SidecarInjectorSpec
	fields *yaml.Node      // the spec's fields, gathered from the data keys
	places map[string]path // where each of them was written
}

func readClassic(config *yaml.Node, d *decoder) []*Injector {
	var shell configMap
	name := strings.TrimSuffix(d.object.Name, classicSuffix)
	d.injector = name
	d.decode(config, &shell, "")
	if len(shell.BinaryData) > 0 {
		d.refusef("binaryData", "", "a config is text; move what is here to data")
	}
	c := &classic{decoder: d, fields: node.Mapping(), places: map[string]path{}}
	if data := node.Get(config, "data"); data != nil && data.Kind == yaml.MappingNode {
		for _, key := range node.Keys(data) {
			if text := node.Get(data, key); text.Kind == yaml.ScalarNode && text.Tag == "!!str" {
				c.readKey(key, text.Value)
			}
		}
	}
	return []*Injector{ready(d.problems, declaration{
		name: name, nameAt: "metadata.name", fields: c.fields, spec: c.spec, at: c.at, literal: true,
	})}
}

// at is where a spec field was written; what was not written has its place in data.
func (c *classic) at(field string) path {
	if place, ok := c.places[field]; ok {
		return place
	}
	if _, ok := c.fieldsOf(reflect.TypeFor[partialPodSpec]()).byName[field]; ok {
		return path("data").key(PayloadKey).text().key(field)
	}
	return path("data").key(field).text()
}

// readKey reads the text of one data key: the payload, or the spec field of that name.
func (c *classic) readKey(key, text string) {
	at := path("data").key(key)
	if key == PayloadKey {
		c.readConfig(text, at)
		return
	}
	field, ok := c.fieldsOf(reflect.TypeFor[v1alpha1.SidecarInjectorSpec]()).byName[key]
	if !ok {
		c.unknownKey(key, at)
		return
	}
	value := node.String(strings.TrimSpace(text))
	if field.Type.Kind() != reflect.String {
		value = c.parse(text, at)
	}
	c.set(key, value, at.text())
}

func (c *classic) readConfig(text string, at path) {
	content := c.parse(text, at)
	if node.IsNull(content) {
		return
	}
	var payload partialPodSpec
	c.decode(content, &payload, at.text())
	if content.Kind != yaml.MappingNode {
		return
	}
	for _, key := range c.fieldsOf(reflect.TypeFor[partialPodSpec]()).names {
		if value := node.Get(content, key); value != nil {
			c.place(key, value, at.text().key(key))
		}
	}
	if payload.Containers != nil {
		c.spec.Containers = payload.Containers
	}
	if payload.InitContainers != nil {
		c.spec.InitContainers = payload.InitContainers
	}
	if payload.Volumes != nil {
		c.spec.Volumes = payload.Volumes
	}
	if payload.ImagePullSecrets != nil {
		c.spec.ImagePullSecrets = payload.ImagePullSecrets
	}
}

// set reads one spec field from its data key.
func (c *classic) set(field string, value *yaml.Node, at path) {
	if value != nil && c.place(field, value, at) {
		index := c.fieldsOf(reflect.TypeFor[v1alpha1.SidecarInjectorSpec]()).byName[field].Index
		c.value(value, reflect.ValueOf(&c.spec).Elem().FieldByIndex(index), at)
	}
}

// place notes where a spec field was written, once.
func (c *classic) place(field string, value *yaml.Node, at path) bool {
	if first, again := c.places[field]; again {
		c.malform(problem{at: at, message: fmt.Sprintf("%s has this already; keep one of the two", first)})
		return false
	}
	c.places[field] = at
	c.fields.Content = append(c.fields.Content, node.String(field), value)
	return true
}

// parse reads the text of a data key as one YAML document; nil after a problem.
func (c *classic) parse(text string, at path) *yaml.Node {
	document, err := yamlparse.Document([]byte(text))
	var several *yamlparse.SeveralDocumentsError
	switch {
	case errors.Is(err, io.EOF), err == nil && len(document.Content) == 0:
		return nil
	case errors.As(err, &several):
		c.malform(problem{at: at, message: `the text holds more than one YAML document; remove what is behind "---"`})
		return nil
	case err != nil:
		c.malform(problem{at: at, message: fmt.Sprintf("the text is not YAML: %s; correct it", strings.TrimPrefix(err.Error(), "yaml: "))})
		return nil
	}
	value := plain(document.Content[0], at.text(), c.problems)
	if value == nil {
		c.malformed = append(c.malformed, at) // no part of the text was read
	}
	return value
}

func (c *classic) unknownKey(key string, at path) {
	names := append([]string{PayloadKey}, c.fieldsOf(reflect.TypeFor[v1alpha1.SidecarInjectorSpec]()).names...)
	unknown := problem{at: at, current: key, message: fmt.Sprintf("there is no data key %q; it must be %s, which holds"+
		" containers and volumes, or the name of a SidecarInjector's spec field", clip(key, maxShown), PayloadKey)}
	if near := spelling.Nearest(key, names); near != "" {
		unknown.proposed = near
		unknown.message = fmt.Sprintf("there is no data key %q; did you mean %s?", clip(key, maxShown), near)
	}
	c.malform(unknown)
}
