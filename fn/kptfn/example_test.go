package kptfn_test

import (
	"fmt"

	sdk "github.com/kptdev/krm-functions-sdk/go/fn"

	"pillion.dev/pillion/fn/kptfn"
)

func ExampleProcessor() {
	list, err := sdk.ParseResourceList([]byte(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: pillion.dev/v1alpha1
  kind: SidecarInjector
  metadata: {name: logs}
  spec:
    containers:
    - {name: logs, image: "fluent-bit:3.2"}
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: web}
  spec:
    containers:
    - name: web # the app
      image: nginx:1.27
`))
	if err != nil {
		fmt.Println(err)
	}
	label := func(list *sdk.ResourceList) (bool, error) {
		return true, list.Items[0].SetLabel("team", "payments")
	}
	success, err := sdk.Chain(sdk.ResourceListProcessorFunc(label), kptfn.Processor{}).Process(list)
	fmt.Println(success, err)
	fmt.Print(list.Items[0])
	fmt.Println("#", list.Results[0].Message)
	// Output:
	// true <nil>
	// apiVersion: v1
	// kind: Pod
	// metadata: {name: web, labels: {team: payments}, annotations: {pillion.dev/injected-logs: '1 i(logs:HLa7qc) K4QFzv'}}
	// spec:
	//   containers:
	//   - name: web # the app
	//     image: nginx:1.27
	//   initContainers:
	//   - {name: logs, image: "fluent-bit:3.2", restartPolicy: Always}
	// # adds init container logs
}
