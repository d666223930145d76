package files

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/internal/pods/maker"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// fileKind is a kind of files from which a tool makes pods.
type fileKind struct {
	names  []string // of the file or directory
	suffix string   // of its name; empty if it has one of the names
	beside string   // what else the directory has; empty if the name is enough
	noun   string
	plural string
	way    string // what to do about it
	// read completes what is known about one, and reports whether it makes pods; nil if the name says enough.
	read func(t *tree, name string, m *maker.Maker) bool
}

// fileKinds are those that a directory has one of.
var fileKinds = []fileKind{
	{
		names:  []string{chartFile},
		noun:   "chart",
		plural: "charts",
		way:    "check what is rendered: helm template CHART -f VALUES | pillion verify -f -",
		read:   (*tree).readChart,
	},
	{
		names:  []string{"fleet.yaml", "fleet.yml"},
		noun:   "fleet.yaml",
		plural: "fleet.yaml of Rancher Fleet",
		way:    "check what is rendered: fleet apply -o - NAME | pillion verify -f -",
		read:   (*tree).readFleet,
	},
	{
		names:  []string{"helmfile.yaml", "helmfile.yml", "helmfile.yaml.gotmpl", "helmfile.d"},
		noun:   "helmfile",
		plural: "helmfiles",
		way:    "check what is rendered: helmfile template | pillion verify -f -",
	},
	{
		names:  []string{".kapitan"},
		beside: "inventory",
		noun:   "Kapitan inventory",
		plural: "Kapitan inventories",
		way:    "check what is compiled: kapitan compile, and read compiled/ with -f",
	},
	{
		names:  []string{"cdk8s.yaml"},
		noun:   "cdk8s app",
		plural: "cdk8s apps",
		way:    "check what is synthesised: cdk8s synth, and read dist/ with -f",
	},
	{
		names:  []string{"main.jsonnet"},
		beside: "spec.json",
		noun:   "Tanka environment",
		plural: "Tanka environments",
		way:    "check what is rendered: tk show DIR --dangerous-allow-redirect | pillion verify -f -",
	},
	{
		suffix: ".jsonnet",
		noun:   "directory with jsonnet",
		plural: "directories with jsonnet",
		way:    "check what is rendered: jsonnet -y FILE | pillion verify -f -",
	},
}

func (k fileKind) isOf(entry fs.DirEntry) bool {
	if k.suffix != "" {
		return strings.HasSuffix(entry.Name(), k.suffix) && !entry.IsDir()
	}
	return slices.Contains(k.names, entry.Name())
}

// findMakers notes the files in a directory from which tools make pods, and reports whether one of them is a chart. The
// charts in a chart are a part of it.
func (t *tree) findMakers(dir directory, entries []fs.DirEntry) (hasChart bool, err error) {
	if !t.run.reader.Complete {
		return false, nil
	}
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	}
	taken := "" // by the kind before
	for _, kind := range fileKinds {
		at := slices.IndexFunc(entries, kind.isOf)
		if at < 0 || entries[at].Name() == taken || kind.beside != "" && !has(kind.beside) {
			continue
		}
		taken = entries[at].Name()
		isChart := taken == chartFile
		if isChart && dir.isSubchart {
			continue
		}
		isAdded, err := t.addMaker(dir, entries[at], kind)
		if err != nil {
			return false, err
		}
		hasChart = hasChart || isChart && isAdded
	}
	return hasChart, nil
}

// addMaker notes the file of a kind in a directory, and reports whether it makes pods, unless the file is excluded, or
// git ignores it and does not track it.
func (t *tree) addMaker(dir directory, file fs.DirEntry, kind fileKind) (isAdded bool, err error) {
	name := path.Join(dir.name, file.Name())
	location := t.location(name)
	if t.run.excluded.match(location) {
		return false, nil
	}
	// The directory is a copy, which has what holds for this file from here on.
	if err := t.run.ignore(&dir, location, file.IsDir()); err != nil {
		return false, err
	}
	if !file.IsDir() && dir.isUntracked(location) {
		return false, nil
	}
	m := maker.OfFile(kind.noun, kind.plural, t.path(name), "", kind.way)
	if kind.read != nil && !kind.read(t, name, m) {
		return false, nil
	}
	t.run.found.Makers = append(t.run.found.Makers, m)
	return true, nil
}

// readFleet reads a fleet.yaml. It may have a Kubernetes object of another kind.
func (t *tree) readFleet(name string, m *maker.Maker) bool {
	type helm struct {
		Chart string `json:"chart"`
		Repo  string `json:"repo"`
	}
	var fleet struct {
		Kind                 string `json:"kind"`
		Helm                 helm   `json:"helm"`
		TargetCustomizations []struct {
			Helm helm `json:"helm"`
		} `json:"targetCustomizations"`
	}
	text, err := readRegular(t.root.OpenFile, name, maxKustomizationBytes)
	if err == nil {
		err = DecodeKustomization(text, &fleet)
	}
	all := []helm{fleet.Helm}
	for _, target := range fleet.TargetCustomizations {
		all = append(all, target.Helm)
	}
	for _, chart := range all {
		if chart != (helm{}) {
			m.MadeFrom(strings.Trim(chart.Repo+"/"+chart.Chart, "/"))
		}
	}
	if err != nil {
		m.Why = "it cannot be read"
	}
	return err != nil || m.From != "" || fleet.Kind == ""
}

