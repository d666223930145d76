package injector

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/form"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// A second run must have the same result as the first. So no injector may change what the selection or the variables of
// an injector depend on.

// metadataKey names a label or an annotation of a pod template.
type metadataKey struct{ mapping, key string } // mapping is labels or annotations

// metadataUsers maps labels and annotations to the names of the injectors that depend on them by their selection or
// variables.
type metadataUsers map[metadataKey][]string

func (u metadataUsers) add(d *declaration) {
	add := func(mapping string, keys ...string) {
		for _, key := range keys {
			u[metadataKey{mapping, key}] = append(u[metadataKey{mapping, key}], d.name)
		}
	}
	for _, text := range d.variables {
		labels, annotations := text.MetadataKeys()
		add("labels", labels...)
		add("annotations", annotations...)
	}
	for _, c := range d.containers() {
		for _, transfer := range c.TransferEnv {
			if from := transfer.SourceContainerNameFrom; from != nil && from.FieldRef != nil {
				if mapping, key, ok := schema.MetadataKey(from.FieldRef.FieldPath); ok {
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

// addDefaultContainer adds the annotation that names the app's default container if variables of a declaration refer to
// that.
func (u metadataUsers) addDefaultContainer(d *declaration) {
	for _, text := range d.variables {
		if text.UsesContainer() && text.Rule < 0 {
			key := metadataKey{"annotations", pod.DefaultContainer}
			u[key] = append(u[key], d.name)
			return
		}
	}
}

// check reports metadata that a declaration sets and an injector depends on, for the injectors that count.
func (u metadataUsers) check(p *schema.Problems, d *declaration, counts func(name string) bool) {
	for i, patch := range node.List(d.fields, "patchPodMetadata") {
		for _, mapping := range []string{"labels", "annotations"} {
			for _, key := range node.Keys(node.Get(patch, mapping)) {
				names := u[metadataKey{mapping, key}]
				if first := slices.IndexFunc(names, counts); first >= 0 {
					p.Malformf(schema.InSpec("patchPodMetadata").Index(i).Key(mapping).Key(key), key,
						"the injector %q depends on this, so a second run would differ from the first; "+
							"remove it, or let the injector depend on something else", names[first])
				}
			}
		}
	}
}

// checkIdempotent reports changes by an injector that it depends on itself.
func (c checker) checkIdempotent() {
	users := metadataUsers{}
	users.add(&c.declaration)
	if len(users[metadataKey{"annotations", pod.DefaultContainer}]) > 0 {
		c.Refusef(schema.NameAt, c.name,
			"the injector depends on the annotation %s, which an injection may set, so a second run would "+
				"differ from the first; use another annotation", pod.DefaultContainer)
	}
	users.addDefaultContainer(&c.declaration)
	users.check(c.Problems, &c.declaration, func(string) bool { return true })
	spec := c.spec.PodSpec
	if spec == nil {
		return
	}
	const again = "a second run would not inject into the pod that this makes, because spec.%s is %s; " +
		"set that to %s, or remove this"
	if policy := c.spec.HostNetwork; spec.HostNetwork && policy != v1alpha1.PodInject {
		c.Refusef(schema.InSpec("podSpec").Key("hostNetwork"), "true", again, "hostNetwork", policy, "Inject")
	}
	finishes := spec.RestartPolicy == corev1.RestartPolicyNever || spec.RestartPolicy == corev1.RestartPolicyOnFailure
	if policy := c.spec.Jobs; finishes && (policy == v1alpha1.JobsSkip || policy == v1alpha1.JobsError) {
		c.Refusef(schema.InSpec("podSpec").Key("restartPolicy"), string(spec.RestartPolicy),
			again, "jobs", policy, "Native")
	}
}

const ownName = "an injector's name is its identity, so give each its own"

// CheckTogether checks injectors of several configs as those of one list are checked. Each finding names its injector,
// and has the file of it, which is nil if it is not known.
func CheckTogether(injectors []*Injector, files []*finding.File) []finding.Finding {
	p := together{&schema.Problems{}}
	if len(injectors) > form.MaxInjectors {
		p.Refusef("", "",
			"there are %d injectors; the most is %d, so split them over several runs",
			len(injectors), form.MaxInjectors)
		return p.All()
	}
	first := map[string]int{}
	for i, in := range injectors {
		other, isTaken := first[in.Name]
		if !isTaken {
			first[in.Name] = i
			continue
		}
		p.turnTo(&in.declared)
		isShown := !p.IsFull()
		p.Refusef(schema.NameAt, in.Name, "%s has this name already; "+ownName, configIn(files[other]))
		if isShown {
			p.Findings[len(p.Findings)-1].File = files[i]
		}
	}
	if len(p.Findings) > 0 { // the other checks tell injectors apart by name
		return p.All()
	}
	p.check(injectors)
	for i, f := range p.Findings {
		if owner, isKnown := first[f.Injector]; isKnown {
			p.Findings[i].File = files[owner]
		}
	}
	return p.All()
}

// configIn returns the config of a file for a message.
func configIn(file *finding.File) string {
	if file == nil {
		return "another config"
	}
	return "the config in " + file.String()
}

// together reports what is wrong with injectors because of each other.
type together struct{ *schema.Problems }

// check reports injectors that contradict each other, or of which one changes what another depends on.
func (p together) check(injectors []*Injector) {
	declarations := make([]*declaration, len(injectors))
	users := metadataUsers{}
	for i, in := range injectors {
		declarations[i] = &in.declared
		users.add(&in.declared)
		users.addDefaultContainer(&in.declared)
	}
	p.checkActions(declarations)
	p.checkSameMetadata(declarations)
	for _, d := range declarations {
		p.turnTo(d)
		users.check(p.Problems, d, func(name string) bool { return name != d.name })
		if spec := d.spec.PodSpec; spec != nil && len(declarations) > 1 {
			p.refusePodField(spec.HostNetwork, schema.InSpec("podSpec").Key("hostNetwork"))
			p.refusePodField(spec.RestartPolicy != "", schema.InSpec("podSpec").Key("restartPolicy"))
		}
	}
}

// refusePodField reports a pod field that is set although the selection of other injectors depends on it.
func (p together) refusePodField(isSet bool, at schema.Path) {
	if isSet {
		p.Refusef(at, "",
			"the other injectors of the list depend on this, so a second run could differ from the first; "+
				"set it in the manifests, or in a config of its own")
	}
}

// turnTo lets the findings that follow be about an injector.
func (p together) turnTo(d *declaration) {
	p.Injector = d.name
	p.Positions = d.Positions
}

// checkActions reports a list in which only some injectors verify.
func (p together) checkActions(declarations []*declaration) {
	for _, d := range declarations {
		if first := declarations[0]; (d.spec.Action == v1alpha1.Verify) != (first.spec.Action == v1alpha1.Verify) {
			p.turnTo(d)
			p.Refusef(schema.InSpec("action"), string(d.spec.Action),
				"the action is %s, and that of the injector %q is %s; "+
					"a list verifies as a whole or not at all, so split it",
				d.spec.Action, first.name, first.spec.Action)
		}
	}
}

// metadataPatch is what an injector does to a label or an annotation.
type metadataPatch struct {
	injector, value string
	policy          v1alpha1.PatchPolicy
}

// checkSameMetadata reports labels and annotations that two injectors set differently: the result would depend on what
// was there before. Conflicts of merged JSON are found in the pod.
func (p together) checkSameMetadata(declarations []*declaration) {
	first := map[metadataKey]metadataPatch{}
	check := func(mapping string, values map[string]string, at schema.Path, patch metadataPatch) {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			patch.value = values[key]
			other, again := first[metadataKey{mapping, key}]
			switch {
			case !again:
				first[metadataKey{mapping, key}] = patch
			case other.policy == patch.policy && patch.policy == v1alpha1.PatchMergeJSON:
			case other.injector != patch.injector && (other.value != patch.value || other.policy != patch.policy):
				p.Refusef(at.Key(mapping).Key(key), patch.value,
					"the injector %q sets another value or patchPolicy; use the same in both", other.injector)
			}
		}
	}
	for _, d := range declarations {
		p.turnTo(d)
		for i, written := range d.spec.PatchPodMetadata {
			at := schema.InSpec("patchPodMetadata").Index(i)
			patch := metadataPatch{injector: d.name, policy: written.PatchPolicy}
			check("labels", written.Labels, at, patch)
			check("annotations", written.Annotations, at, patch)
		}
	}
}
