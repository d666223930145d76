// Package configfields lists the fields of a config, for tests that every one of them is in some list.
package configfields

import (
	"reflect"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/jsonfield"
)

// All returns the paths of the fields of a spec in their order, without those inside of Kubernetes' own types:
// containers[].mode.
func All() []string {
	var fields []string
	add := func(prefix string, of reflect.Type, isOwn func(string) bool) {
		for _, name := range jsonfield.Of(of).Names() {
			if isOwn(name) {
				fields = append(fields, prefix+name)
			}
		}
	}
	all := func(string) bool { return true }
	add("", reflect.TypeFor[v1alpha1.SidecarInjectorSpec](), all)
	add("onConflict.", reflect.TypeFor[v1alpha1.OnConflict](), all)
	add("containers[].", reflect.TypeFor[v1alpha1.Placement](), all)
	add("containers[].", reflect.TypeFor[v1alpha1.FromApp](), all)
	add("containers[].", reflect.TypeFor[v1alpha1.Overriding](), all)
	add("containers[].", reflect.TypeFor[v1alpha1.Container](), func(name string) bool { return name == "mode" })
	add("appContainers[].", reflect.TypeFor[v1alpha1.AppContainers](), all)
	add("appContainers[].env[].", reflect.TypeFor[v1alpha1.AppEnvVar](), func(name string) bool { return strings.HasPrefix(name, "join") })
	add("patchPodMetadata[].", reflect.TypeFor[v1alpha1.PodMetadataPatch](), all)
	slices.Sort(fields)
	return fields
}
