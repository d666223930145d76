package export

import (
	"fmt"
	"regexp"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
)

// unsayable are the fields that would make a pod, or a choice of pods, that patches cannot make.
func unsayable(in *injector.Injector, s scope) []gap {
	g := gaps{in: in}
	g.who(s)
	g.containers(containers, in.Containers)
	g.containers(initContainers, in.InitContainers)
	g.what(s)
	return g.found
}

// gaps collects the fields of one injector.
type gaps struct {
	in    *injector.Injector
	found []gap
}

// say adds a gap. The field is one of the spec, with what follows behind it.
func (g *gaps) say(field, rest, format string, args ...any) {
	g.found = append(g.found, gap{g.in.At(field) + rest, fmt.Sprintf(format, args...)})
}

func (g *gaps) who(s scope) {
	spec := &g.in.Spec
	if spec.Action != v1alpha1.Inject {
		g.say("action", "", "patches add to a pod, and can neither take out nor verify; only Inject can be exported, not %s", spec.Action)
	}
	switch {
	case spec.Paused:
		g.say("paused", "", "a paused injector changes nothing, so there is nothing to export")
	case g.in.Paused:
		g.say("injectionStrategy", ".paused", "a paused SidecarSet changes nothing, so there is nothing to export")
	}
	if spec.Adopt {
		g.say("adopt", "", "whether a container can be taken over is decided pod by pod; patches can only stop where the name is taken")
	}
	g.labels(s)
	if spec.NamespaceSelector != nil {
		g.say("namespaceSelector", "", "a target does not know the labels of namespaces; list the namespaces under namespaces.include")
	}
	for i, name := range spec.Names {
		if regexp.QuoteMeta(name) != name {
			g.say("names", index(i), "a target asks the names that an object had before a prefix, too, so %q may choose others than Pillion does; write full names", name)
		}
	}
	if n := max(1, len(s.namespaces)) * max(1, len(s.names)); n > maxTargets {
		g.say("names", "", "each name in each namespace needs patches of its own, and these are %d; the most is %d, so choose by labels", n, maxTargets)
	}
	if spec.Policy == v1alpha1.PolicyDisabled {
		g.say("policy", "", "a target does not see the marker on a pod template, so patches cannot wait for it; export with policy: enabled, and choose by rules, names or the workload's labels")
	}
	for i := range spec.Workloads {
		g.say("workloads", index(i), "kustomize does not know how the lists of a %s merge, and would replace them; run Pillion on it instead", spec.Workloads[i].Kind)
	}
	for _, resource := range s.outside {
		g.say("rules", "", "kustomize does not know how the lists of %s merge, and would replace them; run Pillion on them instead", resource)
	}
	if len(s.kinds) == 0 && len(s.outside) == 0 {
		g.say("rules", "", "they leave no kind that patches reach, which are Pods, ReplicationControllers and those of apps/v1 and batch/v1")
	}
}

// labels are the object's own in a target: they are the pod's where the object is a pod.
func (g *gaps) labels(s scope) {
	spec := &g.in.Spec
	seen := spec.SelectorScope == v1alpha1.ScopeWorkload || s.onlyPods()
	if spec.Selector != nil && len(spec.Selector.MatchLabels)+len(spec.Selector.MatchExpressions) > 0 && !seen {
		g.say("selector", "", "a target sees the labels of the workload and not those of its pod template; label the workloads and set selectorScope: Workload, or choose by rules or names")
	}
	for i := range spec.NeverInjectSelector {
		if !seen {
			g.say("neverInjectSelector", index(i), "a target sees the labels of the workload and not those of its pod template; label the workloads and set selectorScope: Workload")
		} else if _, ok := opposite(&spec.NeverInjectSelector[i]); !ok {
			g.say("neverInjectSelector", index(i), "a target can leave out by one label, and not by several at once; write one label for each entry")
		}
	}
}

