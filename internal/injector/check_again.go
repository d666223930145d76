package injector

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/yaml/node"
)

// deciders are the keys of the labels and annotations by which injectors choose their pods or
// fill in variables, with the names of those injectors. What is gone by must not be what is
// changed, or a second run would come out otherwise than the first.
type deciders struct{ labels, annotations map[string][]string }

func newDeciders() deciders {
	return deciders{labels: map[string][]string{}, annotations: map[string][]string{}}
}

func (d deciders) add(declared *declaration) {
	name, spec := declared.name, &declared.spec
	for _, text := range declared.variables {
		labels, annotations := text.Uses()
		for _, key := range labels {
			d.labels[key] = append(d.labels[key], name)
		}
		for _, key := range annotations {
			d.annotations[key] = append(d.annotations[key], name)
		}
	}
	for _, from := range declared.fieldRefs() {
		if key, ok := metadataKey(from, "metadata.labels"); ok {
			d.labels[key] = append(d.labels[key], name)
		}
		if key, ok := metadataKey(from, "metadata.annotations"); ok {
			d.annotations[key] = append(d.annotations[key], name)
		}
	}
	d.labels[spec.Marker] = append(d.labels[spec.Marker], name)
	d.annotations[spec.Marker] = append(d.annotations[spec.Marker], name)
	selectors := append([]metav1.LabelSelector{}, spec.NeverInjectSelector...)
	if spec.Selector != nil {
		selectors = append(selectors, *spec.Selector)
	}
	for _, selector := range selectors {
		for key := range selector.MatchLabels {
			d.labels[key] = append(d.labels[key], name)
		}
		for _, expression := range selector.MatchExpressions {
			d.labels[expression.Key] = append(d.labels[expression.Key], name)
		}
	}
}

// checkMetadataAgain refuses metadata that the injector itself goes by.
func (c checker) checkMetadataAgain() {
	d := newDeciders()
	d.add(&c.declaration)
	d.check(c.problems, node.List(c.fields, "patchPodMetadata"), c.at("patchPodMetadata"), func(string) bool { return true })
}

// checkTakeoverOrder refuses an injector that replaces what an earlier one has taken over from
// the app: the second run would take over something else.
func (p *problems) checkTakeoverOrder(declarations []declaration) {
	const order = "the injector %q, which comes before, takes this over from the app, and would take over something else when run again; put this injector before it"
	var envTaker, mountTaker string
	for _, one := range declarations {
		p.injector = one.name
		gives := len(one.spec.AppContainers) > 0
		if gives && envTaker != "" && one.spec.OnConflict.Env == v1alpha1.ConflictReplace {
			p.refusef(one.at("onConflict").key("env"), string(one.spec.OnConflict.Env), order, envTaker)
		}
		if gives && mountTaker != "" && one.spec.OnConflict.MountPath == v1alpha1.ConflictReplace {
			p.refusef(one.at("onConflict").key("mountPath"), string(one.spec.OnConflict.MountPath), order, mountTaker)
		}
		for _, from := range one.fromApp() {
			if len(from.TransferEnv) > 0 {
				envTaker = one.name
			}
			if from.ShareVolumePolicy != nil && from.ShareVolumePolicy.Type == v1alpha1.ShareEnabled {
				mountTaker = one.name
			}
		}
	}
}

// fromApp is what each container of the payload takes over from the app.
func (d *declaration) fromApp() []v1alpha1.FromApp {
	var all []v1alpha1.FromApp
	for i := range d.spec.Containers {
		all = append(all, d.spec.Containers[i].FromApp)
	}
	for i := range d.spec.InitContainers {
		all = append(all, d.spec.InitContainers[i].FromApp)
	}
	return all
}

// wish is what an injector wants of a label or an annotation.
type wish struct {
	injector, value string
	policy          v1alpha1.PatchPolicy
}

// checkOneWish refuses two injectors that want different things of one label or annotation: what
// comes out would depend on what was there.
func (p *problems) checkOneWish(declarations []declaration) {
	first := map[string]wish{}
	for _, one := range declarations {
		p.injector = one.name
		for i, patch := range one.spec.PatchPodMetadata {
			at := one.at("patchPodMetadata").index(i)
			p.checkWishes(first, patch.Labels, at.key("labels"), wish{injector: one.name, policy: patch.PatchPolicy}, "label ")
			p.checkWishes(first, patch.Annotations, at.key("annotations"), wish{injector: one.name, policy: patch.PatchPolicy}, "annotation ")
		}
	}
}

func (p *problems) checkWishes(first map[string]wish, values map[string]string, at path, w wish, sort string) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		w.value = values[key]
		other, again := first[sort+key]
		switch {
		case !again:
			first[sort+key] = w
		case other.policy == w.policy && w.policy == v1alpha1.PatchMergeJSON: // where they clash is seen in the pod
		case other.injector != w.injector && (other.value != w.value || other.policy != w.policy):
			p.refusef(at.key(key), w.value, "the injector %q sets this otherwise; agree on one value and one patchPolicy", other.injector)
		}
	}
}

