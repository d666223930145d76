package injector

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

func (c checker) checkPodMetadata() {
	labels, annotations := firstUses{}, firstUses{}
	for i, entry := range node.List(c.fields, "patchPodMetadata") {
		if i >= len(c.spec.PatchPodMetadata) {
			return
		}
		patch, at := c.spec.PatchPodMetadata[i], c.at("patchPodMetadata").index(i)
		labelKeys, annotationKeys := node.Keys(node.Get(entry, "labels")), node.Keys(node.Get(entry, "annotations"))
		if len(labelKeys)+len(annotationKeys) == 0 {
			c.require(at.key("labels"), "there is nothing here for the pod's metadata; write labels, annotations or both")
		}
		if patch.PatchPolicy == v1alpha1.PatchMergeJSON && len(labelKeys) > 0 {
			c.refusef(at.key("labels"), "", "MergePatchJson merges JSON objects, and a label holds none; move the labels to an entry with Retain or Overwrite")
		}
		for _, key := range labelKeys {
			c.checkLabel(at.key("labels").key(key), key, patch.Labels[key])
			c.checkSetOnce(at.key("labels").key(key), key, labels)
		}
		for _, key := range annotationKeys {
			if _, varies := c.variables[node.Get(entry, "annotations", key)]; varies && patch.PatchPolicy == v1alpha1.PatchMergeJSON {
				c.malform(problem{at: at.key("annotations").key(key), message: "a MergePatchJson holds no variables, because a pod could write JSON of its own by them; write the value, or use another patchPolicy"})
				continue
			}
			c.checkAnnotation(at.key("annotations").key(key), key, patch.Annotations[key], patch.PatchPolicy)
			c.checkSetOnce(at.key("annotations").key(key), key, annotations)
		}
	}
}

func (c checker) checkSetOnce(at path, key string, uses firstUses) {
	if first, again := uses.add(key, at); again {
		c.refusef(at, key, "%s sets it already; keep one of the two", first)
	}
}

func (c checker) checkLabel(at path, key, value string) {
	if faults := validation.IsQualifiedName(key); len(faults) > 0 {
		c.refusef(at, key, "%q is not a valid label key: %s", clip(key, maxShown), strings.Join(faults, "; "))
	}
	if faults := validation.IsValidLabelValue(value); len(faults) > 0 {
		c.refusef(at, value, "%q is not a valid label value: %s", clip(value, maxShown), strings.Join(faults, "; "))
	}
}

func (c checker) checkAnnotation(at path, key, value string, policy v1alpha1.PatchPolicy) {
	// Kubernetes takes annotation keys in any case.
	if faults := validation.IsQualifiedName(strings.ToLower(key)); len(faults) > 0 {
		c.refusef(at, key, "%q is not a valid annotation key: %s", clip(key, maxShown), strings.Join(faults, "; "))
	}
	if isOrchestrators(key) {
		c.refusef(at, key, "this annotation is how kustomize and kpt keep track of files and objects; remove it")
	}
	if strings.HasPrefix(key, v1alpha1.Group+"/") && key != c.spec.Marker {
		c.refusef(at, key, "by annotations of %s pods tell Pillion what they want; set it on the pods themselves", v1alpha1.Group)
	}
	if policy != v1alpha1.PatchMergeJSON {
		return
	}
	var object map[string]any
	if err := json.Unmarshal([]byte(value), &object); err != nil || object == nil || lex.HasLoneSurrogate(value) {
		c.refusef(at, value, `MergePatchJson takes a JSON object, and %q is none; write one, such as '{"key": "value"}'`, clip(value, maxShown))
	}
}

// isOrchestrators tells of annotations by which an orchestrator finds an object again.
func isOrchestrators(key string) bool {
	prefix, _, _ := strings.Cut(key, "/")
	switch prefix {
	case "config.kubernetes.io", "internal.config.kubernetes.io", "config.k8s.io", "kustomize.config.k8s.io":
		return true
	}
	return false
}
