package patch

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/plan"
	"pillion.dev/pillion/internal/pods/pod"
)

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
var Refusals = []plan.Refusal{
	plan.NewRefusal("action", "Remove, Verify", "a patch can only add; use pillion remove or verify", plan.IfSpec(func(s *spec) bool {
		return s.Action != v1alpha1.Inject
	})),
	plan.NewRefusal("paused", "", "a paused injector adds nothing; remove the field",
		plan.IfSpec(func(s *spec) bool { return s.Paused })),
	plan.NewRefusal("adopt", "", perPod+"remove the field", plan.IfSpec(func(s *spec) bool { return s.Adopt })),
	plan.NewRefusal("namespaces", "", renames+component, plan.IfSpec(func(s *spec) bool {
		return len(s.Namespaces.Include)+len(s.Namespaces.Exclude) > 0
	})),
	plan.NewRefusal("namespaceSelector", "", renames+component, plan.IfSpec(func(s *spec) bool { return s.NamespaceSelector != nil })),
	plan.NewRefusal("names", "", renames+"select by labels", plan.IfSpec(func(s *spec) bool { return len(s.Names) > 0 })),
	plan.NewRefusal("excludeNames", "", renames+"use neverInjectSelector",
		plan.IfSpec(func(s *spec) bool { return len(s.ExcludeNames) > 0 })),
	plan.NewRefusal(
		"neverInjectSelector", "several conditions in an entry", "a target cannot exclude by a combination; write one condition",
		plan.IfSpec(func(s *spec) bool {
			return slices.ContainsFunc(s.NeverInjectSelector, func(never metav1.LabelSelector) bool { return opposite(&never) == "" })
		}),
	),
	plan.NewRefusal("policy", "Disabled", "a target does not see whether a pod opts in; select by a label instead",
		plan.IfSpec(func(s *spec) bool {
			return s.Policy == v1alpha1.PolicyDisabled
		})),
	plan.NewRefusal("workloads", "", "kustomize replaces the lists of custom kinds; "+function, plan.IfSpec(func(s *spec) bool {
		return len(s.Workloads) > 0
	})),
	plan.NewRefusal("rules", "custom kinds, or no built-in one in v1", "kustomize replaces the lists of other kinds; "+function,
		findOtherRules),
	plan.NewRefusal("jobs", "Error", "a patch cannot refuse a workload; use Skip",
		plan.IfSpec(func(s *spec) bool { return s.Jobs == v1alpha1.JobsError })),
	plan.NewRefusal("hostNetwork", "Skip, Error", perPod+elsewhere,
		plan.IfSpec(func(s *spec) bool { return s.HostNetwork != v1alpha1.PodInject })),
	plan.NewRefusal("helmHooks", "Skip, Error", perPod+"run Pillion as a post-renderer of Helm", plan.IfSpec(func(s *spec) bool {
		return s.HelmHooks != v1alpha1.PodInject
	})),
	plan.NewRefusal("onConflict.container", "Keep, Merge, Replace", perPod+strict, plan.IfSpec(func(s *spec) bool {
		return s.OnConflict.Container != v1alpha1.ContainerError
	})),
	plan.NewRefusal("onConflict.volume", "Keep, Replace", perPod+strict, plan.IfSpec(func(s *spec) bool {
		return s.OnConflict.Volume != v1alpha1.ConflictError
	})),
	plan.NewRefusal("onConflict.port", "Keep", perPod+strict,
		plan.IfSpec(func(s *spec) bool { return s.OnConflict.Port != v1alpha1.PortError })),
	plan.NewRefusal("podSpec", "", overwrite+elsewhere, plan.IfSpec(func(s *spec) bool { return s.PodSpec != nil })),
	plan.NewRefusal("appContainers", "", appNames+elsewhere, plan.IfSpec(func(s *spec) bool { return len(s.AppContainers) > 0 })),
	plan.NewRefusal("patchPodMetadata[].patchPolicy", "Retain, MergePatchJson", overwrite+"use Overwrite",
		plan.IfOperation(func(op plan.Operation) bool {
			return strings.HasPrefix(op.Field, "patchPodMetadata") && op.OnTaken != plan.Replace
		})),
	plan.NewRefusal(
		"containers[].mode", "Container; Auto before Kubernetes 1.29",
		"a patch puts a container in front of the app's, and kubectl logs then takes it for the app; use Native",
		plan.IfContainer(func(op plan.Operation) bool { return op.Row == pod.InSpec(pod.Main) }),
	),
	plan.NewRefusal(
		"containers[].podInjectPolicy", "AfterAppContainer, which is the default of initContainers",
		"a patch puts init containers in front of the app's; use BeforeAppContainer", plan.IfContainer(func(op plan.Operation) bool {
			return op.Row == pod.InSpec(pod.Init) && !op.Place.IsFront
		}),
	),
	plan.NewRefusal("containers[].before", "", beside, plan.IfContainer(func(op plan.Operation) bool { return op.Place.Before != "" })),
	plan.NewRefusal("containers[].after", "", beside, plan.IfContainer(func(op plan.Operation) bool { return op.Place.After != "" })),
	plan.NewRefusal("containers[].shareVolumePolicy", "", perPod+"list the mounts", plan.IfContainer(func(op plan.Operation) bool {
		return isEnabled(op.Container.ShareVolumePolicy)
	})),
	plan.NewRefusal("containers[].shareVolumeDevicePolicy", "", perPod+"list the devices", plan.IfContainer(func(op plan.Operation) bool {
		return isEnabled(op.Container.ShareVolumeDevicePolicy)
	})),
	plan.NewRefusal("containers[].transferEnv", "", perPod+"list the variables", plan.IfContainer(func(op plan.Operation) bool {
		return len(op.Container.TransferEnv) > 0
	})),
	plan.NewRefusal("containers[].resourcesPolicy", "", perPod+"write the resources", plan.IfContainer(func(op plan.Operation) bool {
		return op.Container.Resources != nil
	})),
	plan.NewRefusal("containers[].allowOverride", "", perPod+"remove the field", plan.IfContainer(func(op plan.Operation) bool {
		return len(op.Container.AllowOverride) > 0
	})),
	plan.NewRefusal("*", "${...}",
		"a patch does not know the value of a variable; write it, as presets do with --set app-port=8080, or "+elsewhere,
		func(p *plan.Plan) []string {
			return p.Variables()
		}),
}

