package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// rolledOutTo returns a Rollout by the label part: an injector is rolled out to the parts up to a number. Those that it
// does not have are for all workloads.
func rolledOutTo(parts map[string]int) engine.Rollout {
	return func(injector string, _ engine.Origin, _ *finding.Object, workload *node.Node) (bool, error) {
		last, isRolledOut := parts[injector]
		part := 0
		_, _ = fmt.Sscan(node.Text(workload, "metadata", "labels", "part"), &part)
		return !isRolledOut || part <= last, nil
	}
}

// rollOut runs a config of several injectors, with the rollouts of parts.
func rollOut(t *testing.T, config string, parts map[string]int, files ...string) (outcome.Run, []string) {
	t.Helper()
	read, wrong := engine.ReadConfig(finding.Source{File: "config.yaml", Text: []byte(config)})
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	var sources []finding.Source
	for i, text := range files {
		sources = append(sources, finding.Source{File: fmt.Sprintf("%d.yaml", i), Text: []byte(text)})
	}
	result := apply(read.RollingOut(rolledOutTo(parts)), sources...)
	after := slices.Clone(files)
	for i, text := range result.Texts {
		if text != nil {
			after[i] = string(text)
		}
	}
	return result.Run, after
}

// TestInjectorThatIsNotRolledOutIsNotInTheRun claims for random injectors and workloads that a run with injectors that
// are not rolled out gives the same bytes as one without them, and that any order of widening gives what a full run does.
func TestInjectorThatIsNotRolledOutIsNotInTheRun(t *testing.T) {
	eachSeed(t, func(h *history, s source) {
		if s.chance(60) { // it takes long
			return
		}
		first := s.workload()
		names := []string{"d", "b", "c", "a"}[:2+s.IntN(3)]
		var wishes []wish
		for _, name := range names {
			wishes = append(wishes, s.placed(name, names))
		}
		full := h.inject(wishes, true, first)
		file := first
		if s.chance(50) {
			file = full // as for a rollback
		}
		s.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		out := map[string]int{}
		for _, name := range names {
			out[name] = -1
		}
		for _, next := range names {
			run, after := rollOut(t, listed(wishes, "Inject"), out, file)
			if run.Failed() {
				h.fail("it is refused: %v", run.Findings())
			}
			in := slices.DeleteFunc(slices.Clone(wishes), func(w wish) bool { return out[w.name] < 0 })
			want := file
			if len(in) > 0 {
				want = h.inject(in, true, file)
			}
			if after[0] != want {
				h.fail("without %v, the run gives\n%s\nwant\n%s", out, after[0], want)
			}
			file = after[0]
			delete(out, next)
		}
		if run, after := rollOut(t, listed(wishes, "Inject"), out, file); after[0] != full || run.NotRolledOut() != "" {
			h.fail("after the rollout, the file is\n%s\nand a full run gives\n%s", after[0], full)
		}
	})
}

const twoInjectors = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- metadata: {name: logs}
  spec:
    containers: [{name: fluent-bit, image: "fluent-bit:2"}]
    expect: {min: 3}
- metadata: {name: proxy}
  spec:
    selector: {matchLabels: {app: web}}
    containers: [{name: proxy, image: "proxy:1"}]
`

// part is a Deployment of a part of a rollout.
func part(number int, app string) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: w%d, labels: {part: "%[1]d"}}
spec:
  selector: {matchLabels: {app: %[2]s}}
  template:
    metadata:
      labels: {app: %[2]s}
    spec:
      containers:
      - {name: app, image: app}
`, number, app)
}

