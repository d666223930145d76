package command

import (
	_ "embed" // for the starter config
	"regexp"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/preset"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

//go:embed starter/injector.yaml
var starterText string

// starterInjector returns the small starter, with the image of the preset for the same sidecar. file is the name of its
// file.
func starterInjector(file string) (string, error) {
	p, err := preset.Find("fluent-bit")
	return strings.NewReplacer("{{file}}", file, "{{image}}", p.Image).Replace(starterText), err
}

// starter is what init writes for one kind of setup.
type starter struct {
	initTexts
	hosts []string // possible names of the file that lists the injector; none for the command line
	head  string   // the beginning of that file if it does not exist
	more  string   // lines to add to it only if it exists
	lines string   // the lines to add to it
	run   string   // the next command to run
}

// newStarter returns the starter for a kind of setup. file is the name of the injector's file, and manifests are the
// names of the files beside it.
func newStarter(kind, file string, made initTexts, manifests []string) starter {
	s := starter{initTexts: made}
	s.injector = schemaLine("pillion.schema.json", "pillion schema") + s.injector
	switch kind {
	case "project":
		s.run = "pillion diff"
		s.injector = tryWith(s.injector, s.run)
		s.hosts = []string{projectFile}
		s.head = schemaLine("pillion-project.schema.json", "pillion schema --kind project") +
			"apiVersion: " + v1alpha1.APIVersion + "\nkind: " + v1alpha1.ProjectKind + "\n" +
			"files: # the manifests, in this directory and below\n- .\n" +
			"# kustomizations: [overlays/*] # the directories of what is built, for diff, explain and verify\n"
		s.lines = "configs:\n- " + scalar(file) + "\n"
	case "kustomize":
		if s.objects != "" {
			s.more = resources([]string{s.objectsFile})
			manifests = append(manifests, s.objectsFile)
		}
		s.run = "kustomize build --enable-alpha-plugins --enable-exec ."
		s.injector = annotate(tryWith(s.injector, s.run), "    config.kubernetes.io/function: |\n      exec: {path: pillion}\n")
		s.hosts = files.Kustomizations()
		s.head = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n" + resources(manifests)
		s.lines = "transformers:\n- " + scalar(file) + "\n"
	case "kpt":
		s.run = "kpt fn render --allow-exec"
		s.injector = annotate(tryWith(s.injector, s.run), "")
		s.hosts = []string{"Kptfile"}
		s.head = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: package\n"
		s.lines = "pipeline:\n  mutators:\n  - exec: pillion\n    configPath: " + scalar(file) + "\n"
	default:
		s.run = "pillion diff -c " + shellQuoted(file) + " -f . -R"
	}
	return s
}

// schemaLine returns the comment by which editors find a schema, once the command has written it.
func schemaLine(file, command string) string {
	return "# yaml-language-server: $schema=" + file + "\n# For editors with it: " + command + " > " + file + "\n"
}

// tryWith replaces the command that a comment of the injector suggests: that for files finds none beside a
// kustomization.
func tryWith(injector, command string) string {
	return regexp.MustCompile(`(?m)^# Try it: .*$`).ReplaceAllLiteralString(injector, "# Try it: "+command)
}

// annotate adds annotations to the injector, which keep it out of the cluster.
func annotate(injector, function string) string {
	name := regexp.MustCompile(`(?m)^metadata:\n {2}name: .*\n`).FindStringIndex(injector)
	if name == nil {
		return injector
	}
	annotations := "  annotations:\n" + function + "    config.kubernetes.io/local-config: \"true\"\n"
	return injector[:name[1]] + annotations + injector[name[1]:]
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

// scalar returns a name as a YAML string, quoted if necessary.
func scalar(name string) string {
	return string(emit.Style{}.Scalar(nil, node.String(name), false))
}
