package files

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/pods/maker"
)

// fileMaker is a kind of file from which a tool makes pods.
type fileMaker struct {
	names  []string // of the file or directory
	suffix string   // of its name; empty if it has one of the names
	noun   string
	plural string
	way    string
}

// fileMakers are the kinds that a directory has at most one of, apart from charts.
var fileMakers = []fileMaker{
	{
		names: []string{"helmfile.yaml", "helmfile.yaml.gotmpl", "helmfile.d"},
		noun:  "helmfile", plural: "helmfiles",
		way: "check what is rendered: helmfile template | pillion verify -f -",
	},
	{
		names: []string{".kapitan"}, noun: "Kapitan inventory", plural: "Kapitan inventories",
		way: "check what is compiled: kapitan compile, and read compiled/ with -f",
	},
	{
		names: []string{"cdk8s.yaml"}, noun: "cdk8s app", plural: "cdk8s apps",
		way: "check what is synthesized: cdk8s synth, and read dist/ with -f",
	},
	{
		suffix: ".jsonnet", noun: "directory with jsonnet", plural: "directories with jsonnet",
		way: "check what is rendered: jsonnet FILE | pillion verify -f -, or tk show DIR",
	},
}

func (m fileMaker) isOf(entry fs.DirEntry) bool {
	if m.suffix != "" {
		return strings.HasSuffix(entry.Name(), m.suffix) && !entry.IsDir()
	}
	return slices.Contains(m.names, entry.Name())
}

// findMakers notes the files in a directory from which tools make pods.
func (t *tree) findMakers(dir directory, entries []fs.DirEntry) {
	if !t.run.reader.Complete || dir.byGit || dir.byKpt || dir.isTemplates {
		return
	}
	add := func(name, noun, plural, from, way string) {
		if !t.run.excluded.match(t.location(name)) {
			t.run.found.Makers = append(t.run.found.Makers, maker.OfFile(noun, plural, t.path(name), from, way))
		}
	}
	for _, kind := range fileMakers {
		if at := slices.IndexFunc(entries, kind.isOf); at >= 0 {
			add(path.Join(dir.name, entries[at].Name()), kind.noun, kind.plural, "", kind.way)
		}
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == fleetFile }) {
		if from := t.fleetChart(dir.name); from != "" {
			add(path.Join(dir.name, fleetFile), "fleet.yaml", "fleet.yaml of Rancher Fleet", from,
				"check what is rendered: fleet apply -o - | pillion verify -f -")
		}
	}
	isDirectory := func(e fs.DirEntry) bool { return e.Name() == "templates" && e.IsDir() }
	if dir.isChart && (slices.ContainsFunc(entries, isDirectory) || t.hasDependencies(dir.name)) {
		add(path.Join(dir.name, chartFile), "chart", "charts", t.path(dir.name),
			"check what is rendered: helm template CHART -f VALUES | pillion verify -f -")
	}
}

const fleetFile = "fleet.yaml"

// fleetChart returns the chart that a fleet.yaml of Rancher Fleet deploys, or "".
func (t *tree) fleetChart(dir string) string {
	var fleet struct {
		Helm struct{ Chart, Repo string }
	}
	text, err := readRegular(t.root.OpenFile, path.Join(dir, fleetFile), maxKustomizationBytes)
	if err != nil || DecodeKustomization(text, &fleet) != nil {
		return ""
	}
	return strings.Trim(fleet.Helm.Repo+"/"+fleet.Helm.Chart, "/")
}

// hasDependencies reports whether the chart in a directory is made of others.
func (t *tree) hasDependencies(dir string) bool {
	var chart struct{ Dependencies []any }
	text, err := readRegular(t.root.OpenFile, path.Join(dir, chartFile), maxKustomizationBytes)
	return err == nil && DecodeKustomization(text, &chart) == nil && len(chart.Dependencies) > 0
}

// addMakers notes the charts and the remote directories and files that a kustomization takes pods from.
func (t *tree) addMakers(name string, k *kustomization) {
	const way = "build it where there is a network: kustomize build --enable-helm DIR | pillion verify -f -"
	for _, chart := range k.HelmCharts {
		from := strings.Trim(strings.TrimSuffix(chart.Repo, "/")+"/"+chart.Name, "/")
		t.run.found.Makers = append(t.run.found.Makers,
			maker.OfFile("chart of a kustomization", "charts of kustomizations", t.path(name), from, way))
	}
	for _, resource := range k.resources() {
		if isRemote(resource) {
			t.run.found.Makers = append(t.run.found.Makers,
				maker.OfFile("remote base", "remote bases", t.path(name), withoutRef(resource), way))
		}
	}
}

// isRemote reports whether kustomize fetches a resource.
func isRemote(resource string) bool {
	return strings.Contains(resource, "://") || strings.HasPrefix(resource, "git@") ||
		strings.Contains(resource, "?ref=") || strings.HasPrefix(resource, "github.com/")
}

// withoutRef returns a remote resource without its query.
func withoutRef(resource string) string {
	resource, _, _ = strings.Cut(resource, "?")
	return resource
}
