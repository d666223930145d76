package admission

import (
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// hasVolume returns the condition that an optional list has a volume. Unlike a container, it has no other fields: an emptyDir in memory is
// another volume than one on disk.
func hasVolume(volume *node.Node, list string) string {
	t := reflect.TypeFor[corev1.Volume]()
	conditions := equalEntry("volumes", volume, t)
	for key, source := range node.Fields(volume) {
		if source.Kind != node.MappingNode {
			continue
		}
		of := pod.Type(t, key)
		for _, field := range jsonfield.Of(pod.Pointed(of)).Names() {
			at := "e" + selector(key) + selector(field)
			switch byDefault, isDefaulted := volumeDefaults[field]; {
			case node.Get(source, field) != nil, pod.IsDefaulted(field):
			case isDefaulted:
				conditions = append(conditions, fmt.Sprintf("%s.orValue(%[2]s) == %[2]s", at, byDefault))
			default:
				conditions = append(conditions, "!"+at+".hasValue()")
			}
		}
	}
	return fmt.Sprintf("%s.orValue([]).exists(e, %s)", list, all(conditions))
}

// volumeDefaults are the fields of volumes that are pointers and get a default, with that default.
var volumeDefaults = map[string]string{
	"defaultMode": "420", "type": `""`, "cachingMode": `"ReadWrite"`, "kind": `"Shared"`, "readOnly": "false",
}

// checkVolumes checks that the volumes are there.
func (v *validator) checkVolumes() {
	const list = "object.spec.?volumes"
	for i, volume := range v.in.Volumes {
		v.from(v.in, fmt.Sprintf("volumes[%d]", i))
		hasName := fmt.Sprintf("%s.orValue([]).exists(e, e.name == %s)", list, quote(volume.Name))
		v.lacks(fmt.Sprintf("volume %q is missing", volume.Name), "!"+hasName)
		differs := []string{"!" + v.stamped, hasName, "!" + hasVolume(volume.Body, list)}
		switch v.in.Spec.OnConflict.Volume {
		case v1alpha1.ConflictKeep:
		case v1alpha1.ConflictReplace:
			v.lacks(fmt.Sprintf("volume %q differs", volume.Name), differs...)
		default:
			v.problem(finding.VolumeConflict, quote(fmt.Sprintf("volume %q is already there and is different; rename one of them, "+
				"or set spec.onConflict.volume to Keep or Replace", volume.Name)), differs...)
		}
	}
}

// checkPullSecrets checks that the imagePullSecrets are there.
func (v *validator) checkPullSecrets() {
	v.from(v.in, "imagePullSecrets")
	for _, secret := range v.in.ImagePullSecrets {
		v.lacks(fmt.Sprintf("imagePullSecret %q is missing", secret.Name),
			fmt.Sprintf("!object.spec.?imagePullSecrets.orValue([]).exists(e, e.?name.orValue(\"\") == %s)", quote(secret.Name)))
	}
}

// checkMetadata checks labels and annotations.
func (v *validator) checkMetadata() {
	for i, patch := range v.in.PodMetadata {
		v.from(v.in, fmt.Sprintf("patchPodMetadata[%d]", i))
		v.checkKeys("labels", patch.Labels, patch.Policy)
		v.checkKeys("annotations", patch.Annotations, patch.Policy)
	}
}

func (v *validator) checkKeys(field string, keys *node.Node, policy v1alpha1.PatchPolicy) {
	for key, value := range node.Fields(keys) {
		if node.IsNull(value) {
			continue
		}
		what, at := fmt.Sprintf("%s %q", strings.TrimSuffix(field, "s"), key), fmt.Sprintf("object.metadata.?%s[?%s]", field, quote(key))
		v.lacks(what+" is missing", fmt.Sprintf("!%s.hasValue()", at))
		if policy == v1alpha1.PatchOverwrite {
			v.lacks(what+" differs", "!"+v.stamped, at+".hasValue()", fmt.Sprintf("%s != optional.of(%s)", at, scalar(value)))
		}
	}
}

// checkPodSpec checks that the pod sets what the injector sets in pods that do not: any value will do.
func (v *validator) checkPodSpec() {
	v.checkFields(v.in.PodSpec, reflect.TypeFor[corev1.PodSpec](), "object.spec", "spec")
}

func (v *validator) checkFields(fields *node.Node, t reflect.Type, at, path string) {
	for key, value := range node.Fields(fields) {
		value = node.Resolve(value)
		field, here, where := pod.Type(t, key), at+selector(key), path+"."+key
		if path == "spec" {
			v.from(v.in, "podSpec."+key)
		}
		isPointer, row := field != nil && field.Kind() == reflect.Pointer, pod.Of(strings.Split(where, ".")...)
		switch {
		case node.IsNull(value):
		case value.Kind == node.MappingNode && len(value.Content) > 0 && !row.Whole:
			v.checkFields(value, field, here, where)
		case value.Kind == node.SequenceNode:
			v.checkEntries(row, value, here, where)
		case isExpression(value) && !isPointer:
			v.lacks(where+" is not set", fmt.Sprintf(`%s != ""`, value.Value), "!"+here+".hasValue()")
		case value.Kind == node.ScalarNode && !isPointer && isZero(value, field), value.Kind == node.MappingNode && !isPointer:
		default:
			v.lacks(where+" is not set", "!"+here+".hasValue()")
		}
	}
}

// isZero reports whether the API server leaves out a value unless the field is a pointer.
func isZero(value *node.Node, t reflect.Type) bool {
	literal := typedScalar(value, t)
	return literal == zeroOf(literal)
}
