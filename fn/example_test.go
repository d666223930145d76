package fn_test

import (
	"context"
	"fmt"
	"os"

	"pillion.dev/pillion/fn"
)

func ExampleRun() {
	list := `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: pillion.dev/v1alpha1
  kind: SidecarInjector
  metadata:
    name: logs
  spec:
    containers:
    - name: logs
      image: fluent-bit:3.2
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: web
  spec:
    containers:
    - name: web # the app
      image: nginx:1.27
`
	report, err := fn.Run(context.Background(), []byte(list), os.Stdout)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println("---")
	fmt.Println(report.Counts)
	// Output:
	// apiVersion: config.kubernetes.io/v1
	// kind: ResourceList
	// functionConfig:
	//   apiVersion: pillion.dev/v1alpha1
	//   kind: SidecarInjector
	//   metadata:
	//     name: logs
	//   spec:
	//     containers:
	//     - name: logs
	//       image: fluent-bit:3.2
	// items:
	// - apiVersion: v1
	//   kind: Pod
	//   metadata:
	//     name: web
	//     annotations:
	//       pillion.dev/injected-logs: 1 i(logs:HLa7qc) K4QFzv
	//   spec:
	//     containers:
	//     - name: web # the app
	//       image: nginx:1.27
	//     initContainers:
	//     - name: logs
	//       image: fluent-bit:3.2
	//       restartPolicy: Always
	// results:
	// - message: adds init container logs
	//   severity: info
	//   resourceRef:
	//     apiVersion: v1
	//     kind: Pod
	//     name: web
	//   field:
	//     path: spec
	//   tags:
	//     code: Injected
	//     injector: logs
	// ---
	// 1 workload: 1 injected
}
