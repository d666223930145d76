package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ProjectKind is the kind of a project file, which commands find as .pillion.yaml.
const ProjectKind = "Project"

// Project says what the commands run on in a repository, and how far its injectors are rolled out. Its paths are
// relative to the directory of the file.
type Project struct {
	// apiVersion is pillion.dev/v1alpha1.
	// +kubebuilder:validation:Enum=pillion.dev/v1alpha1
	APIVersion string `json:"apiVersion"`
	// kind is Project.
	// +kubebuilder:validation:Enum=Project
	Kind string `json:"kind"`
	// configs are the files and directories with injectors, each with everything below it.
	Configs []string `json:"configs,omitempty"`
	// files are the files and directories with manifests, each with everything below it.
	Files []string `json:"files,omitempty"`
	// kustomizations are the directories of kustomizations to build, and globs of them, in which "**" is any number of
	// directories. Each is built as it stands, whatever other files say about it.
	Kustomizations []string `json:"kustomizations,omitempty"`
	// loadRestrictor says which files the kustomizations may use: those at and below their own directories, or as Flux
	// builds them, all of the repository.
	LoadRestrictor LoadRestrictor `json:"loadRestrictor,omitempty"`
	// exclude are files and directories that are not read and may have workloads without sidecars; globs are allowed.
	Exclude []string `json:"exclude,omitempty"`
	// defaultNamespace is the namespace that objects without metadata.namespace go to.
	DefaultNamespace string `json:"defaultNamespace,omitempty"`
	// rollouts are the injectors that are not for all of their workloads yet.
	Rollouts []Rollout `json:"rollouts,omitempty"`
	// covered are what pods are made from elsewhere, such as HelmReleases, that verify accepts without having the pods.
	Covered []Covered `json:"covered,omitempty"`
}

// Covered accepts objects and files that pods are made from elsewhere: those for which all of its fields hold. It needs
// a kind or a path.
type Covered struct {
	// kind is that of the objects, such as HelmRelease, or what the files are called in reports, such as chart.
	Kind string `json:"kind,omitempty"`
	// path is a path or a glob of the files, or of directories above them.
	Path string `json:"path,omitempty"`
	// names are names and globs of the objects.
	Names []string `json:"names,omitempty"`
	// namespaces are names and globs of the namespaces of the objects.
	Namespaces []string `json:"namespaces,omitempty"`
	// chart is the chart, or the repository and path, that pods are made from, as reports have it; globs are allowed.
	Chart string `json:"chart,omitempty"`
	// because is the reason, in words for those who review it.
	Because string `json:"because"`
}

// LoadRestrictor says which files a kustomization may use.
type LoadRestrictor string

// The values are rootOnly, which is the default, and none.
const (
	LoadRestrictorRootOnly LoadRestrictor = "rootOnly"
	LoadRestrictorNone     LoadRestrictor = "none"
)

// Rollout says which workloads an injector is rolled out to. What it injected into others before stays as it is.
type Rollout struct {
	// injector is the name of the injector.
	Injector string `json:"injector"`
	// to are the parts that the injector is rolled out to: a workload is in if any of them chooses it.
	To []RolloutPart `json:"to"`
}

// RolloutPart chooses workloads: those for which all of its fields hold.
type RolloutPart struct {
	// namespaces are names and globs of namespaces. A workload whose namespace is not known is in none.
	Namespaces []string `json:"namespaces,omitempty"`
	// selector matches the labels of the workload itself.
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	// files are paths and globs of the files that workloads are in, or of directories above them.
	Files []string `json:"files,omitempty"`
	// kustomizations are paths and globs of the kustomizations that are built, or of directories above them.
	Kustomizations []string `json:"kustomizations,omitempty"`
}
