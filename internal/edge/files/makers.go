package files

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/internal/pods/maker"
)

// fileKind is a kind of files from which a tool makes pods.
type fileKind struct {
	names  []string // of the file or directory
	suffix string   // of its name; empty if it has one of the names
	beside string   // what else the directory has; empty if the name is enough
	noun   string
	plural string
	way    string // what to do about it
}

// fileKinds are those that a directory has one of, except charts and fleet.yaml, which are read.
var fileKinds = []fileKind{
	{
		names:  []string{"helmfile.yaml", "helmfile.yaml.gotmpl", "helmfile.d"},
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

// findMakers notes the files in a directory from which tools make pods. What is in a chart is a part of it.
func (t *tree) findMakers(dir directory, entries []fs.DirEntry) error {
	if !t.run.reader.Complete || dir.isTemplates {
		return nil
	}
	entry := func(is func(fs.DirEntry) bool) fs.DirEntry {
		if at := slices.IndexFunc(entries, is); at >= 0 {
			return entries[at]
		}
		return nil
	}
	named := func(name string) fs.DirEntry {
		return entry(func(e fs.DirEntry) bool { return e.Name() == name })
	}
	var taken fs.DirEntry // by the kind before
	for _, kind := range fileKinds {
		found := entry(kind.isOf)
		if found == nil || found == taken || kind.beside != "" && named(kind.beside) == nil {
			continue
		}
		taken = found
		if err := t.addMaker(dir, found, maker.OfFile(kind.noun, kind.plural, "", "", kind.way)); err != nil {
			return err
		}
	}
	if found := named(fleetFile); found != nil {
		if err := t.addMaker(dir, found, t.fleet(dir.name)); err != nil {
			return err
		}
	}
	if dir.isChart && !dir.isSubchart {
		return t.addMaker(dir, named(chartFile), t.chart(dir.name, entries))
	}
	return nil
}

// addMaker notes a maker, which may be nil, with the path of its file in a directory, unless the file is excluded, or git
// ignores it and does not track it.
func (t *tree) addMaker(dir directory, file fs.DirEntry, m *maker.Maker) error {
	name := path.Join(dir.name, file.Name())
	location := t.location(name)
	if m == nil || t.run.excluded.match(location) {
		return nil
	}
	// The directory is a copy, which has what holds for this file from here on.
	if err := t.run.ignore(&dir, location, file.IsDir()); err != nil {
		return err
	}
	if isUntracked := dir.byGit && !file.IsDir() && !dir.ignores.track(location); !isUntracked {
		m.File.Path = t.path(name)
		t.run.found.Makers = append(t.run.found.Makers, m)
	}
	return nil
}

const fleetFile = "fleet.yaml"

// fleet returns the maker that the fleet.yaml in a directory is, or nil if it deploys no chart.
func (t *tree) fleet(dir string) *maker.Maker {
	type helm struct {
		Chart string `json:"chart"`
		Repo  string `json:"repo"`
	}
	var fleet struct {
		Helm                 helm `json:"helm"`
		TargetCustomizations []struct {
			Helm helm `json:"helm"`
		} `json:"targetCustomizations"`
	}
	text, err := readRegular(t.root.OpenFile, path.Join(dir, fleetFile), maxKustomizationBytes)
	if err == nil {
		err = DecodeKustomization(text, &fleet)
	}
	from := strings.Trim(fleet.Helm.Repo+"/"+fleet.Helm.Chart, "/")
	for _, target := range fleet.TargetCustomizations {
		if from == "" {
			from = strings.Trim(target.Helm.Repo+"/"+target.Helm.Chart, "/")
		}
	}
	if from == "" && err == nil {
		return nil
	}
	m := maker.OfFile("fleet.yaml", "fleet.yaml of Rancher Fleet", "", from,
		"check what is rendered: fleet apply -o - NAME | pillion verify -f -")
	if err != nil {
		m.Why = "it cannot be read"
	}
	return m
}

// chart returns the maker that the chart in a directory is, or nil if it only has what other charts use.
func (t *tree) chart(dir string, entries []fs.DirEntry) *maker.Maker {
	templates, hasManifests := t.templates(path.Join(dir, "templates"))
	if !hasManifests && !t.hasDependencies(dir, entries) {
		return nil
	}
	m := maker.OfFile("chart", "charts", "", t.path(dir), "check what is rendered: helm template CHART -f VALUES | pillion verify -f -")
	m.Inside = templates.String()
	return m
}

// hasDependencies reports whether a chart is made of others.
func (t *tree) hasDependencies(dir string, entries []fs.DirEntry) bool {
	hasParts := slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() == "charts" && e.IsDir() || e.Name() == "requirements.yaml"
	})
	var chart struct {
		Dependencies []any `json:"dependencies"`
	}
	text, err := readRegular(t.root.OpenFile, path.Join(dir, chartFile), maxKustomizationBytes)
	return hasParts || err == nil && DecodeKustomization(text, &chart) == nil && len(chart.Dependencies) > 0
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
	add := func(noun, plural, from string) {
		t.run.found.Makers = append(t.run.found.Makers, maker.OfFile(noun, plural, t.path(name), from, way))
	}
	for _, chart := range k.HelmCharts {
		add(HelmChart, "charts of kustomizations", strings.Trim(strings.TrimSuffix(chart.Repo, "/")+"/"+chart.Name, "/"))
	}
	for _, resource := range k.resources() {
		_, err := os.Lstat(filepath.Join(filepath.Dir(t.location(name)), filepath.FromSlash(resource)))
		if err != nil && IsRemote(resource) {
			from, _, _ := strings.Cut(resource, "?")
			add(RemoteBase, "remote bases", from)
		}
	}
}

// HelmChart and RemoteBase are what makers are called that stand in kustomizations, and that no build here fetches.
const (
	HelmChart  = "chart of a kustomization"
	RemoteBase = "remote base"
)

// IsRemote reports whether kustomize takes an entry, which is no file or directory, for a URL of a file or a repository.
func IsRemote(entry string) bool { return remoteEntry().MatchString(entry) }

var remoteEntry = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(git::)?((https?|ssh|file|git|oci)://|[a-z][a-z0-9-]*@|github\.com[/:])`)
})
