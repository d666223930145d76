package patch

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/plan"
	"pillion.dev/pillion/internal/pod"
)

// Refusal is something that patches cannot express.
type Refusal struct {
	Field string // of the spec; [] stands for an entry of a list
	When  string // the values that are refused; empty for all
	Why   string // one sentence, with the way out
	find  finder
}

// finder returns where a plan has a field with a value that is refused, as paths inside of the spec.
type finder func(p *plan.Plan, field string) []string

const (
	perPod    = "it depends on the pod, which a patch does not read; "
	renames   = "patches run before a kustomization or Flux sets namespace, prefix and suffix; "
	function  = "run Pillion as a function"
	elsewhere = "use pillion export admission, or " + function
	strict    = "use Error, and pillion verify finds the conflict"
	component = "put the patches only into the kustomizations that need them"
	beside    = "a patch cannot put a container beside another one; remove the field"
	appNames  = "a patch does not know the names of the app's containers; "
	overwrite = "a merge overwrites what the pod has, and cannot set a value only if there is none; "
)

// Refusals is all that patches cannot express. Docs print it.
var Refusals = []Refusal{
	{"action", "Remove, Verify", "a patch can only add; use pillion remove or verify", ofSpec(func(s *spec) bool {
		return s.Action != v1alpha1.Inject
	})},
	{"paused", "", "a paused injector adds nothing; remove the field", func(p *plan.Plan, field string) []string {
		return onlyIf(p.Paused || p.Spec.Paused, field)
	}},
	{"adopt", "", perPod + "remove the field", ofSpec(func(s *spec) bool { return s.Adopt })},
	{"namespaces", "", renames + component, ofSpec(func(s *spec) bool {
		return len(s.Namespaces.Include)+len(s.Namespaces.Exclude) > 0
	})},
	{"namespaceSelector", "", renames + component, ofSpec(func(s *spec) bool { return s.NamespaceSelector != nil })},
	{"names", "", renames + "select by labels", ofSpec(func(s *spec) bool { return len(s.Names) > 0 })},
	{"excludeNames", "", renames + "use neverInjectSelector", ofSpec(func(s *spec) bool { return len(s.ExcludeNames) > 0 })},
	{
		"neverInjectSelector", "several conditions in an entry", "a target cannot exclude by a combination; write one condition",
		ofSpec(func(s *spec) bool {
			return slices.ContainsFunc(s.NeverInjectSelector, func(never metav1.LabelSelector) bool { return opposite(&never) == "" })
		}),
	},
	{"policy", "disabled", "a target does not see whether a pod opts in; select by a label instead", ofSpec(func(s *spec) bool {
		return s.Policy == v1alpha1.PolicyDisabled
	})},
	{"workloads", "", "kustomize replaces the lists of custom kinds; " + function, ofSpec(func(s *spec) bool {
		return len(s.Workloads) > 0
	})},
	{"rules", "custom kinds, or no built-in one in v1", "kustomize replaces the lists of other kinds; " + function, ofSpec(hasOtherRules)},
	{"jobs", "Error", "a patch cannot refuse a workload; use Skip", ofSpec(func(s *spec) bool { return s.Jobs == v1alpha1.JobsError })},
	{"hostNetwork", "Skip, Error", perPod + elsewhere, ofSpec(func(s *spec) bool { return s.HostNetwork != v1alpha1.PodInject })},
	{"helmHooks", "Skip, Error", perPod + "run Pillion as a post-renderer of Helm", ofSpec(func(s *spec) bool {
		return s.HelmHooks != v1alpha1.PodInject
	})},
	{"onConflict.container", "Keep, Merge, Replace", perPod + strict, ofSpec(func(s *spec) bool {
		return s.OnConflict.Container != v1alpha1.ContainerError
	})},
	{"onConflict.volume", "Keep, Replace", perPod + strict, ofSpec(func(s *spec) bool {
		return s.OnConflict.Volume != v1alpha1.ConflictError
	})},
	{"onConflict.port", "Keep", perPod + strict, ofSpec(func(s *spec) bool { return s.OnConflict.Port != v1alpha1.PortError })},
	{"podSpec", "", overwrite + elsewhere, ofSpec(func(s *spec) bool { return s.PodSpec != nil })},
	{"appContainers", "", appNames + elsewhere, ofSpec(func(s *spec) bool { return len(s.AppContainers) > 0 })},
	{"patchPodMetadata[].patchPolicy", "Retain, MergePatchJson", overwrite + "use Overwrite", ofOperations(func(op plan.Operation) bool {
		return strings.HasPrefix(op.Field, "patchPodMetadata") && op.OnTaken != plan.Replace
	})},
	{
		"containers[].mode", "Container; Auto before Kubernetes 1.29",
		"a patch puts a container in front of the app's, and kubectl logs then takes it for the app; use Native",
		ofContainers(func(op plan.Operation) bool { return op.Row == pod.InSpec(pod.Main) }),
	},
	{
		"containers[].podInjectPolicy", "AfterAppContainer, which is the default of initContainers",
		"a patch puts init containers in front of the app's; use BeforeAppContainer", ofContainers(func(op plan.Operation) bool {
			return op.Row == pod.InSpec(pod.Init) && !op.Place.IsFront
		}),
	},
	{"containers[].before", "", beside, ofContainers(func(op plan.Operation) bool { return op.Place.Before != "" })},
	{"containers[].after", "", beside, ofContainers(func(op plan.Operation) bool { return op.Place.After != "" })},
	{"containers[].shareVolumePolicy", "", perPod + "list the mounts", ofContainers(func(op plan.Operation) bool {
		return isEnabled(op.Container.ShareVolumePolicy)
	})},
	{"containers[].shareVolumeDevicePolicy", "", perPod + "list the devices", ofContainers(func(op plan.Operation) bool {
		return isEnabled(op.Container.ShareVolumeDevicePolicy)
	})},
	{"containers[].transferEnv", "", perPod + "list the variables", ofContainers(func(op plan.Operation) bool {
		return len(op.Container.TransferEnv) > 0
	})},
	{"containers[].resourcesPolicy", "", perPod + "write the resources", ofContainers(func(op plan.Operation) bool {
		return op.Container.Resources != nil
	})},
	{"containers[].allowOverride", "", perPod + "remove the field", ofContainers(func(op plan.Operation) bool {
		return len(op.Container.AllowOverride) > 0
	})},
	{"*", "${...}", "a patch does not know the value of a variable; write it, as presets do with --set app-port=8080, or " + elsewhere, nil},
}

