package export

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Mark begins every file that is written here, so that it can be told from one that a person wrote.
const Mark = "# Made by pillion export"

// Component is a kustomization.yaml that an overlay lists under components.
func (e Export) Component() ([]byte, error) {
	return e.document([]string{
		"List the directory of this file, here DIR, in a kustomization with nothing else in it; app is the one that has all of yours:",
		"  resources: [app]",
		"  components: [DIR]",
		"What else it sets (namespace, labels, annotations, images, patches and the like) comes after these patches, which neither see it nor are safe from it.",
	},
		node.Mapping(
			node.String("apiVersion"), node.String("kustomize.config.k8s.io/v1alpha1"),
			node.String("kind"), node.String("Component"),
			node.String("patches"), e.patches()))
}

// Flux is the part of a Flux Kustomization that does the same; the rest of it is the user's own.
func (e Export) Flux() ([]byte, error) {
	name := node.String("apps")
	name.LineComment = "yours"
	return e.document([]string{
		"Copy spec.patches into your Flux Kustomization, or apply this on top of it: kubectl apply --server-side --field-manager=pillion",
		"The kustomization at its spec.path has nothing but resources, which list the one that has all of yours. Beside spec.patches there is no",
		"targetNamespace, namePrefix, nameSuffix, commonMetadata or images, and no patch behind these: put them into that one, too.",
		"What else these set comes after these patches, which neither see it nor are safe from it.",
	},
		node.Mapping(
			node.String("apiVersion"), node.String("kustomize.toolkit.fluxcd.io/v1"),
			node.String("kind"), node.String("Kustomization"),
			node.String("metadata"), node.Mapping(node.String("name"), name),
			node.String("spec"), node.Mapping(node.String("patches"), e.patches())))
}

// document begins with how to use it, so that no one needs the page to use it well.
func (e Export) document(use []string, root *yaml.Node) ([]byte, error) {
	lines := []string{Mark + " from " + strings.Join(e.Injectors, ", ") + ". Change the config and export it again."}
	for _, line := range use {
		lines = append(lines, "# "+line)
	}
	lines = append(lines,
		"# A pod then comes out as Pillion makes it, or the build stops: \"testing value PATH failed\" means that PATH has what Pillion would have to decide about.")
	if len(e.Unchecked) > 0 {
		lines = append(lines, "# Not checked:")
		for _, field := range e.Unchecked {
			lines = append(lines, "#   "+field)
		}
	}
	text, err := encode(root)
	return append([]byte(strings.Join(lines, "\n")+"\n"), text...), err
}

func (e Export) patches() *yaml.Node {
	list := node.Sequence()
	for _, patch := range e.Patches {
		list.Content = append(list.Content, patch.node())
	}
	return list
}

func (p Patch) node() *yaml.Node {
	text, err := encode(p.Body)
	if err != nil {
		return null() // cannot happen: the body was made of nodes that were decoded
	}
	body := node.String(strings.TrimSuffix(string(text), "\n"))
	body.Style = yaml.LiteralStyle
	target := node.Mapping()
	for _, field := range []struct{ name, value string }{
		{"group", p.Target.Group},
		{"version", p.Target.Version},
		{"kind", p.Target.Kind},
		{"name", p.Target.Name},
		{"namespace", p.Target.Namespace},
		{"labelSelector", p.Target.LabelSelector},
	} {
		if field.value != "" {
			target.Content = append(target.Content, pair(field.name, node.String(field.value))...)
		}
	}
	n := node.Mapping(node.String("target"), target, node.String("patch"), body)
	n.HeadComment = p.Why
	return n
}

func encode(n *yaml.Node) ([]byte, error) {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(n); err != nil {
		return nil, err
	}
	return text.Bytes(), encoder.Close()
}
