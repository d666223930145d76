package injector

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/yaml/node"
)

// A second run must have the same result as the first. So no injector may change what the selection or the variables of an
// injector depend on.

// metadataKey names a label or an annotation of a pod template.
type metadataKey struct{ mapping, key string } // mapping is labels or annotations

// MetadataKey splits a fieldPath of the form metadata.labels['x'] or metadata.annotations['x']
// into the mapping and the key.
func MetadataKey(fieldPath string) (mapping, key string, ok bool) {
	for _, mapping := range []string{"labels", "annotations"} {
		rest, found := strings.CutPrefix(fieldPath, "metadata."+mapping+"['")
		key, closed := strings.CutSuffix(rest, "']")
		if found && closed && key != "" && !strings.Contains(key, "'") {
			return mapping, key, true
		}
	}
	return "", "", false
}

// metadataUsers maps labels and annotations to the names of the injectors that depend on them by their selection or variables.
type metadataUsers map[metadataKey][]string

func (u metadataUsers) add(d *declaration) {
	add := func(mapping string, keys ...string) {
		for _, key := range keys {
			u[metadataKey{mapping, key}] = append(u[metadataKey{mapping, key}], d.name)
		}
	}
	for _, text := range d.variables {
		labels, annotations := text.Uses()
		add("labels", labels...)
		add("annotations", annotations...)
	}
	for _, c := range d.containers() {
		for _, transfer := range c.TransferEnv {
			if from := transfer.SourceContainerNameFrom; from != nil && from.FieldRef != nil {
				if mapping, key, ok := MetadataKey(from.FieldRef.FieldPath); ok {
					add(mapping, key)
				}
			}
		}
	}
	add("labels", d.spec.Marker)
	add("annotations", d.spec.Marker)
	selectors := append([]metav1.LabelSelector{}, d.spec.NeverInjectSelector...)
	if d.spec.Selector != nil {
		selectors = append(selectors, *d.spec.Selector)
	}
	for _, selector := range selectors {
		for key := range selector.MatchLabels {
			add("labels", key)
		}
		for _, expression := range selector.MatchExpressions {
			add("labels", expression.Key)
		}
	}
}

// addDefaultContainer adds the annotation that names the app's default container if variables of a declaration refer to that.
func (u metadataUsers) addDefaultContainer(d *declaration) {
	for _, text := range d.variables {
		if text.UsesContainer() && !text.at.within(d.at("appContainers")) {
			key := metadataKey{"annotations", defaultContainer}
			u[key] = append(u[key], d.name)
			return
		}
	}
}

// check reports metadata that a declaration sets and an injector depends on, for the injectors that count.
func (u metadataUsers) check(p *problems, d *declaration, counts func(name string) bool) {
	for i, patch := range node.List(d.fields, "patchPodMetadata") {
		for _, mapping := range []string{"labels", "annotations"} {
			for _, key := range node.Keys(node.Get(patch, mapping)) {
				names := u[metadataKey{mapping, key}]
				if first := slices.IndexFunc(names, counts); first >= 0 {
					p.malformf(d.at("patchPodMetadata").index(i).key(mapping).key(key), key, "the injector %q depends on this, so "+
						"a second run would differ from the first; remove it, or let the injector depend on something else", names[first])
				}
			}
		}
	}
}

// defaultContainer is an annotation that an injection may set by itself.
const defaultContainer = "kubectl.kubernetes.io/default-container"

// checkIdempotent reports changes by an injector that it depends on itself.
func (c checker) checkIdempotent() {
	users := metadataUsers{}
	users.add(&c.declaration)
	if len(users[metadataKey{"annotations", defaultContainer}]) > 0 {
		c.refusef(c.nameAt, c.name, "the injector depends on the annotation %s, which an injection may set, so a second run would "+
			"differ from the first; use another annotation", defaultContainer)
	}
	users.addDefaultContainer(&c.declaration)
	users.check(c.problems, &c.declaration, func(string) bool { return true })
	spec := c.spec.PodSpec
	if spec == nil {
		return
	}
	const again = "a second run would not inject into the pod that this makes, because spec.%s is %s; set that to %s, or remove this"
	if policy := c.spec.HostNetwork; spec.HostNetwork && policy != v1alpha1.PodInject {
		c.refusef(c.at("podSpec").key("hostNetwork"), "true", again, "hostNetwork", policy, "Inject")
	}
	finishes := spec.RestartPolicy == corev1.RestartPolicyNever || spec.RestartPolicy == corev1.RestartPolicyOnFailure
	if policy := c.spec.Jobs; finishes && (policy == v1alpha1.JobsSkip || policy == v1alpha1.JobsError) {
		c.refusef(c.at("podSpec").key("restartPolicy"), string(spec.RestartPolicy), again, "jobs", policy, "Native")
	}
}
