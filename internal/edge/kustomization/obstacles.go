package kustomization

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"pillion.dev/pillion/internal/edge/files"
)

// maxObstacles bounds the causes that are kept for a directory, and for a kustomization: the first ones show enough.
const maxObstacles = 50

// obstacles are those of directories that were read: each is read once for all that use it.
type obstacles struct {
	mutex sync.Mutex
	known map[string]dirObstacles // by the real paths of the directories
}

// dirObstacles is what a directory shows of why it cannot be built.
type dirObstacles struct {
	causes  []Cause
	uses    []string // the real paths of directories
	hasNone bool     // whether it has no kustomization
}

// obstaclesOf returns what keeps a kustomization from being built, as far as it shows in its own file and in those of the
// kustomizations that it uses: what is remote, Helm charts, and missing files.
func (d *Disk) obstaclesOf(disk filesys.FileSystem, dir string) []Cause {
	d.obstacles.mutex.Lock()
	defer d.obstacles.mutex.Unlock()
	next := []string{files.RealPath(dir)}
	isSeen := map[string]bool{next[0]: true}
	var all []Cause
	for i := 0; i < len(next) && i < maxNested; i++ {
		at := next[i]
		found, isKnown := d.obstacles.known[at]
		if !isKnown {
			found = readObstacles(disk, at)
			d.obstacles.known[at] = found
		}
		causes := found.causes
		if found.hasNone && i > 0 {
			causes = []Cause{{Missing, filepath.Join(fromHere(at), files.Kustomizations()[0])}}
		}
		for _, cause := range causes {
			isThere := slices.Contains(all, cause)
			if !isThere && len(all) < maxObstacles {
				all = append(all, cause)
			}
		}
		for _, used := range found.uses {
			if !isSeen[used] {
				isSeen[used] = true
				next = append(next, used)
			}
		}
	}
	return all
}

// readObstacles reads the kustomization in a directory.
func readObstacles(disk filesys.FileSystem, dir string) dirObstacles {
	r := obstacleReader{disk: disk, dir: dir}
	r.found.hasNone = true
	for _, name := range files.Kustomizations() {
		path := filepath.Join(dir, name)
		r.found.hasNone = r.found.hasNone && !disk.Exists(path)
		text, err := disk.ReadFile(path)
		if err != nil {
			continue
		}
		var k types.Kustomization
		_ = files.DecodeKustomization(text, &k) // whatever cannot be read is said without reading more
		k.FixKustomization()
		r.read(&k)
	}
	return r.found
}

// obstacleReader reads one kustomization.
type obstacleReader struct {
	disk  filesys.FileSystem
	dir   string
	found dirObstacles
}

func (r *obstacleReader) add(cause Cause) {
	if !slices.Contains(r.found.causes, cause) {
		r.found.causes = append(r.found.causes, cause)
	}
}

func (r *obstacleReader) read(k *types.Kustomization) {
	for _, chart := range k.HelmCharts[:min(maxObstacles, len(k.HelmCharts))] {
		r.add(Cause{Chart, chartOf(chart)})
	}
	for _, entry := range slices.Concat(k.Resources, k.Components) {
		r.use(entry)
	}
	for _, entry := range slices.Concat(k.Generators, k.Transformers, k.Validators) {
		r.useUnlessInline(entry)
	}
	for _, entry := range k.PatchesStrategicMerge { //nolint:staticcheck // kustomize still reads it
		r.useUnlessInline(string(entry))
	}
	for _, patch := range slices.Concat(k.Patches, k.PatchesJson6902) { //nolint:staticcheck // kustomize still reads it
		r.use(patch.Path)
	}
	for _, replacement := range k.Replacements {
		r.use(replacement.Path)
	}
	for _, path := range slices.Concat(k.Crds, k.Configurations, []string{k.OpenAPI["path"]}) {
		r.use(path)
	}
	for _, generator := range k.ConfigMapGenerator {
		r.useData(generator.KvPairSources)
	}
	for _, generator := range k.SecretGenerator {
		r.useData(generator.KvPairSources)
	}
}

// useData notes the files of a generator, which may have a key: config.yaml=files/a.yaml.
func (r *obstacleReader) useData(data types.KvPairSources) {
	for _, file := range data.FileSources {
		r.use(file[strings.Index(file, "=")+1:])
	}
	for _, file := range data.EnvSources {
		r.use(file)
	}
}

// useUnlessInline notes an entry that is a path, or YAML in place of one.
func (r *obstacleReader) useUnlessInline(entry string) {
	if !strings.ContainsAny(entry, "\n{") {
		r.use(entry)
	}
}

// use notes a file or a directory, or what is remote.
func (r *obstacleReader) use(entry string) {
	path := joined(r.dir, entry)
	limit, isBounded := r.disk.(bounded)
	isFull := len(r.found.causes) >= maxObstacles
	if entry == "" || isFull || isBounded && limit.check(path) != nil {
		return
	}
	switch {
	case files.IsRemote(r.dir, entry):
		r.add(Cause{Remote, sourceOf(entry)})
	case r.disk.IsDir(path):
		r.found.uses = append(r.found.uses, files.RealPath(path))
	case r.disk.Exists(path):
	default:
		r.add(Cause{Missing, fromHere(path)})
	}
}

var onGitHub = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^github\.com[/:]`)
})

// withoutUser returns a URL without credentials.
func withoutUser(url string) string { return userInURL().ReplaceAllString(url, "://") }

var userInURL = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`://[^/]*@`)
})

// sourceOf returns the repository of a remote entry, without credentials, path and version: the first two names of its
// path, unless it says by // or .git where the repository ends.
func sourceOf(entry string) string {
	entry, _, _ = strings.Cut(strings.TrimPrefix(entry, "git::"), "?")
	entry = withoutUser(onGitHub().ReplaceAllString(entry, "https://github.com/"))
	if scheme, rest, hasScheme := strings.Cut(entry, "://"); hasScheme {
		host, path, _ := strings.Cut(rest, "/")
		return scheme + "://" + host + "/" + repositoryIn(path)
	}
	host, path, _ := strings.Cut(entry, ":") // git@example.com:org/repository
	return host + ":" + repositoryIn(path)
}

// repositoryIn returns the path of a repository on its host.
func repositoryIn(path string) string {
	const usual = 2 // names: owner and repository
	path = strings.TrimLeft(path, "/")
	if repository, _, isMarked := strings.Cut(path, "//"); isMarked {
		return strings.TrimSuffix(repository, ".git")
	}
	if repository, _, isMarked := strings.Cut(path+"/", ".git/"); isMarked {
		return repository
	}
	names := strings.Split(path, "/")
	return strings.Join(names[:min(usual, len(names))], "/")
}

// chartOf returns the name of a Helm chart with its repository.
func chartOf(chart types.HelmChart) string {
	if chart.Repo == "" {
		return chart.Name
	}
	return strings.TrimRight(withoutUser(chart.Repo), "/") + "/" + chart.Name
}
