package patch

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// The first lines of a file say what it is for, and what patches do not do, because nobody sees that in the patches.
const (
	head = `# Made by pillion export from %s. Change the config and export it again.
# %s. Check the result, here and in CI. This finds most of what patches cannot do:
#   %s | pillion verify -c injector.yaml -f -
# Targets read a workload before its kustomization sets labels, namespace and prefixes: write the labels and the marker of the pod template
# on the workload, too.
# Unlike Pillion, patches reach kube-system if there are objects for it, and skip custom kinds such as Rollout.
# kustomize merges entries with the same key in what it patches, such as env A=1, B=$(A), A=2, or port 53 of UDP and of TCP.
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
	return p.document(componentStart, "", "List the directory of this file under components of a kustomization",
		"kustomize build DIR")
}

// Flux returns the patches as part of a Flux Kustomization.
func (p Patches) Flux() []byte {
	return p.document(fluxStart, "  ", "Copy spec.patches into your Flux Kustomization",
		"flux build kustomization apps --dry-run --kustomization-file apps.yaml --path DIR")
}

func (p Patches) document(start, indent, use, build string) []byte {
	text := fmt.Appendf(nil, head, strings.Join(p.injectors, ", "), use, build)
	text = append(text, start...)
	for _, patch := range p.all {
		t := patch.target
		text = fmt.Appendf(text,
			"%s- target: {group: %s, version: %s, kind: %s,\n", indent, scalar(t.group), version, scalar(t.kind))
		text = fmt.Appendf(text,
			"%s    labelSelector: %s, annotationSelector: %s}\n", indent, scalar(t.labels), scalar(t.annotations))
		text = append(append(text, indent...), "  patch: |-"...)
		text = layout.Value(text, patch.body.in(patch.at), len(indent)+2)
		text = append(text, '\n')
	}
	return text
}

// layout is how patches are written.
var layout = emit.Style{LineEnd: "\n", Indent: 2, DashWidth: 2}

// fitsLine reports whether people would write an entry on one line.
func fitsLine(entry *node.Node) bool {
	const width = 100
	return len(layout.FlowValue(nil, entry, "")) <= width
}

// scalar returns a text as it is written inside of brackets.
func scalar(text string) []byte { return layout.Scalar(nil, node.String(text), true) }
