package learn

import (
	"cmp"
	"reflect"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// normal returns the labels, the annotations and the spec of a pod template in a form in which two of them are equal if
// they mean the same to Kubernetes: without defaults and zero values, quantities in their canonical form, and without
// what Pillion recorded.
func (p *Pair) normal(template *node.Node) *node.Node {
	normalised := node.Mapping()
	for _, field := range []string{"labels", "annotations"} {
		kept := node.Mapping()
		for key, value := range node.Fields(node.Get(template, "metadata", field)) {
			if !node.IsNull(value) && value.Kind == node.ScalarNode && !isRecord(key) {
				kept.Content = append(kept.Content, node.String(key), node.String(value.Value))
			}
		}
		set(normalised, kept, "metadata", field)
	}
	spec := normalMapping(node.Get(template, "spec"), reflect.TypeFor[corev1.PodSpec]())
	completeSpec(spec)
	if p.isPod {
		p.deleteGiven(spec)
	}
	return set(normalised, spec, "spec")
}

// isRecord reports whether an annotation says what a tool or the network plugin did to the object.
func isRecord(key string) bool {
	return strings.HasPrefix(key, v1alpha1.StampPrefix) || key == "kubectl.kubernetes.io/last-applied-configuration" ||
		key == "kubectl.kubernetes.io/restartedAt" || key == "kubernetes.io/limit-ranger" ||
		strings.HasPrefix(key, "cni.projectcalico.org/") || strings.HasPrefix(key, "k8s.v1.cni.cncf.io/network-status")
}

// normalValue returns a value of a type, which is nil if it is not known. It returns nil for null.
func normalValue(n *node.Node, t reflect.Type) *node.Node {
	n = node.Resolve(n)
	pointed := pod.Pointed(t)
	switch {
	case node.IsNull(n):
		return nil
	case pointed == reflect.TypeFor[resource.Quantity]():
		if quantity, err := resource.ParseQuantity(node.Amount(n)); err == nil {
			return node.String(quantity.String())
		}
	case n.Kind == node.MappingNode:
		return normalMapping(n, pointed)
	case n.Kind == node.SequenceNode:
		list := node.Sequence()
		for _, entry := range node.List(n) {
			if entry = normalValue(entry, pod.Element(t)); entry != nil {
				list.Content = append(list.Content, entry)
			}
		}
		return list
	case pointed != nil && pointed.Kind() == reflect.String:
		return node.String(n.Value)
	}
	fresh := node.Fresh(n)
	fresh.Style = 0
	if on, isBool := node.Scalar(n).(bool); isBool {
		fresh.Value = strconv.FormatBool(on) // in a config, yes is a string
	}
	return fresh
}

func normalMapping(n *node.Node, t reflect.Type) *node.Node {
	m := node.Mapping()
	for key, value := range node.Fields(n) {
		of := pod.Type(t, key)
		value = normalValue(value, of)
		isKept := of == nil || of.Kind() == reflect.Pointer // the API server leaves out the zero value of others
		if value != nil && !isDefault(t, key, value) && (isKept || !isZero(value)) {
			m.Content = append(m.Content, node.String(key), value)
		}
	}
	switch t {
	case reflect.TypeFor[corev1.Container]():
		completeContainer(m)
	case reflect.TypeFor[corev1.Volume]():
		if len(m.Content) == 2 { // a volume that has only a name is an empty directory
			node.Set(m, "emptyDir", node.Mapping())
		}
	}
	return m
}

func isZero(n *node.Node) bool {
	isWord := n.Value == "0" || n.Value == "false"
	return len(n.Content) == 0 && (n.Value == "" || isWord && !node.IsString(n))
}

// isDefault reports whether a field of a type has the default of the API server. A collection is one if it is empty.
func isDefault(t reflect.Type, key string, value *node.Node) bool {
	if t == nil || len(value.Content) > 0 {
		return false
	}
	text, hasDefault := pod.Default(t, key)
	if value.Kind != node.ScalarNode {
		return hasDefault && text == ""
	}
	return hasDefault && node.Amount(value) == text
}

// completeContainer removes the defaults of a container that depend on its other fields.
func completeContainer(c *node.Node) {
	image, policy := pod.SplitImage(node.Text(c, "image")), "IfNotPresent"
	if image.Digest == "" && (image.Tag == "" || image.Tag == ":latest") {
		policy = "Always"
	}
	if node.Text(c, "imagePullPolicy") == policy {
		node.Delete(c, "imagePullPolicy")
	}
	if requests := node.Get(c, "resources", "requests"); requests != nil { // those that are missing are the limits
		kept, limits := node.Mapping(), node.Values(node.Get(c, "resources", "limits"))
		for key, request := range node.Fields(requests) {
			if !node.Equal(limits.Get(key), request) {
				kept.Content = append(kept.Content, node.String(key), request)
			}
		}
		node.Set(node.Get(c, "resources"), "requests", kept)
		if len(kept.Content) == 0 {
			node.Delete(node.Get(c, "resources"), "requests")
		}
	}
}

// completeSpec removes the defaults of a pod spec that depend on its other fields, and what plugins add to every pod.
func completeSpec(spec *node.Node) {
	if account := cmp.Or(node.Text(spec, "serviceAccountName"), node.Text(spec, "serviceAccount")); account != "" {
		node.Delete(spec, "serviceAccount")
		node.Set(spec, "serviceAccountName", node.String(account))
	}
	if node.IsTrue(spec, "hostNetwork") {
		for _, c := range pod.Containers(spec) {
			for _, port := range node.List(c, "ports") {
				if node.Text(port, "hostPort") == node.Text(port, "containerPort") {
					node.Delete(port, "hostPort")
				}
			}
		}
	}
	node.DeleteEntries(spec, "tolerations", func(toleration *node.Node) bool {
		key := node.Text(toleration, "key")
		return (key == corev1.TaintNodeNotReady || key == corev1.TaintNodeUnreachable) && node.Text(toleration, "tolerationSeconds") == "300"
	})
}

// deleteGiven removes what controllers and the API server give to the pods of a workload, from its template as well.
func (p *Pair) deleteGiven(spec *node.Node) {
	kind, own := p.Object.Kind, node.Get(p.template.Node, "spec")
	for field, isGiven := range map[string]bool{
		"hostname": kind == "StatefulSet" || kind == "Job" || kind == "CronJob", "subdomain": kind == "StatefulSet" || kind == "Job",
		"priority": true, "preemptionPolicy": node.Get(spec, "priorityClassName") != nil, "overhead": node.Get(spec, "runtimeClassName") != nil,
	} {
		if isGiven && node.Get(own, field) == nil {
			node.Delete(spec, field)
		}
	}
	isClaim := map[string]bool{}
	for _, name := range pod.ClaimTemplates(p.object) {
		isClaim[name] = true
	}
	node.DeleteEntries(spec, "volumes", func(v *node.Node) bool { return isClaim[node.Text(v, "name")] })
	for _, c := range pod.Containers(spec) {
		node.DeleteEntries(c, "env", func(v *node.Node) bool { return node.Text(v, "name") == "JOB_COMPLETION_INDEX" })
	}
	if kind == "DaemonSet" { // its controller replaces the template's required affinity by one for the node
		set(spec, node.Mapping(), "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
		node.DeleteEntries(spec, "tolerations", func(t *node.Node) bool { return strings.HasPrefix(node.Text(t, "key"), "node.kubernetes.io/") })
	}
}