// reasons returns the decisions and reasons of a run, a line for each workload.
func reasons(run outcome.Run) string {
	var b strings.Builder
	for _, w := range run.Workloads {
		for _, o := range w.Outcomes {
			fmt.Fprintf(&b, "%s %s %s %s; ", w.Object.Name, o.Injector, o.Decision, o.Reason)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestWorkloadsOutsideOfARolloutCountAsHavingTheSidecar(t *testing.T) {
	run, after := rollOut(t, twoInjectors, map[string]int{"logs": 0, "proxy": 0}, part(0, "web"), part(1, "web"), part(2, "db"))
	want := "w0 logs injected Injected; w0 proxy injected Injected; \n" +
		"w1 logs skipped NotRolledOut; w1 proxy skipped NotRolledOut; \n" +
		"w2 logs skipped NotRolledOut; w2 proxy skipped SelectorMismatch; \n"
	if got := reasons(run); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if run.Failed() || after[0] == part(0, "web") || after[1] != part(1, "web") || after[2] != part(2, "db") {
		t.Errorf("the texts are\n%s, with the findings %v", after, run.Findings())
	}
	if got := run.NotRolledOut(); got != "logs 2, proxy 1" {
		t.Errorf("not rolled out: %s", got)
	}
	if verified := run.Verified(); len(verified.Findings()) == 0 || verified.Workloads[1].Failed() {
		t.Error("a workload that is not rolled out fails a verification")
	}
}

func TestOldSidecarOutsideOfARolloutStays(t *testing.T) {
	_, files := rollOut(t, twoInjectors, nil, part(0, "web"), part(1, "web"), part(2, "web"))
	newer := strings.ReplaceAll(twoInjectors, "fluent-bit:2", "fluent-bit:3")
	run, after := rollOut(t, newer, map[string]int{"logs": 0}, files...)
	if after[0] == files[0] || after[1] != files[1] || after[2] != files[2] || run.Failed() {
		t.Errorf("the texts are\n%s, with the findings %v", after, run.Findings())
	}
	if verified := run.Verified(); verified.Workloads[1].Failed() || verified.Workloads[2].Decision() != decision.Unchanged {
		t.Errorf("the decisions are\n%s", reasons(verified))
	}
	run, after = rollOut(t, newer, map[string]int{"logs": 1}, after...)
	if after[1] == files[1] || after[2] != files[2] || run.NotRolledOut() != "logs 1" {
		t.Errorf("the texts are\n%s, with %s", after, run.NotRolledOut())
	}
}

func TestChangesByHandOutsideOfARolloutFailAVerification(t *testing.T) {
	config := strings.Replace(twoInjectors, "min: 3", "min: 1", 1)
	_, files := rollOut(t, config, nil, part(1, "web"))
	for claim, change := range map[string][2]string{
		"an image":      {"fluent-bit:2", "fluent-bit:9"},
		"a container":   {"name: fluent-bit", "name: other"},
		"a broken mark": {"injected-logs: ", "injected-logs: x"},
	} {
		changed := strings.Replace(files[0], change[0], change[1], 1)
		if changed == files[0] {
			t.Fatalf("%s: not in\n%s", claim, changed)
		}
		run, after := rollOut(t, config, map[string]int{"logs": 0, "proxy": 0}, changed)
		if run.Failed() || after[0] != changed {
			t.Errorf("%s: an injection fails or changes it: %v", claim, run.Findings())
		}
		if verified := run.Verified(); !verified.Failed() || !verified.IsOnlyOutdated() {
			t.Errorf("%s: a verification passes: %v", claim, verified.Findings())
		}
	}
}

func TestRolloutThatCannotBeDecidedRefusesTheWorkload(t *testing.T) {
	read, _ := engine.ReadConfig(finding.Source{Text: []byte(twoInjectors)})
	undecided := func(string, engine.Origin, *finding.Object, *node.Node) (bool, error) {
		return false, fmt.Errorf("eu and us use this")
	}
	result := apply(read.RollingOut(undecided), finding.Source{File: "a.yaml", Text: []byte(part(0, "web"))})
	if result.Texts[0] != nil || result.Run.Workloads[0].Decision() != decision.Refused {
		t.Errorf("the findings are %v", result.Run.Findings())
	}
}
