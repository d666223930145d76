package main

import "strings"

// selecting is an injector for which the other objects of a stream decide which workloads it selects.
const selecting = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  namespaceSelector: {matchExpressions: [{key: env, operator: NotIn, values: [test]}]}
  containers: [{name: logs, image: i}]
`

// selectByOthers injects, again, and removes, with the injector that looks at the other objects.
func selectByOthers(text []byte) error { return apply(selecting, text) }

func init() {
	readers = append(readers, reader{"select by other objects", objects, selectByOthers})
	for name, grow := range objectShapes {
		texts = append(texts, text{name, objects, func(n int) string { return grow(n) + pods(n) }})
	}
}

// pods returns pods in one namespace.
func pods(n int) string {
	return numbered("---\napiVersion: v1\nkind: Pod\nmetadata: {name: p%d, namespace: shop}\nspec: {containers: [{name: a, image: b}]}\n")(n)
}

const (
	namespaceHead   = "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n"
	initializerHead = "---\napiVersion: admissionregistration.k8s.io/v1alpha1\nkind: InitializerConfiguration\nmetadata: {name: a}\n" +
		"initializers:\n- name: logs.initializer.kubernetes.io\n  rules:\n"
)

// objectShapes are objects with many of one thing, which each of many pods depends on.
var objectShapes = map[string]func(size int) string{
	"a Namespace with labels": func(n int) string {
		return namespaceHead + "  labels:\n" + numbered("    l%d: v\n")(n)
	},
	"a Namespace with labels that is not selected": func(n int) string {
		return namespaceHead + "  labels:\n    env: test\n" + numbered("    l%d: v\n")(n)
	},
	"a Namespace again and again": func(n int) string {
		return strings.Repeat(namespaceHead+"  labels: {env: prod}\n", n) + namespaceHead + "  labels: {env: test}\n"
	},
	"an initializer with rules": func(n int) string {
		return namespaceHead + initializerHead + numbered("  - {apiGroups: [''], apiVersions: [v1], resources: [r%d]}\n")(n)
	},
	"an initializer with resources": func(n int) string {
		return namespaceHead + initializerHead + "  - apiGroups: ['']\n    apiVersions: [v1]\n    resources:\n" + numbered("    - r%d\n")(n)
	},
}
