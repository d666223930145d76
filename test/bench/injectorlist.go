package main

import (
	"fmt"
	"strings"
)

// injectorList returns injectors with the payload of the one in injector.yaml, each with unique names. Injector i selects the
// pods of team i%teams.
func injectorList(count int) string {
	_, payload, _ := strings.Cut(injector, "spec:\n")
	var list strings.Builder
	list.WriteString("apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nmetadata:\n  name: sidecars\nitems:\n")
	for i := range count {
		name := fmt.Sprintf("envoy-%d", i)
		fmt.Fprintf(&list, "- apiVersion: pillion.dev/v1alpha1\n  kind: SidecarInjector\n  metadata:\n    name: %s\n"+
			"  spec:\n    selector:\n      matchLabels:\n        team: team-%d\n", name, i%teams)
		named := strings.NewReplacer("name: envoy-conf", "name: "+name+"-conf", "name: envoy\n", "name: "+name+"\n").Replace(payload)
		for line := range strings.Lines(named) {
			list.WriteString("  " + line)
		}
	}
	return list.String()
}
