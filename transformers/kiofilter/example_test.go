package kiofilter_test

import (
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio"

	"pillion.dev/pillion/transformers"
	"pillion.dev/pillion/transformers/kiofilter"
)

func Example() {
	config, _ := transformers.Read(transformers.Source{Text: []byte(`
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  containers:
  - name: logs
    image: fluent-bit:3.2
`)})
	filter := kiofilter.New(config)
	err := kio.Pipeline{
		Inputs: []kio.Reader{&kio.ByteReader{Reader: strings.NewReader(`apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: web # the app
    image: nginx:1.27
`)}},
		Filters: []kio.Filter{filter},
		Outputs: []kio.Writer{kio.ByteWriter{Writer: os.Stdout}},
	}.Execute()
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println("#", filter.Report.Counts)
	// Output:
	// apiVersion: v1
	// kind: Pod
	// metadata:
	//   name: web
	//   annotations:
	//     pillion.dev/injected-logs: 1 i(logs:HLa7qc) K4QFzv
	// spec:
	//   containers:
	//   - name: web # the app
	//     image: nginx:1.27
	//   initContainers:
	//   - name: logs
	//     image: fluent-bit:3.2
	//     restartPolicy: Always
	// # 1 workload: 1 injected
}
