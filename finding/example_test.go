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
