package resmap_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/transformers"
	"pillion.dev/pillion/transformers/resmap"
)

func ExamplePlugin() {
	files := filesys.MakeFsInMemory()
	_ = files.WriteFile("kustomization.yaml", []byte("resources: [web.yaml]\nnamePrefix: eu-\n"))
	_ = files.WriteFile("web.yaml", []byte(`apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: web
    image: nginx:1.27
`))
	sidecars, findings := transformers.New(v1alpha1.SidecarInjector{
		Metadata: v1alpha1.Metadata{Name: "logs"},
		Spec: v1alpha1.SidecarInjectorSpec{
			Containers: []v1alpha1.Container{{Container: corev1.Container{Name: "logs", Image: "fluent-bit:3.2"}}},
		},
	})
	if len(findings) > 0 {
		fmt.Println(findings)
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, ".")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := resmap.New(sidecars).Transform(built); err != nil {
		fmt.Println(err)
	}
	text, _ := built.AsYaml()
	fmt.Print(string(text))
	// Output:
	// apiVersion: v1
	// kind: Pod
	// metadata:
	//   annotations:
	//     pillion.dev/injected-logs: 1 i(logs:HLa7qc) K4QFzv
	//   name: eu-web
	// spec:
	//   containers:
	//   - image: nginx:1.27
	//     name: web
	//   initContainers:
	//   - image: fluent-bit:3.2
	//     name: logs
	//     restartPolicy: Always
}
