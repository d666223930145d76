package refusal

import (
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Parts of the reasons.
const (
	perPod    = "it depends on the pod, which a patch does not read; "
	renames   = "patches run before a kustomization or Flux sets namespace, prefix and suffix; "
	function  = "run Pillion as a function"
	elsewhere = "use pillion export admission, or " + function
	strict    = "use Error, and pillion verify finds the conflict"
	component = "put the patches only into the kustomizations that need them"
	beside    = "a patch cannot put a container beside another one; remove the field"
	overwrite = "a merge overwrites what the pod has, and cannot set a value only if there is none; "

	defaulted = "a pod arrives with defaults, so a policy cannot tell what is the app's own; use Error"
	skips     = "a policy leaves a pod alone, or injects; use Skip"
)

// Table has all kinds of conditions, and everything else that policies or patches cannot express. The documentation has
// its order.
var Table = []Entry{
	{
		Field:  "action",
		Find:   IfSpec(func(s *spec) bool { return s.Action != v1alpha1.Inject }),
		Policy: Reason{"other than Inject", "a new pod has nothing to remove or to verify; use Inject"},
		Patch:  Reason{"Remove, Verify", "a patch can only add; use pillion remove or verify"},
	},
	{
		Field:  "paused",
		Policy: Reason{"", "a paused injector changes nothing; remove the field"},
		Patch:  Reason{"", "a paused injector adds nothing; remove the field"},
	},
	{
		Field:  "adopt",
		Find:   IfSpec(func(s *spec) bool { return s.Adopt }),
		Policy: Reason{"", "a new pod has nothing to take over; adopt it in the manifests"},
		Patch:  Reason{"", perPod + "remove the field"},
	},
	{Field: "selector"},
	{
		Field: "selectorScope",
		Find:  IfSpec(func(s *spec) bool { return s.SelectorScope != v1alpha1.ScopePodTemplate }),
		Policy: Reason{
			"other than PodTemplate", "a pod does not know the labels of its workload; label the pod template",
		},
	},
	{
		Field: "namespaces",
		Find:  IfSpec(func(s *spec) bool { return len(s.Namespaces.Include)+len(s.Namespaces.Exclude) > 0 }),
		Patch: Reason{"", renames + component},
	},
	{Field: "namespaceSelector", Patch: Reason{"", renames + component}},
	{
		Field:  "names",
		Policy: Reason{"", "a pod does not know the name of its workload; select by labels"},
		Patch:  Reason{"", renames + "select by labels"},
	},
	{
		Field:  "excludeNames",
		Policy: Reason{"", "a pod does not know the name of its workload; label the pods, and use neverInjectSelector"},
		Patch:  Reason{"", renames + "use neverInjectSelector"},
	},
	{
		Field: "neverInjectSelector",
		Find: ifCondition(func(c injector.Condition) bool {
			isNever := c.Kind == injector.OnNeverSelector
			return isNever && len(c.Selector.MatchLabels)+len(c.Selector.MatchExpressions) != 1
		}),
		Patch: Reason{
			"several conditions in an entry", "a target cannot exclude by a combination; write one condition",
		},
	},
	{Field: "marker"},
	{
		Field: "policy",
		Patch: Reason{"Disabled", "a target does not see whether a pod opts in; select by a label instead"},
	},
	{
		Field: "workloads",
		Find:  IfSpec(func(s *spec) bool { return len(s.Workloads) > 0 }),
		Patch: Reason{"", "kustomize replaces the lists of custom kinds; " + function},
	},
	{
		Field: "rules", // patches have a finder of their own, because they know which kinds they change
		Find: ifCondition(func(c injector.Condition) bool {
			return c.Kind == injector.OnRules && !c.HasResource("*", "*", "*")
		}),
		Policy: Reason{
			"except for all workloads", "a pod does not know the kind of its workload; select by labels or namespaces",
		},
		Patch: Reason{
			"custom kinds, or no built-in one in v1", "kustomize replaces the lists of other kinds; " + function,
		},
	},
	{
		Field:  "jobs",
		Find:   ifCondition(func(c injector.Condition) bool { return c.Kind == injector.OnJobs && c.Refuses() }),
		Policy: Reason{"Error", skips},
		Patch:  Reason{"Error", "a patch cannot refuse a workload; use Skip"},
	},
	{Field: "hostNetwork", Patch: Reason{"Skip, Error", perPod + elsewhere}},
	{
		Field:  "hostNetwork",
		Find:   ifCondition(func(c injector.Condition) bool { return c.Kind == injector.OnHostNetwork && c.Refuses() }),
		Policy: Reason{"Error", skips},
	},
	{
		Field:  "helmHooks",
		Policy: Reason{"other than Inject", "a pod does not know whether its workload is a Helm hook; use Inject"},
		Patch:  Reason{"Skip, Error", perPod + "run Pillion as a post-renderer of Helm"},
	},
	// What an export does not know, the cluster or the next run does.
	{Field: "the namespace of the workload"},
	{Field: "the containers of the pod"},
	{
		Field:  "onConflict.container",
		Find:   IfSpec(func(s *spec) bool { return s.OnConflict.Container != v1alpha1.ContainerError }),
		Policy: Reason{"other than Error", defaulted},
		Patch:  Reason{"Keep, Merge, Replace", perPod + strict},
	},
	{
		Field:  "onConflict.volume",
		Find:   IfSpec(func(s *spec) bool { return s.OnConflict.Volume != v1alpha1.ConflictError }),
		Policy: Reason{"other than Error", defaulted},
		Patch:  Reason{"Keep, Replace", perPod + strict},
	},
	{
		Field:  "onConflict.port",
		Find:   IfSpec(func(s *spec) bool { return s.OnConflict.Port != v1alpha1.PortError }),
		Policy: Reason{"Keep", "a policy adds the same sidecar to all pods; use a port that no app has"},
		Patch:  Reason{"Keep", perPod + strict},
	},
	{
		Field: "onConflict.env",
		Find: IfOperation(func(op injector.Operation) bool {
			isReplaced := op.App != nil && op.OnTaken == injector.Replace && op.Join == nil
			return isReplaced && len(pod.UsedVariables(node.Text(op.Value, "value"))) > 0
		}),
		Policy: Reason{
			"Replace, with a value that uses another variable",
			"it would have to move behind that variable; use Keep, or another name",
		},
	},
	{
		Field: "podSpec",
		Find:  IfSpec(func(s *spec) bool { return s.PodSpec != nil }),
		Patch: Reason{"", overwrite + elsewhere},
	},
	{
		Field: "appContainers",
		Find:  IfSpec(func(s *spec) bool { return len(s.AppContainers) > 0 }),
		Patch: Reason{"", "a patch does not know the names of the app's containers; " + elsewhere},
	},
	{
		Field: "patchPodMetadata[].patchPolicy",
		Find: IfOperation(func(op injector.Operation) bool {
			return strings.HasPrefix(op.Field, "patchPodMetadata") && op.OnTaken != injector.Replace
		}),
		Patch: Reason{"Retain, MergePatchJson", overwrite + "use Overwrite"},
	},
	{
		Field:  "patchPodMetadata[].patchPolicy",
		Find:   IfOperation(func(op injector.Operation) bool { return op.Verb == injector.MergeJSON }),
		Policy: Reason{"MergePatchJson", "CEL cannot read JSON; use Retain or Overwrite"},
	},
	{
		Field: "containers[].mode",
		Find:  IfContainer(func(op injector.Operation) bool { return op.Row == pod.InSpec(pod.Main) }),
		Patch: Reason{
			"Container; Auto before Kubernetes 1.29",
			"a patch puts a container in front of the app's, and kubectl logs then takes it for the app; use Native",
		},
	},
	{
		Field: "containers[].mode",
		Find:  IfContainer(func(op injector.Operation) bool { return op.Container.Mode == v1alpha1.ModeAuto }),
		Policy: Reason{
			"that is Auto in a ConfigMap, or before Kubernetes 1.29",
			"the pod decides whether the sidecar is native; use a SidecarInjector with mode Native or Container",
		},
	},
	{
		Field: "containers[].podInjectPolicy",
		Find: IfContainer(func(op injector.Operation) bool {
			return op.Row == pod.InSpec(pod.Init) && !op.Position.IsFront
		}),
		Patch: Reason{
			"AfterAppContainer, which is the default of initContainers",
			"a patch puts init containers in front of the app's; use BeforeAppContainer",
		},
	},
	{
		Field: "containers[].before",
		Find:  IfContainer(func(op injector.Operation) bool { return op.Position.Before != "" }),
		Patch: Reason{"", beside},
	},
	{
		Field: "containers[].after",
		Find:  IfContainer(func(op injector.Operation) bool { return op.Position.After != "" }),
		Patch: Reason{"", beside},
	},
	{
		Field:  "containers[].shareVolumePolicy",
		Find:   IfContainer(func(op injector.Operation) bool { return isShared(op.Container.ShareVolumePolicy) }),
		Policy: Reason{"", "policies do not copy mounts of the app; list them in the sidecar"},
		Patch:  Reason{"", perPod + "list the mounts"},
	},
	{
		Field:  "containers[].shareVolumeDevicePolicy",
		Find:   IfContainer(func(op injector.Operation) bool { return isShared(op.Container.ShareVolumeDevicePolicy) }),
		Policy: Reason{"", "policies do not copy devices of the app; list them in the sidecar"},
		Patch:  Reason{"", perPod + "list the devices"},
	},
	{
		Field:  "containers[].transferEnv",
		Find:   IfContainer(func(op injector.Operation) bool { return len(op.Container.TransferEnv) > 0 }),
		Policy: Reason{"", "policies do not copy variables of the app; list them in the sidecar"},
		Patch:  Reason{"", perPod + "list the variables"},
	},
	{
		Field:  "containers[].resourcesPolicy",
		Find:   IfContainer(func(op injector.Operation) bool { return op.Container.Resources != nil }),
		Policy: Reason{"", "CEL cannot compute with quantities; set the resources of the sidecar"},
		Patch:  Reason{"", perPod + "write the resources"},
	},
	{
		Field: "containers[].allowOverride",
		Find:  IfContainer(func(op injector.Operation) bool { return len(op.Container.AllowOverride) > 0 }),
		Policy: Reason{
			"", "policies do not read annotations that set fields; use ${pod.annotations['KEY']:-DEFAULT} as the value",
		},
		Patch: Reason{"", perPod + "remove the field"},
	},
	{
		Field: "*",
		Find:  func(p *injector.Plan) []string { return p.Variables() },
		Patch: Reason{
			"${...}",
			"a patch does not know the value of a variable; write it, as presets do with --set app-port=8080, or " +
				elsewhere,
		},
	},
}

type spec = v1alpha1.SidecarInjectorSpec

func isShared(p *v1alpha1.ShareVolumePolicy) bool { return p != nil && p.Type == v1alpha1.ShareEnabled }