type spec = v1alpha1.SidecarInjectorSpec

func isEnabled(policy *v1alpha1.ShareVolumePolicy) bool {
	return policy != nil && policy.Type == v1alpha1.ShareEnabled
}

// findOtherRules finds rules that name a kind which patches do not change, or none that they change. The group
// extensions does not count: it no longer exists, and rules list it as a precaution.
func findOtherRules(p *plan.Plan) []string {
	for _, known := range pod.NewKinds() {
		isNamed := slices.ContainsFunc(p.Spec.Rules, func(r v1alpha1.Rule) bool {
			return slices.Contains(r.APIGroups, known.Group) && slices.Contains(r.Resources, known.Resource)
		})
		if isNamed && known.Group != "extensions" && !isPatched(known) {
			return []string{""}
		}
	}
	if !slices.ContainsFunc(targetsOf(p.Injector), func(t target) bool { return t.kind != "" }) {
		return []string{""}
	}
	return nil
}

// findRefused returns an error finding for each field of an injector that patches cannot express.
func findRefused(in *injector.Injector) []finding.Finding {
	p := plan.Of(in)
	if len(in.AppContainers) > 0 { // its way out is also that of all others
		return []finding.Finding{p.NotExportable("appContainers", appNames+elsewhere)}
	}
	return p.Refused(Refusals)
}
