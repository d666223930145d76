package injector

import (
	"maps"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
)

const ownName = "an injector's name is its identity, so give each its own"

// CheckTogether checks injectors of several configs as those of one list are checked. Each finding names its injector, and has the
// file of it, which is nil if it is not known.
func CheckTogether(injectors []*Injector, files []*finding.File) []finding.Finding {
	p := &problems{}
	if len(injectors) > maxInjectors {
		p.refusef("", "", "there are %d injectors; the most is %d, so split them over several runs", len(injectors), maxInjectors)
		return p.all()
	}
	first := map[string]int{}
	for i, in := range injectors {
		other, isTaken := first[in.Name]
		if !isTaken {
			first[in.Name] = i
			continue
		}
		p.injector = in.Name
		isShown := !p.isFull()
		p.refusef(in.declared.nameAt, in.Name, "%s has this name already; "+ownName, configIn(files[other]))
		if isShown {
			p.findings[len(p.findings)-1].File = files[i]
		}
	}
	if len(p.findings) > 0 { // the other checks tell injectors apart by name
		return p.all()
	}
	p.checkTogether(injectors)
	for i, f := range p.findings {
		if owner, isKnown := first[f.Injector]; isKnown {
			p.findings[i].File = files[owner]
		}
	}
	return p.all()
}

// configIn returns the config of a file for a message.
func configIn(file *finding.File) string {
	if file == nil {
		return "another config"
	}
	return "the config in " + file.String()
}

// checkTogether reports injectors that contradict each other, or of which one changes what another depends on.
func (p *problems) checkTogether(injectors []*Injector) {
	declarations := make([]*declaration, len(injectors))
	users := metadataUsers{}
	for i, in := range injectors {
		declarations[i] = &in.declared
		users.add(&in.declared)
		users.addDefaultContainer(&in.declared)
	}
	p.checkActions(declarations)
	p.checkSameMetadata(declarations)
	p.checkTakeoverOrder(declarations)
	for _, d := range declarations {
		p.injector = d.name
		users.check(p, d, func(name string) bool { return name != d.name })
		if spec := d.spec.PodSpec; spec != nil && len(declarations) > 1 {
			p.refusePodField(spec.HostNetwork, d.at("podSpec").key("hostNetwork"))
			p.refusePodField(spec.RestartPolicy != "", d.at("podSpec").key("restartPolicy"))
		}
	}
}

// refusePodField reports a pod field that is set although the selection of other injectors depends on it.
func (p *problems) refusePodField(isSet bool, at path) {
	if isSet {
		p.refusef(at, "", "the other injectors of the list depend on this, so a second run could differ from the first; "+
			"set it in the manifests, or in a config of its own")
	}
}

// checkActions reports a list in which only some injectors verify.
func (p *problems) checkActions(declarations []*declaration) {
	for _, d := range declarations {
		if first := declarations[0]; (d.spec.Action == v1alpha1.Verify) != (first.spec.Action == v1alpha1.Verify) {
			p.injector = d.name
			p.refusef(d.at("action"), string(d.spec.Action),
				"the action is %s, and that of the injector %q is %s; a list verifies as a whole or not at all, so split it",
				d.spec.Action, first.name, first.spec.Action)
		}
	}
}

// metadataPatch is what an injector does to a label or an annotation.
type metadataPatch struct {
	injector, value string
	policy          v1alpha1.PatchPolicy
}

// checkSameMetadata reports labels and annotations that two injectors set differently: the result would depend on what was
// there before. Conflicts of merged JSON are found in the pod.
func (p *problems) checkSameMetadata(declarations []*declaration) {
	first := map[metadataKey]metadataPatch{}
	check := func(mapping string, values map[string]string, at path, patch metadataPatch) {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			patch.value = values[key]
			other, again := first[metadataKey{mapping, key}]
			switch {
			case !again:
				first[metadataKey{mapping, key}] = patch
			case other.policy == patch.policy && patch.policy == v1alpha1.PatchMergeJSON:
			case other.injector != patch.injector && (other.value != patch.value || other.policy != patch.policy):
				p.refusef(at.key(mapping).key(key), patch.value,
					"the injector %q sets another value or patchPolicy; use the same in both", other.injector)
			}
		}
	}
	for _, d := range declarations {
		p.injector = d.name
		for i, written := range d.spec.PatchPodMetadata {
			at, patch := d.at("patchPodMetadata").index(i), metadataPatch{injector: d.name, policy: written.PatchPolicy}
			check("labels", written.Labels, at, patch)
			check("annotations", written.Annotations, at, patch)
		}
	}
}

// checkTakeoverOrder reports an injector that replaces env or mounts of the app after another one took them over: on a second run,
// that one would take over the replacement.
func (p *problems) checkTakeoverOrder(declarations []*declaration) {
	var envTaker, mountTaker string
	check := func(d *declaration, taker, field string, policy v1alpha1.Conflict) {
		if taker != "" && policy == v1alpha1.ConflictReplace && len(d.spec.AppContainers) > 0 {
			p.refusef(d.at("onConflict").key(field), string(policy), "the injector %q, which comes before, takes this over from the app, "+
				"and would take over something else when run again; put this injector before it", taker)
		}
	}
	for _, d := range declarations {
		p.injector = d.name
		check(d, envTaker, "env", d.spec.OnConflict.Env)
		check(d, mountTaker, "mountPath", d.spec.OnConflict.MountPath)
		for _, c := range d.containers() {
			if len(c.TransferEnv) > 0 {
				envTaker = d.name
			}
			if c.ShareVolumePolicy != nil && c.ShareVolumePolicy.Type == v1alpha1.ShareEnabled {
				mountTaker = d.name
			}
		}
	}
}
