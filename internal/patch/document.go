package patch

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/node"
)

// Mark begins every exported file.
const Mark = "# Made by pillion export"

// The first lines of a file say what it is for, and what patches do not do, because nobody sees that in the patches.
const (
	head = Mark + ` from %s. Change the config and export it again.
# %s, also in CI; it reports whatever patches cannot do:
#   %s | pillion verify -c injector.yaml -f -
# Targets read a workload as it is before its kustomization sets labels, namespace and prefixes: the workload needs the labels and the
# marker of its pod template. Unlike Pillion, patches also reach kube-system if there are objects for it, never custom kinds such as
# Rollout, and do not increase pod-level resources. kustomize merges repeated names in the lists of a patch: env A=1, B=$(A), A=2
# becomes A=2, B=$(A).
`
	componentStart = `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
`
	fluxStart = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: apps # the name of your Flux Kustomization
spec:
  patches:
`
)

// Component returns the patches as a Component of kustomize.
func (p Patches) Component() []byte {
	return p.document(componentStart, "", "List the directory of this file under components of a kustomization. Check the result",
		"kustomize build DIR")
}

// Flux returns the patches as part of a Flux Kustomization.
func (p Patches) Flux() []byte {
	return p.document(fluxStart, "  ", "Copy spec.patches into your Flux Kustomization. Check the result",
		"flux build kustomization apps --dry-run --kustomization-file apps.yaml --path DIR")
}

func (p Patches) document(start, indent, use, build string) []byte {
	text := fmt.Appendf(nil, head, strings.Join(p.injectors, ", "), use, build)
	text = append(text, start...)
	for _, patch := range p.all {
		text = append(append(text, indent...), "- target: "...)
		text = layout.FlowValue(text, patch.target.node(), "")
		text = append(append(append(text, '\n'), indent...), "  patch: |-"...)
		text = layout.Value(text, patch.body.in(patch.place), len(indent)+2)
		text = append(text, '\n')
	}
	return text
}

// layout is how patches are written.
var layout = emit.Style{LineEnd: "\n", Indents: emit.Indents{Indent: 2}, DashWidth: 2}

// fitsLine reports whether people would write an entry on one line.
func fitsLine(entry *yaml.Node) bool {
	const width = 100
	return len(layout.FlowValue(nil, entry, "")) <= width
}

func (t target) node() *yaml.Node {
	n := node.Mapping()
	for _, field := range [][2]string{
		{"group", t.group}, {"version", version}, {"kind", t.kind}, {"labelSelector", t.labels}, {"annotationSelector", t.annotations},
	} {
		node.Set(n, field[0], node.String(field[1]))
	}
	return n
}