type spec = v1alpha1.SidecarInjectorSpec

func ofSpec(has func(*spec) bool) finder {
	return func(p *plan.Plan, field string) []string { return onlyIf(has(&p.Spec), field) }
}

func onlyIf(isRefused bool, field string) []string {
	if isRefused {
		return []string{field}
	}
	return nil
}

func ofContainers(has func(plan.Operation) bool) finder {
	return ofOperations(func(op plan.Operation) bool { return op.Container != nil && has(op) })
}

// ofOperations finds a field in the entries of the config that operations are from.
func ofOperations(has func(plan.Operation) bool) finder {
	return func(p *plan.Plan, field string) (found []string) {
		_, inside, _ := strings.Cut(field, "]")
		for _, step := range p.Steps {
			for _, op := range step.Operations {
				if entry, _, isEntry := strings.Cut(op.Field, "]"); isEntry && has(op) {
					found = append(found, entry+"]"+inside)
				}
			}
		}
		return slices.Compact(found)
	}
}

func isEnabled(policy *v1alpha1.ShareVolumePolicy) bool {
	return policy != nil && policy.Type == v1alpha1.ShareEnabled
}

// hasOtherRules reports whether rules name a kind that patches do not change, or none that they change. The group extensions does not
// count: it no longer exists, and rules list it as a precaution.
func hasOtherRules(s *spec) bool {
	for _, known := range pod.NewKinds() {
		isNamed := slices.ContainsFunc(s.Rules, func(r v1alpha1.Rule) bool {
			return slices.Contains(r.APIGroups, known.Group) && slices.Contains(r.Resources, known.Resource)
		})
		if isNamed && known.Group != "extensions" && !isPatched(known) {
			return true
		}
	}
	return !slices.ContainsFunc(targetsOf(s), func(t target) bool { return t.kind != "" })
}

// findRefused returns an error finding for each field of an injector that patches cannot express.
func findRefused(in *injector.Injector) (findings []finding.Finding) {
	if in.IsForeign() { // it lacks the fields that the other reasons name
		return []finding.Finding{refuseAt(in, "kind", "the rules of a "+in.Kind+" cannot be exported; write a SidecarInjector")}
	}
	if len(in.AppContainers) > 0 { // its way out is also that of all others
		return []finding.Finding{refuse(in, "appContainers", appNames+elsewhere)}
	}
	p := plan.Of(in)
	for _, r := range Refusals {
		if r.find == nil { // variables, which may be anywhere
			for _, path := range in.Variables() {
				findings = append(findings, refuseAt(in, path, r.Why))
			}
			continue
		}
		for _, field := range r.find(p, r.Field) {
			findings = append(findings, refuse(in, field, r.Why))
		}
	}
	return findings
}

// refuse returns the finding for a field of the spec, such as containers[0].before.
func refuse(in *injector.Injector, field, why string) finding.Finding {
	name, _, _ := strings.Cut(strings.ReplaceAll(field, "[", "."), ".")
	return refuseAt(in, in.At(name)+field[len(name):], why)
}

func refuseAt(in *injector.Injector, path, why string) finding.Finding {
	return finding.Finding{
		Severity: finding.Error, Code: finding.NotExportable, Injector: in.Name,
		Field: &finding.Field{Path: path}, Message: path + ": " + why,
	}
}
