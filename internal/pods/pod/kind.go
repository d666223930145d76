package pod

import (
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Kind is a kind of workload.
type Kind struct {
	Group string
	Kind  string
	// Resource is the lower-case plural that rules use.
	Resource string
	// Paths lead to the pod templates. The empty path is the object itself, [] stands for every entry of a list, and *
	// for every key.
	Paths []string
	// Specs lead to pod specs without templates around them, in the same form. They may be missing.
	Specs []string
	// Parts are the paths of the pods that the kind makes even without a template, each with the places of which one has
	// to be there.
	Parts [][]string
	// IsDeclared is whether a config says where its pods are.
	IsDeclared bool
	// Borrows is whether its pods are selected by the labels and annotations of the object, see AsTemplates.
	Borrows bool
	// Optional is whether some or all of the pod templates may be missing.
	Optional bool
	// Partial is whether an operator completes the pod templates, so that they need no containers.
	Partial bool
	// Finishes is whether its pods are meant to end.
	Finishes bool
	// Knative is whether Knative's restrictions on pod specs apply.
	Knative bool
	// One is whether one pod is the default.
	One bool
	// Reference is the field of spec that may name another workload, whose pods it takes over.
	Reference string
	// Fields are those of the pod spec that the schema of the kind has; the API server drops others. Nil means all.
	Fields []string
	// Mixed is whether other fields are beside those of a bare pod spec. Then resources are those of the main container
	// in most kinds, and never the pod's.
	Mixed bool
	// Plain is whether the schema lacks what native sidecars need.
	Plain bool
	// First is whether its controller takes the first container for the app's.
	First bool
	// Main is the name by which its controller finds the app's container in the first of Specs, if there are several.
	Main string
	// Copies is whether its controller copies the object's annotations to the pods.
	Copies bool
	// IsRelease is whether it is Release, whose pods a chart makes.
	IsRelease bool
	// Note is what a user has to know, for the documentation.
	Note string
}

// IsBuiltIn reports whether Pillion knows a kind without a declaration.
func IsBuiltIn(group, kind string) bool {
	return slices.ContainsFunc(builtIn(), func(k Kind) bool { return k.Group == group && k.Kind == kind })
}

// deploymentMode is the annotation that says whether KServe makes Deployments instead of Knative Services.
const deploymentMode = "serving.kserve.io/deploymentMode"

// Of returns the kind as it is for one workload: KServe makes a Deployment instead of a Knative Service if an annotation
// says so.
func (k Kind) Of(workload *node.Node) Kind {
	if k.Knative && k.Group == "serving.kserve.io" {
		if k.Borrows { // in a cluster, KServe has copied it to the pod
			workload = see(workload, k.Paths[0])
		}
		mode := node.Text(workload, "metadata", "annotations", deploymentMode)
		k.Knative = mode != "Standard" && mode != "RawDeployment"
	}
	return k
}

// Kinds is the kinds of workloads that a run knows, by group and kind.
type Kinds map[[2]string]Kind

// NewKinds returns the built-in kinds and those that the injectors declare. The paths that several injectors declare
// for one kind add up, so that they are the same for all injectors. They replace those that are built in, so that a
// config means the same before and after a version that knows the kind.
func NewKinds(declared ...[]v1alpha1.Workload) Kinds {
	kinds := make(Kinds, len(builtIn()))
	all := slices.Concat(declared...)
	for _, kind := range builtIn() {
		isDeclared := func(w v1alpha1.Workload) bool { return w.Group == kind.Group && w.Kind == kind.Kind }
		if slices.ContainsFunc(all, isDeclared) {
			kind.Paths = nil
			kind.Specs = nil
			kind.Parts = nil
			kind.IsDeclared = true
		}
		kinds.add(kind)
	}
	for _, w := range all {
		kind, known := kinds[[2]string{w.Group, w.Kind}]
		if !known {
			kind = Kind{Group: w.Group, Kind: w.Kind, Optional: true, Mixed: true, IsDeclared: true}
		}
		kind.Partial = kind.Partial || w.Partial
		kind.Paths = union(kind.Paths, w.PodTemplates)
		kind.Specs = union(kind.Specs, w.PodSpecs)
		kinds.add(kind)
	}
	return kinds
}

// AsTemplates returns the kinds as the pods in a cluster show them: each pod has metadata of its own.
func (k Kinds) AsTemplates() Kinds {
	kinds := maps.Clone(k)
	for key, kind := range k {
		kind.Borrows = len(kind.Specs) > 0
		kind.Paths = slices.Concat(kind.Paths, kind.Specs)
		kind.Specs = nil
		kinds[key] = kind
	}
	return kinds
}

// union returns the texts of two lists, each once.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, text := range b {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

func (k Kinds) add(kind Kind) {
	hasTemplate := func(spec string) bool { // at the same place, or inside of it
		return slices.ContainsFunc(kind.Paths, func(template string) bool {
			return template+".spec" == spec || strings.HasPrefix(template+".", spec+".")
		})
	}
	kind.Specs = slices.DeleteFunc(slices.Clone(kind.Specs), hasTemplate)
	slices.SortStableFunc(kind.Specs, func(a, b string) int { return len(a) - len(b) }) // one may be inside another
	kind.Resource = plural(kind.Kind)
	k[[2]string{kind.Group, kind.Kind}] = kind
}

// Find returns the kind of a workload, if it is one.
func (k Kinds) Find(apiVersion, kind string) (Kind, bool) {
	group, _ := SplitVersion(apiVersion)
	found, ok := k[[2]string{group, kind}]
	return found, ok
}

// SplitVersion splits apps/v1 into group and version. The core group is empty.
func SplitVersion(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}

// plural guesses the resource of a kind, as Kubernetes does without a cluster.
func plural(kind string) string {
	s := strings.ToLower(kind)
	switch {
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"):
		return s + "es"
	case strings.HasSuffix(s, "y"):
		return strings.TrimSuffix(s, "y") + "ies"
	default:
		return s + "s"
	}
}