// refuseDeciding refuses a pod field by which other injectors of a list tell what a pod is.
func (p *problems) refuseDeciding(set bool, at path) {
	if set {
		p.refusef(at, "", "the other injectors of the list go by this, so that a second run could come out otherwise than the first; set it in the manifests, or in a config of its own")
	}
}

// fieldRefs are the labels and annotations that name a container to take variables from.
func (d *declaration) fieldRefs() []string {
	var refs []string
	for _, from := range d.fromApp() {
		for _, t := range from.TransferEnv {
			if t.SourceContainerNameFrom != nil && t.SourceContainerNameFrom.FieldRef != nil {
				refs = append(refs, t.SourceContainerNameFrom.FieldRef.FieldPath)
			}
		}
	}
	return refs
}

// metadataKey is the key in metadata.labels['KEY'].
func metadataKey(fieldPath, field string) (string, bool) {
	rest, ok := strings.CutPrefix(fieldPath, field+"['")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, "']")
}

// defaultContainer is an annotation that Pillion sets itself.
const defaultContainer = "kubectl.kubernetes.io/default-container"

// checkOwnAnnotation refuses to go by an annotation that an injection may set.
func (c checker) checkOwnAnnotation() {
	d := newDeciders()
	d.add(&c.declaration)
	if len(d.annotations[defaultContainer]) > 0 {
		c.refusef(c.nameAt, c.name, "the injector goes by the annotation %s, which an injection may set, so that a second run would come out otherwise than the first; go by something else", defaultContainer)
	}
}

// checkTogether refuses metadata that another injector of the list goes by, and pod fields that
// make others decide otherwise when they are asked again.
func (p *problems) checkTogether(declarations []declaration) {
	d := newDeciders()
	for i := range declarations {
		d.add(&declarations[i])
	}
	p.checkVerifiers(declarations)
	p.checkOneWish(declarations)
	p.checkTakeoverOrder(declarations)
	for _, one := range declarations {
		p.injector = one.name
		d.check(p, node.List(one.fields, "patchPodMetadata"), one.at("patchPodMetadata"), func(name string) bool { return name != one.name })
		if spec := one.spec.PodSpec; spec != nil && len(declarations) > 1 {
			p.refuseDeciding(spec.HostNetwork, one.at("podSpec").key("hostNetwork"))
			p.refuseDeciding(spec.RestartPolicy != "", one.at("podSpec").key("restartPolicy"))
		}
	}
}

// checkVerifiers refuses a list that is to change pods and to verify that nothing changes.
func (p *problems) checkVerifiers(declarations []declaration) {
	for _, one := range declarations {
		if first := declarations[0]; (one.spec.Action == v1alpha1.Verify) != (first.spec.Action == v1alpha1.Verify) {
			p.injector = one.name
			p.refusef(one.at("action"), string(one.spec.Action), "the action is %s, and that of the injector %q is %s; a list verifies as a whole or not at all, so split it",
				one.spec.Action, first.name, first.spec.Action)
		}
	}
}

func (d deciders) check(p *problems, patches []*yaml.Node, list path, counts func(name string) bool) {
	for i, patch := range patches {
		refuseKeys(p, node.Get(patch, "labels"), list.index(i).key("labels"), d.labels, counts)
		refuseKeys(p, node.Get(patch, "annotations"), list.index(i).key("annotations"), d.annotations, counts)
	}
}

func refuseKeys(p *problems, mapping *yaml.Node, at path, deciding map[string][]string, counts func(name string) bool) {
	for _, key := range node.Keys(mapping) {
		if first := slices.IndexFunc(deciding[key], counts); first >= 0 {
			p.malform(problem{at: at.key(key), current: key, message: fmt.Sprintf(
				"the injector %q goes by this, so that a second run would come out otherwise than the first; take it out, or go by something else",
				deciding[key][first])})
		}
	}
}

// checkPodSpecAgain refuses pod fields that a policy of the same injector then keeps out.
func (c checker) checkPodSpecAgain() {
	spec := c.spec.PodSpec
	if spec == nil {
		return
	}
	const again = "a second run would not take the pod that this makes, because spec.%s is %s; set that to %s, or take this out"
	if policy := c.spec.HostNetwork; spec.HostNetwork && policy != v1alpha1.PodInject {
		c.refusef(c.at("podSpec").key("hostNetwork"), "true", again, "hostNetwork", policy, "Inject")
	}
	finishes := spec.RestartPolicy == corev1.RestartPolicyNever || spec.RestartPolicy == corev1.RestartPolicyOnFailure
	if policy := c.spec.Jobs; finishes && (policy == v1alpha1.JobsSkip || policy == v1alpha1.JobsError) {
		c.refusef(c.at("podSpec").key("restartPolicy"), string(spec.RestartPolicy), again, "jobs", policy, "Native")
	}
}
