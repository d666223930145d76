package admission

import (
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// addNewFields reports fields of the payload that the cluster's version of Kubernetes does not have. The API server would refuse every pod
// to which a policy adds one of them, and drops them from pods, so that none would be as declared.
func (l *limits) addNewFields() {
	in := l.in
	for i := range in.Containers {
		l.addNewerFields(fmt.Sprintf("containers[%d]", i), in.Containers[i].Body, reflect.TypeFor[corev1.Container]())
	}
	for i := range in.InitContainers {
		l.addNewerFields(fmt.Sprintf("initContainers[%d]", i), in.InitContainers[i].Body, reflect.TypeFor[corev1.Container]())
	}
	for i := range in.Volumes {
		l.addNewerFields(fmt.Sprintf("volumes[%d]", i), in.Volumes[i].Body, reflect.TypeFor[corev1.Volume]())
	}
	for i := range in.AppContainers {
		rule, field := &in.AppContainers[i], fmt.Sprintf("appContainers[%d]", i)
		l.addNewerIn(field+".env", rule.Env, reflect.TypeFor[corev1.EnvVar]())
		l.addNewerIn(field+".envFrom", rule.EnvFrom, reflect.TypeFor[corev1.EnvFromSource]())
		l.addNewerIn(field+".volumeMounts", rule.VolumeMounts, reflect.TypeFor[corev1.VolumeMount]())
	}
	if in.PodSpec != nil {
		l.addNewerFields("podSpec", in.PodSpec, reflect.TypeFor[corev1.PodSpec]())
	}
}

// addNewerFields reports the fields of a value, at any depth, that are newer than the cluster, and values that
// policies cannot write.
func (l *limits) addNewerFields(field string, value *node.Node, t reflect.Type) {
	switch value = node.Resolve(value); value.Kind {
	case node.MappingNode:
		for key, part := range node.Fields(value) {
			at := field + "." + key
			if node.IsNull(part) {
				l.addIf(t != nil && pod.Pointed(t).Kind() == reflect.Map, at,
					"it is null, which is an empty value or 0 to the API server, and nothing to a policy; write a value, or remove the key")
				continue
			}
			if since := pod.Since(pod.Pointed(t), key); since > l.options.Minor {
				l.add(at, "Kubernetes 1.%d does not have this field, which needs at least 1.%d; remove it, or export for a cluster of that version "+
					"with --kubernetes-version 1.%[2]d", l.options.Minor, since)
				continue
			}
			l.addNewerFields(at, part, pod.Type(t, key))
		}
	case node.SequenceNode:
		l.addNewerIn(field, value.Content, pod.Element(t))
	default:
		l.addIf(isLargeNumber(value) && pod.Pointed(t) != reflect.TypeFor[resource.Quantity](), field,
			"the number %s is too large: the API server's expressions write it as a string; use at most 15 digits", value.Value)
	}
}

// isLargeNumber reports whether a whole number is too large to be written as a number: JSON keeps those of at most 53 bits.
func isLargeNumber(n *node.Node) bool {
	const most = 1 << 53
	switch number := node.Scalar(n).(type) {
	case int:
		return number >= most || number <= -most
	case uint64:
		return true
	default:
		return false
	}
}

func (l *limits) addNewerIn(field string, entries []*node.Node, t reflect.Type) {
	for i, entry := range entries {
		l.addNewerFields(fmt.Sprintf("%s[%d]", field, i), entry, t)
	}
}
