package command

import (
	"bytes"
	_ "embed" // for the starter config
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/files"
)

//go:embed starter/injector.yaml
var starterInjector string

// starter is the files that init writes for one way to run Pillion.
type starter struct {
	injector string
	hosts    []string                        // the names of the file that names the injector; none where the command line does
	write    func(manifests []string) string // its text, where there is none yet
	lines    string                          // what to add, where there is one
	run      string                          // the next thing to do
}

// starterFor is the starter of a kind, with the injector in a file of the given name.
func starterFor(kind, file string) starter {
	injector := strings.ReplaceAll(starterInjector, "injector.yaml", file)
	switch kind {
	case "kustomize":
		lines := fmt.Sprintf("transformers:\n- %s\n", scalar(file))
		return starter{
			injector: annotated(injector, "    config.kubernetes.io/function: |\n      exec: {path: pillion}\n"),
			hosts:    files.Kustomizations(),
			write: func(manifests []string) string {
				return "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n" + resources(manifests) + lines
			},
			lines: lines,
			run:   "kustomize build --enable-alpha-plugins --enable-exec .",
		}
	case "kpt":
		lines := fmt.Sprintf("pipeline:\n  mutators:\n  - exec: pillion\n    configPath: %s\n", scalar(file))
		return starter{
			injector: annotated(injector, ""),
			hosts:    []string{"Kptfile"},
			write: func([]string) string {
				return "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: package\n" + lines
			},
			lines: lines,
			run:   "kpt fn render --allow-exec",
		}
	default:
		return starter{injector: injector, run: "pillion diff -c " + file + " -f . -R"}
	}
}

// annotated marks the injector as one that is for building and not for the cluster.
func annotated(injector, function string) string {
	const name = "  name: logs"
	head, rest, _ := strings.Cut(injector, name)
	line, rest, _ := strings.Cut(rest, "\n")
	return head + name + line + "\n  annotations:\n" + function + "    config.kubernetes.io/local-config: \"true\"\n" + rest
}

func resources(manifests []string) string {
	if len(manifests) == 0 {
		return "resources: [] # your manifests\n"
	}
	var b strings.Builder
	b.WriteString("resources:\n")
	for _, name := range manifests {
		b.WriteString("- " + scalar(name) + "\n")
	}
	return b.String()
}

// scalar is a name as YAML, in quotes where it would else be something else.
func scalar(name string) string {
	text, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name})
	if err != nil || bytes.Count(text, []byte("\n")) > 1 { // a block of text, for a name with line breaks
		return strconv.Quote(name)
	}
	return strings.TrimSuffix(string(text), "\n")
}
