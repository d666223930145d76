package admission

import (
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/podfield"
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

// addNewerFields reports the fields of a value, at any depth, that are newer than the cluster.
func (l *limits) addNewerFields(field string, value *yaml.Node, t reflect.Type) {
	switch value = node.Resolve(value); value.Kind {
	case yaml.MappingNode:
		for key, part := range node.Fields(value) {
			if node.IsNull(part) {
				continue
			}
			at := field + "." + key
			if since := podfield.Since(pointed(t), key); since > l.options.Minor {
				l.add(at, "Kubernetes 1.%d does not have this field, which is new in 1.%d; remove it, or export for a cluster of that version "+
					"with --kubernetes-version 1.%[2]d", l.options.Minor, since)
				continue
			}
			l.addNewerFields(at, part, fieldType(t, key))
		}
	case yaml.SequenceNode:
		l.addNewerIn(field, value.Content, elementType(t))
	}
}

func (l *limits) addNewerIn(field string, entries []*yaml.Node, t reflect.Type) {
	for i, entry := range entries {
		l.addNewerFields(fmt.Sprintf("%s[%d]", field, i), entry, t)
	}
}
