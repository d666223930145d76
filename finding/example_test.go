package finding_test

import (
	"fmt"

	"pillion.dev/pillion/finding"
)

func ExampleCode_Help() {
	fmt.Println(finding.PortConflict.Help())
	// Output: Another container has a port of the sidecar. Change one of them, or set spec.onConflict.port.
}

func ExampleObject_String() {
	fmt.Println(finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"})
	// Output: deployment/web (shop)
}

func ExampleFinding_String() {
	fmt.Println(finding.Finding{
		Severity: finding.Error, Code: finding.PortConflict, Message: "port 8080 is taken", Injector: "envoy",
		Object: &finding.Object{Kind: "Pod", Name: "web"}, File: &finding.File{Path: "web.yaml", Line: 12, Column: 7},
	})
	// Output: web.yaml:12:7: error: PortConflict: pod/web: port 8080 is taken [envoy]
}

func ExampleErr() {
	fmt.Println(finding.Err([]finding.Finding{{Severity: finding.Warning, Code: finding.TooFewMatches, Message: "no workload matched"}}))
	fmt.Println(finding.Err([]finding.Finding{{Severity: finding.Error, Code: finding.InvalidConfig, Message: "there are no injectors"}}))
	// Output:
	// <nil>
	// error InvalidConfig: there are no injectors
}