func (g *gaps) containers(list string, all []injector.Container) {
	for i, c := range all {
		at := index(i)
		const neighbour = "where %q stands, if anywhere, differs from pod to pod; leave it out"
		if c.Before != "" {
			g.say(list, at+".before", neighbour, c.Before)
		}
		if c.After != "" {
			g.say(list, at+".after", neighbour, c.After)
		}
		if list == containers && c.PodInjectPolicy == v1alpha1.BeforeAppContainer && c.Mode != v1alpha1.ModeNative {
			g.say(list, at+".podInjectPolicy", "with a sidecar in front, the annotation that keeps kubectl on the app names the app's container, which differs from pod to pod; use AfterAppContainer")
		}
		if p := c.ShareVolumePolicy; p != nil && p.Type == v1alpha1.ShareEnabled {
			g.say(list, at+".shareVolumePolicy", "the app's mounts differ from pod to pod; write the mounts out")
		}
		if p := c.ShareVolumeDevicePolicy; p != nil && p.Type == v1alpha1.ShareEnabled {
			g.say(list, at+".shareVolumeDevicePolicy", "the app's devices differ from pod to pod; write the devices out")
		}
		if len(c.TransferEnv) > 0 {
			g.say(list, at+".transferEnv", "the app's variables differ from pod to pod; write the variables out")
		}
		if c.Resources != nil {
			g.say(list, at+".resourcesPolicy", "the app's resources differ from pod to pod; write the sidecar's resources out")
		}
		if len(c.AllowOverride) > 0 {
			g.say(list, at+".allowOverride", "patches do not read the annotations of the pod that would override %s; leave it out", strings.Join(c.AllowOverride, ", "))
		}
	}
}

func (g *gaps) what(s scope) {
	spec := &g.in.Spec
	for _, at := range g.in.Variables() {
		g.found = append(g.found, gap{at, "a variable differs from pod to pod; write the value out"})
	}
	for i := range g.in.AppContainers {
		g.say("appContainers", index(i), "a patch names containers, and makes one where a pod has none of that name; it cannot say \"those that are there\"")
	}
	for i, patch := range g.in.PodMetadata {
		if patch.Policy == v1alpha1.PatchMergeJSON {
			g.say("patchPodMetadata", index(i)+".patchPolicy", "patches cannot merge into the JSON of an annotation; use Retain or Overwrite")
		}
	}
	if spec.PodSpec != nil && spec.PodSpec.RestartPolicy != "" {
		g.say("podSpec", ".restartPolicy", "it decides what sidecars become, after the pod's own was asked; leave it to the workloads")
	}
	g.policies(s)
}

func (g *gaps) policies(s scope) {
	spec := &g.in.Spec
	if on := spec.OnConflict.Container; on != v1alpha1.ContainerError {
		g.say("onConflict", ".container", "%s is decided pod by pod; patches can only stop where the name is taken, as Error does", on)
	}
	if on := spec.OnConflict.Volume; on != v1alpha1.ConflictError {
		g.say("onConflict", ".volume", "%s is decided pod by pod; patches can only stop where the name is taken, as Error does", on)
	}
	if on := spec.OnConflict.Port; on != v1alpha1.PortError {
		g.say("onConflict", ".port", "%s is decided pod by pod, and patches do not see the app's ports", on)
	}
	if spec.HostNetwork != v1alpha1.PodInject {
		g.say("hostNetwork", "", "a target does not see which pods are on the host's network; only Inject can be exported, not %s", spec.HostNetwork)
	}
	if spec.HelmHooks != v1alpha1.PodInject {
		g.say("helmHooks", "", "kustomize and Flux run no Helm hooks; only Inject can be exported, not %s", spec.HelmHooks)
	}
	for _, site := range s.sites(g.in) {
		if site.finishes && !g.in.SupportsNative() {
			g.say("kubernetesVersion", "", "Pillion refuses pods that are meant to finish, because %s has no native sidecars; keep Jobs out by rules, or set jobs to Skip or Inject", spec.KubernetesVersion)
			break
		}
	}
}

func index(i int) string { return fmt.Sprintf("[%d]", i) }
