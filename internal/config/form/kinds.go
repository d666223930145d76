package form

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

const configMapKind = "ConfigMap"

const noConfig = `there is no function config, so Pillion does not know what to inject; write a SidecarInjector` +
	` (apiVersion pillion.dev/v1alpha1) in a file and name that file under "transformers" in kustomization.yaml,` +
	` under pipeline.mutators[].configPath in a Kptfile, or with "kpt fn eval --fn-config FILE"`

const knownKinds = "Pillion reads a SidecarInjector or a SidecarInjectorList of " + v1alpha1.APIVersion +
	", a ConfigMap of v1, or a SidecarSet of " + sidecarSetBeta

// isAbsent reports whether there is no config. Instead of none, kpt passes an empty ConfigMap.
func isAbsent(config *node.Node) bool {
	if node.IsNull(config) || config.Kind == node.MappingNode && len(config.Content) == 0 {
		return true
	}
	return node.Text(config, "kind") == configMapKind &&
		node.Text(config, "metadata", "name") == "function-input" &&
		len(node.Keys(node.Get(config, "data"))) == 0 &&
		len(node.Keys(node.Get(config, "binaryData"))) == 0
}

// IsConfig reports whether an object of this kind is meant as a config, even if its version or its
// kind is misspelt. A ConfigMap is recognised by its data instead.
func IsConfig(apiVersion, kind string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	isOurs := group == v1alpha1.Group && kind != v1alpha1.ProjectKind
	return isOurs || kind == v1alpha1.Kind || kind == v1alpha1.ListKind || kind == SidecarSetKind
}

// refuseKind reports a config of another kind, and which kinds there are.
func (d reader) refuseKind() {
	apiVersion := d.Object.APIVersion
	kind := d.Object.Kind
	versions := map[string]string{
		v1alpha1.Kind:     v1alpha1.APIVersion,
		v1alpha1.ListKind: v1alpha1.APIVersion,
		configMapKind:     "v1",
		SidecarSetKind:    sidecarSetBeta,
	}
	version, isKnown := versions[kind]
	switch {
	case kind == "":
		d.Missing("kind", "the config has no kind; "+knownKinds)
	case isKnown:
		found := fmt.Sprintf("%s of %q is not known", kind, apiVersion)
		if apiVersion == "" {
			found = "the config has no apiVersion"
		}
		d.Malform(schema.Problem{At: "apiVersion", Current: apiVersion, Proposed: version, Message: fmt.Sprintf(
			"%s; did you mean %s? %s", found, version, knownKinds)})
	case kind == v1alpha1.ProjectKind:
		d.Malformf("kind", kind,
			"a %s is a project file, and not a config; name it .pillion.yaml, or with --project. %s", kind, knownKinds)
	case isWorkload(apiVersion, kind):
		d.Malformf("kind", kind,
			"a %s is a manifest to inject into, and not a config; give it as a manifest, and a config in its place. %s",
			kind, knownKinds)
	default:
		found := schema.Problem{At: "kind", Current: kind, Message: fmt.Sprintf("the kind %q of %q is not known",
			schema.Shown(kind), schema.Shown(apiVersion))}
		if !found.Propose(kind, []string{v1alpha1.Kind, v1alpha1.ListKind, configMapKind, SidecarSetKind}) {
			found.Message += ";"
		}
		found.Message += " " + knownKinds
		d.Malform(found)
	}
}

// isWorkload reports whether objects of this kind hold pods.
func isWorkload(apiVersion, kind string) bool {
	_, isKnown := pod.NewKinds().Find(apiVersion, kind)
	return isKnown
}
