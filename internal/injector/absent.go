package injector

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/sidecarset"
	"pillion.dev/pillion/internal/spelling"
	"pillion.dev/pillion/internal/yaml/node"
)

const howToGiveOne = `there is no function config, so Pillion does not know what to inject; write a SidecarInjector` +
	` (apiVersion pillion.dev/v1alpha1) in a file and name that file under "transformers" in kustomization.yaml,` +
	` under pipeline.mutators[].configPath in a Kptfile, or with "kpt fn eval --fn-config FILE"`

// isAbsent tells whether no config was given. kpt says so with an empty ConfigMap.
func isAbsent(config *yaml.Node) bool {
	if node.IsNull(config) {
		return true
	}
	if node.Resolve(config).Kind == yaml.MappingNode && len(node.Keys(config)) == 0 {
		return true
	}
	return node.Text(config, "kind") == "ConfigMap" &&
		node.Text(config, "metadata", "name") == "function-input" &&
		len(node.Keys(node.Get(config, "data"))) == 0 &&
		len(node.Keys(node.Get(config, "binaryData"))) == 0
}

// unknownKind refuses a config of another kind, and says which kinds there are.
func (d *decoder) unknownKind() {
	const known = "Pillion reads a SidecarInjector or a SidecarInjectorList of " + v1alpha1.APIVersion + ", a ConfigMap of v1, or a SidecarSet of " + sidecarset.Beta
	apiVersion, kind := d.object.APIVersion, d.object.Kind
	right := v1alpha1.APIVersion
	switch kind {
	case "ConfigMap":
		right = "v1"
	case sidecarset.Kind:
		right = sidecarset.Beta
	}
	switch kind {
	case "":
		d.require("kind", "the function config has no kind; "+known)
	case v1alpha1.Kind, v1alpha1.ListKind, "ConfigMap", sidecarset.Kind:
		found := fmt.Sprintf("%s of %q is not known", kind, apiVersion)
		if apiVersion == "" {
			found = "the function config has no apiVersion"
		}
		d.malform(problem{at: "apiVersion", current: apiVersion, proposed: right, message: fmt.Sprintf(
			"%s; did you mean %s? %s", found, right, known)})
	default:
		message := fmt.Sprintf("the kind %q of %q is not known", clip(kind, maxShown), clip(apiVersion, maxShown))
		near := spelling.Nearest(kind, []string{v1alpha1.Kind, v1alpha1.ListKind, "ConfigMap", sidecarset.Kind})
		if near != "" {
			message += fmt.Sprintf("; did you mean %s?", near)
		} else {
			message += ";"
		}
		d.malform(problem{at: "kind", current: kind, proposed: near, message: message + " " + known})
	}
}