// readChart reads a chart. A library with nothing that Helm makes manifests of is a part of the charts that use it.
func (t *tree) readChart(name string, m *maker.Maker) bool {
	var chart struct {
		Type string `json:"type"`
	}
	text, err := readRegular(t.root.OpenFile, name, maxKustomizationBytes)
	isLibrary := err == nil && DecodeKustomization(text, &chart) == nil && chart.Type == "library"
	dir := path.Dir(name)
	templates, hasManifests := t.templates(path.Join(dir, "templates"))
	m.MadeFrom(t.path(dir))
	m.Inside = templates.String()
	return hasManifests || !isLibrary
}

// templates counts what the templates of a chart have that makes pods again, and reports whether Helm makes manifests of
// any: it makes none of names that begin with an underscore. It reads a limited number of them.
func (t *tree) templates(dir string) (found maker.Templates, hasManifests bool) {
	const most = 1000
	read := 0
	_ = fs.WalkDir(t.root.FS(), dir, func(name string, entry fs.DirEntry, err error) error {
		isManifest := hasManifestName(name) || path.Ext(name) == ".tpl"
		switch {
		case err != nil || entry.IsDir() || !isManifest || strings.HasPrefix(entry.Name(), "_"):
			return nil //nolint:nilerr // what cannot be read is reported where it is read for the run
		case read == most:
			return fs.SkipAll
		}
		hasManifests = true
		read++
		if text, err := readRegular(t.root.OpenFile, name, maxKustomizationBytes); err == nil {
			found.Add(string(text))
		}
		return nil
	})
	return found, hasManifests
}

// addRemotes notes the charts and the remote directories and files that a kustomization takes pods from.
func (t *tree) addRemotes(name string, k *kustomization) {
	const way = "check what is built: kustomize build --enable-helm DIR | pillion verify -f -"
	add := func(noun, plural, from string) *maker.Maker {
		m := maker.OfFile(noun, plural, t.path(name), from, way)
		t.run.found.Makers = append(t.run.found.Makers, m)
		return m
	}
	addChart := func(repository, chart string) {
		add(HelmChart, "charts of kustomizations", strings.Trim(strings.TrimSuffix(repository, "/")+"/"+chart, "/"))
	}
	for _, chart := range k.HelmCharts {
		addChart(chart.Repo, chart.Name)
	}
	for _, chart := range k.HelmChartInflationGenerator {
		addChart(chart.ChartRepoURL, chart.ChartName)
	}
	for _, generator := range k.Generators { // one in a file is an object of that
		for _, chart := range inlineCharts(generator) {
			addChart(node.Text(chart, "repo"), node.Text(chart, "name"))
		}
	}
	for _, resource := range slices.Concat(k.resources(), k.Generators) {
		if IsRemote(filepath.Dir(t.location(name)), resource) {
			from, query, _ := strings.Cut(resource, "?")
			m := add(RemoteBase, "remote bases", from)
			values, _ := url.ParseQuery(query) // as many as can be read
			for _, revision := range slices.Concat(values["ref"], values["version"]) {
				m.InRevision(revision)
			}
		}
	}
}

// inlineCharts returns the generators of charts in an entry that has them in place of its path. kustomize takes what
// cannot be read for a path.
func inlineCharts(entry string) []*node.Node {
	if !strings.ContainsAny(entry, "\n{") {
		return nil
	}
	stream, err := manifest.Read([]byte(entry))
	if err != nil {
		return nil
	}
	var charts []*node.Node
	for _, item := range stream.Items {
		if _, object, err := item.Parse(); err == nil && maker.Find(item.APIVersion, item.Kind) != nil {
			charts = append(charts, object)
		}
	}
	return charts
}

// HelmChart and RemoteBase are what makers are called that stand in kustomizations, and that no build here fetches.
const (
	HelmChart  = "chart of a kustomization"
	RemoteBase = "remote base"
)

// IsRemote reports whether kustomize takes an entry of a kustomization in a directory for a URL of a file or a
// repository. It looks for a repository before it looks for a directory of the name, and for a file before both.
func IsRemote(dir, entry string) bool {
	lower := strings.ToLower(entry)
	if isFile := strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://"); isFile || !remoteEntry().MatchString(entry) {
		return isFile
	}
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(entry)))
	return err != nil || info.IsDir()
}

var remoteEntry = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(git::)?((https?|ssh|file|git|oci)://|[a-z][a-z0-9-]*@|github\.com[/:])`)
})
