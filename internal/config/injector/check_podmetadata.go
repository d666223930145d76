package injector

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

func (c checker) checkPodMetadata() {
	const setTwice = "%[1]s sets it already; keep one of the two"
	labels := schema.FirstUses{}
	annotations := schema.FirstUses{}
	for i, entry := range node.List(c.fields, "patchPodMetadata") {
		if i >= len(c.spec.PatchPodMetadata) {
			return
		}
		patch := c.spec.PatchPodMetadata[i]
		at := schema.InSpec("patchPodMetadata").Index(i)
		mergesJSON := patch.PatchPolicy == v1alpha1.PatchMergeJSON
		labelKeys := node.Keys(node.Get(entry, "labels"))
		annotationKeys := node.Keys(node.Get(entry, "annotations"))
		c.Require(len(labelKeys)+len(annotationKeys) > 0, at, "labels",
			"there is nothing here for the pod's metadata; write labels, annotations or both")
		if mergesJSON && len(labelKeys) > 0 {
			c.Refusef(at.Key("labels"), "",
				"MergePatchJson merges JSON objects, and a label holds none; "+
					"move the labels to an entry with Retain or Overwrite")
		}
		for _, key := range labelKeys {
			keyAt := at.Key("labels").Key(key)
			c.CheckValid(keyAt, key, "label key", validation.IsQualifiedName)
			c.CheckValid(keyAt, patch.Labels[key], "label value", validation.IsValidLabelValue)
			c.CheckOnce(labels, key, keyAt, keyAt, setTwice)
		}
		for _, key := range annotationKeys {
			keyAt := at.Key("annotations").Key(key)
			if _, varies := c.variables[node.Get(entry, "annotations", key)]; varies && mergesJSON {
				c.Malformf(keyAt, "",
					"a MergePatchJson holds no variables, because a pod could write JSON of its own by them; "+
						"write the value, or use another patchPolicy")
				continue
			}
			c.checkAnnotation(keyAt, key, patch.Annotations[key], mergesJSON)
			c.CheckOnce(annotations, key, keyAt, keyAt, setTwice)
		}
	}
}

func (c checker) checkAnnotation(at schema.Path, key, value string, mergesJSON bool) {
	c.CheckValid(at, key, "annotation key", schema.IsAnnotationKey)
	if isOrchestratorKey(key) {
		c.Refusef(at, key, "this annotation is how kustomize and kpt keep track of files and objects; remove it")
	}
	if strings.HasPrefix(key, v1alpha1.Group+"/") && key != c.spec.Marker {
		c.Refusef(at, key,
			"annotations of %s are settings of a pod for Pillion; set it on the pods themselves", v1alpha1.Group)
	}
	var object map[string]any
	if mergesJSON && (json.Unmarshal([]byte(value), &object) != nil || object == nil || lex.HasLoneSurrogate(value)) {
		c.Refusef(at, value,
			`MergePatchJson takes a JSON object, and %q is none; write one, such as '{"key": "value"}'`,
			schema.Shown(value))
	}
}

// isOrchestratorKey reports whether kustomize or kpt recognise objects by an annotation with this key.
func isOrchestratorKey(key string) bool {
	prefix, _, _ := strings.Cut(key, "/")
	switch prefix {
	case "config.kubernetes.io", "internal.config.kubernetes.io", "config.k8s.io", "kustomize.config.k8s.io":
		return true
	}
	return false
}
