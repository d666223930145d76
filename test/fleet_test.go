package test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fleet is a repository of 250 workloads in 40 directories, with two injectors and a project file.
type fleet struct {
	*testing.T
	dir string
	// services are the paths of the workloads' files, with what rollouts choose by.
	services map[string]service
}

type service struct{ namespace, tier string }

func newFleet(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{T: t, dir: t.TempDir(), services: map[string]service{}}
	if err := os.Mkdir(filepath.Join(f.dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 250 {
		f.addService(fmt.Sprintf("apps/%02d/s%03d.yaml", i%40, i), service{
			namespace: "team-" + string(rune('a'+i%5)),
			tier:      []string{"web", "batch", "web", "db"}[i/5%4],
		})
	}
	f.configure("logs", "logs:1", "")
	f.configure("proxy", "proxy:1", "  selector: {matchLabels: {tier: web}}\n")
	return f
}

func (f *fleet) addService(path string, s service) {
	f.Helper()
	f.services[path] = s
	name := strings.TrimSuffix(filepath.Base(path), ".yaml")
	f.write(path, fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: %s
  namespace: %s
  labels: {tier: %s} # who calls it
spec:
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata:
      labels: {app: %[1]s, tier: %[3]s}
    spec:
      containers:
      - name: app
        image: registry.example.com/%[1]s:1.0
`, name, s.namespace, s.tier))
}

func (f *fleet) configure(name, image, selector string) {
	f.Helper()
	f.write("platform/"+name+".yaml", fmt.Sprintf("apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\n"+
		"metadata: {name: %s}\nspec:\n%s  containers: [{name: %[1]s, image: %[3]q}]\n", name, selector, image))
}

// rollOut writes the project file, with the entries of the rollouts of the two injectors; nil for no rollout.
func (f *fleet) rollOut(logs, proxy []string) {
	f.Helper()
	text := "apiVersion: pillion.dev/v1alpha1\nkind: Project\nconfigs: [platform]\nfiles: [apps]\nrollouts:\n"
	for i, to := range [][]string{logs, proxy} {
		if to != nil {
			text += "- injector: " + []string{"logs", "proxy"}[i] + "\n  to: [" + strings.Join(to, ", ") + "]\n"
		}
	}
	f.write(".pillion.yaml", text)
}

func (f *fleet) write(path, text string) {
	f.Helper()
	if err := os.MkdirAll(filepath.Join(f.dir, filepath.Dir(path)), 0o755); err != nil {
		f.Fatal(err)
	}
	writeFile(f.T, filepath.Join(f.dir, path), text)
}

// files returns the texts of all workloads by their paths.
func (f *fleet) files() map[string]string {
	f.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(f.dir, "apps"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		inside, err := filepath.Rel(f.dir, path)
		all[filepath.ToSlash(inside)] = readFile(f.T, path)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	return all
}

// changes returns the files that a command changes, and what it says.
func (f *fleet) changes(args ...string) (changed []string, said string) {
	f.Helper()
	before := f.files()
	r := run(f.T, f.dir, "", "pillion", args...)
	if r.exitCode != 0 {
		f.Fatalf("pillion %s: exit code %d\n%s", strings.Join(args, " "), r.exitCode, r.stderr)
	}
	after := f.files()
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if before[path] != after[path] {
			changed = append(changed, path)
		}
	}
	return changed, r.stderr
}

// verify checks what a verification says is left: the number of workloads that are not as they should be, and of those
// that wait.
func (f *fleet) verify(claim string, outdated int, waiting string) {
	f.Helper()
	r := run(f.T, f.dir, "", "pillion", "verify")
	wantCode := min(outdated, 1)
	last := strings.TrimSpace(r.stderr[strings.LastIndex(strings.TrimSpace(r.stderr), "\n")+1:])
	hasCount := outdated == 0 || strings.Contains(last, fmt.Sprintf(" %d outdated", outdated))
	_, waits, _ := strings.Cut(last, "not rolled out yet: ")
	if r.exitCode != wantCode || !hasCount || waits != waiting {
		f.Errorf("%s: exit code %d, want %d outdated and %q to wait:\n%s", claim, r.exitCode, outdated, waiting, r.stderr)
	}
}

// of returns the paths of the services that a function chooses.
func (f *fleet) of(chooses func(path string, s service) bool) []string {
	var all []string
	for path, s := range f.services {
		if chooses(path, s) {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return all
}

// injects checks that a verification finds some files, that an injection changes them and no others, and that nothing
// is left afterwards except what waits.
func (f *fleet) injects(claim string, want []string, waiting string) {
	f.Helper()
	f.verify(claim+", before", len(want), waiting)
	if changed, said := f.changes("inject", "-i"); !slices.Equal(changed, want) {
		f.Errorf("%s: %d files are changed, want %d:\n%v\n%v\n%s", claim, len(changed), len(want), changed, want, said)
	}
	f.verify(claim+", after", 0, waiting)
}

func TestFleetIsRolledOutInParts(t *testing.T) {
	f := newFleet(t)
	first := f.files()
	inTeams := func(teams string) func(string, service) bool {
		return func(_ string, s service) bool {
			return strings.Contains(teams, strings.TrimPrefix(s.namespace, "team-"))
		}
	}
	inPartThree := func(path string, s service) bool { return !inTeams("ab")(path, s) && s.tier == "batch" }
	inPartFour := func(path string, s service) bool {
		return !inTeams("ab")(path, s) && s.tier != "batch" && strings.HasPrefix(path, "apps/2")
	}
	inPartFive := func(path string, s service) bool {
		return !inTeams("ab")(path, s) && !inPartThree(path, s) && !inPartFour(path, s)
	}
	isWeb := func(_ string, s service) bool { return s.tier == "web" }
	count := func(chooses func(string, service) bool) int { return len(f.of(chooses)) }
	one, two := "{namespaces: [team-a]}", "{namespaces: [team-b]}"
	three, four := "{selector: {matchLabels: {tier: batch}}}", "{files: ['apps/2*/**']}"
	none := []string{}

	f.rollOut(none, none)
	f.injects("nothing yet", nil, fmt.Sprintf("logs 250, proxy %d", count(isWeb)))

	// Five parts of the first injector; the second one waits.
	proxies := fmt.Sprintf(", proxy %d", count(isWeb))
	f.rollOut([]string{one}, none)
	f.injects("part 1", f.of(inTeams("a")), "logs 200"+proxies)
	f.rollOut([]string{one, two}, none)
	f.injects("part 2", f.of(inTeams("b")), "logs 150"+proxies)

	// An upgrade in the middle changes what is rolled out, and nothing else.
	f.configure("logs", "logs:2", "")
	f.injects("an upgrade", f.of(inTeams("ab")), "logs 150"+proxies)
	f.rollOut([]string{one, two, three}, none)
	f.injects("part 3", f.of(inPartThree), fmt.Sprintf("logs %d%s", 150-count(inPartThree), proxies))

	// A new service gets the sidecar where it is rolled out, and waits elsewhere.
	f.addService("apps/00/new-a.yaml", service{"team-a", "db"})
	f.injects("a new service inside", []string{"apps/00/new-a.yaml"}, fmt.Sprintf("logs %d%s", 150-count(inPartThree), proxies))
	f.addService("apps/00/new-e.yaml", service{"team-e", "db"})
	f.injects("a new service outside", nil, fmt.Sprintf("logs %d%s", 151-count(inPartThree), proxies))
	first["apps/00/new-a.yaml"] = ""
	f.rollOut([]string{one, two, three, four}, none)
	f.injects("part 4", f.of(inPartFour), fmt.Sprintf("logs %d%s", count(inPartFive), proxies))

	// The second injector is rolled out to all at once: only its own containers come.
	f.rollOut([]string{one, two, three, four}, nil)
	f.injects("the proxy", f.of(isWeb), fmt.Sprintf("logs %d", count(inPartFive)))

	// A bot changes images by hand: where the injector is rolled out, an injection sets them back.
	bot := f.of(inTeams("a"))[7]
	f.write(bot, strings.Replace(f.files()[bot], "logs:2", "logs:3", 1))
	f.injects("a bot inside", []string{bot}, fmt.Sprintf("logs %d", count(inPartFive)))

	// Narrowing the rollout changes nothing by itself. A bot that changes what is outside now is found.
	f.rollOut([]string{one, two, four}, nil)
	isBack := func(path string, s service) bool {
		return !inTeams("ab")(path, s) && s.tier == "batch" && !strings.HasPrefix(path, "apps/2")
	}
	outside := fmt.Sprintf("logs %d", count(inPartFive)+count(isBack))
	f.injects("a narrower rollout", nil, outside)
	bot = f.of(isBack)[0]
	right := f.files()[bot]
	f.write(bot, strings.Replace(right, "logs:2", "logs:3", 1))
	f.verify("a bot outside", 1, outside)
	f.write(bot, right)

	// A rollback takes the sidecar out of what is not chosen any more, back to the first bytes.
	rollback := append([]string{"remove", "-i", "--injector", "logs"}, f.of(isBack)...)
	if changed, said := f.changes(rollback...); !slices.Equal(changed, f.of(isBack)) {
		t.Errorf("the rollback changes %v, want %v:\n%s", changed, f.of(isBack), said)
	}
	for _, path := range f.of(isBack) {
		if f.files()[path] != first[path] {
			t.Errorf("after the rollback, %s is\n%s", path, f.files()[path])
		}
	}
	f.verify("after the rollback", 0, outside)

	// Part 3 again, and the end of the rollout. The result is that of one injection into all.
	f.rollOut([]string{one, two, three, four}, nil)
	f.injects("part 3 again", f.of(isBack), fmt.Sprintf("logs %d", count(inPartFive)))
	f.rollOut(nil, nil)
	f.injects("part 5", f.of(inPartFive), "")
	whole := newFleet(t)
	for _, path := range []string{"apps/00/new-a.yaml", "apps/00/new-e.yaml"} {
		whole.addService(path, f.services[path])
	}
	whole.configure("logs", "logs:2", "")
	whole.rollOut(nil, nil)
	whole.changes("inject", "-i")
	if !maps.Equal(f.files(), whole.files()) {
		t.Error("the rollout in parts gives something else than one injection")
	}
}
