package export

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Mark is the beginning of every exported file. It distinguishes them from files that a person wrote.
const Mark = "# Made by pillion export"

// Component returns a kustomization.yaml of kind Component.
func (e Export) Component() ([]byte, error) {
	const instructions = `
# List the directory of this file, here DIR, in a kustomization that contains nothing else;
# app is your own kustomization, with everything in it:
#   resources: [app]
#   components: [DIR]
# Whatever else it sets (namespace, labels, annotations, images, patches and so on) applies after these patches:
# they do not see it, and it may change what they did.
`
	component := node.Mapping(
		node.String("apiVersion"), node.String("kustomize.config.k8s.io/v1alpha1"),
		node.String("kind"), node.String("Component"),
		node.String("patches"), e.patches()).Library()
	e.comment(component.Content[5])
	return e.document(instructions, component)
}

// comment adds their comments to the patches.
func (e Export) comment(patches *yaml.Node) {
	for i, patch := range e.Patches {
		patches.Content[i].HeadComment = patch.Comment
	}
}

// Flux returns the part of a Flux Kustomization that holds the patches.
func (e Export) Flux() ([]byte, error) {
	const instructions = `
# Copy spec.patches into your Flux Kustomization, or apply this file on top of it:
#   kubectl apply --server-side --field-manager=pillion
# The kustomization at its spec.path contains nothing except resources: [app]; app is your own kustomization, with everything in it.
# Move targetNamespace, namePrefix, nameSuffix, commonMetadata, images and further patches of the Flux Kustomization there, too.
# Whatever else these set applies after these patches: they do not see it, and it may change what they did.
`
	kustomization := node.Mapping(
		node.String("apiVersion"), node.String("kustomize.toolkit.fluxcd.io/v1"),
		node.String("kind"), node.String("Kustomization"),
		node.String("metadata"), node.Mapping(node.String("name"), node.String("apps")),
		node.String("spec"), node.Mapping(node.String("patches"), e.patches())).Library()
	kustomization.Content[5].Content[1].LineComment = "the name of your Flux Kustomization"
	e.comment(kustomization.Content[7].Content[1])
	return e.document(instructions, kustomization)
}

// document returns a file that begins with its instructions.
func (e Export) document(instructions string, root *yaml.Node) ([]byte, error) {
	var text bytes.Buffer
	text.WriteString(Mark + " from " + strings.Join(e.Injectors, ", ") + ". Change the config and export it again." + instructions +
		"# The pods are then the same as with Pillion, or the build stops:\n" +
		"# \"testing value PATH failed\" means that the pod has something at PATH that only Pillion can handle.\n")
	if len(e.Unchecked) > 0 {
		text.WriteString("# Not checked:\n#   " + strings.Join(e.Unchecked, "\n#   ") + "\n")
	}
	err := encode(&text, root)
	return text.Bytes(), err
}

func (e Export) patches() *node.Node {
	list := node.Sequence()
	for _, patch := range e.Patches {
		list.Content = append(list.Content, patch.node())
	}
	return list
}

func (p Patch) node() *node.Node {
	var text bytes.Buffer
	if err := encode(&text, p.Body.Library()); err != nil {
		return null() // cannot happen: the body consists of nodes that were decoded
	}
	body := node.String(strings.TrimSuffix(text.String(), "\n"))
	body.Style = node.LiteralStyle
	target := node.Mapping()
	for _, field := range [][2]string{
		{"group", p.Target.Group},
		{"version", p.Target.Version},
		{"kind", p.Target.Kind},
		{"name", p.Target.Name},
		{"namespace", p.Target.Namespace},
		{"labelSelector", p.Target.LabelSelector},
	} {
		if field[1] != "" {
			target.Content = append(target.Content, node.String(field[0]), node.String(field[1]))
		}
	}
	return node.Mapping(node.String("target"), target, node.String("patch"), body)
}

func encode(to *bytes.Buffer, n *yaml.Node) error {
	encoder := yaml.NewEncoder(to)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(n); err != nil {
		return err
	}
	return encoder.Close()
}
