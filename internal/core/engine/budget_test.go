package engine_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/work/meter"
)

// A pair is two dimensions of the input that multiply. Config and manifests grow with both.
type pair struct {
	claim     string
	config    func(n int) string
	manifests func(n int) string
	size      int
	code      finding.Code // of the error that ends the run at that size; empty if it is within the limits
}

const oneInjector = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: x}\nspec:\n"

func budgetSpec(text string) func(int) string { return func(int) string { return oneInjector + text } }

// manyInjectors returns a list of n injectors, in whose specs N is their number.
func manyInjectors(n int, spec string) string {
	return "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n" +
		each(n, "- metadata: {name: xN}\n  spec: "+spec+"\n")
}

// each repeats a text with the numbers up to n in the place of N.
func each(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "N", fmt.Sprint(i)))
	}
	return b.String()
}

func workloadOf(name, metadata, containers string) string {
	return "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: " + name + "\nspec:\n  selector: {matchLabels: {app: web}}\n" +
		"  template:\n    metadata:\n      labels: {app: web}\n" + metadata + "    spec:\n      containers:\n" + containers
}

const plainContainer, numberedContainer = "      - {name: a, image: a}\n", "      - {name: cN, image: a}\n"

func workloadsOf(n int) string { return each(n, workloadOf("wN", "", plainContainer)) }

func mounting(name string, n int) string {
	return workloadOf(name, "", "      - name: a\n        image: a\n        volumeMounts:\n"+
		each(n, "        - {name: v, mountPath: /mN}\n"))
}

var pairs = []pair{
	{
		"the length of a name and the findings about it", budgetSpec("  containers: [{name: s, image: i, shareVolumePolicy: {type: Enabled}}]"),
		func(n int) string { return mounting(strings.Repeat("n", 40*n), n) }, 1000, finding.InvalidItem,
	},
	{
		"the length of a container's name and the findings about it",
		budgetSpec("  containers: [{name: s, image: i, shareVolumePolicy: {type: Enabled}}]"),
		func(n int) string {
			return strings.Replace(mounting("web", n), "name: a\n", "name: "+strings.Repeat("n", 40*n)+"\n", 1)
		}, 1000, "",
	},
	{
		"the length of a label and the containers that get it",
		budgetSpec("  appContainers: [{env: [{name: L, value: \"${pod.labels['app']}\"}]}]"),
		func(n int) string {
			return strings.Replace(workloadOf("web", "", each(n, numberedContainer)), "labels: {app: web}",
				"labels: {app: "+strings.Repeat("l", 40*n)+"}", 1)
		}, 1000, finding.VariableInvalid,
	},
	{
		"the length of an annotation and the containers that get it",
		budgetSpec("  appContainers: [{env: [{name: L, value: \"${pod.annotations['l']}\"}]}]"),
		func(n int) string {
			return workloadOf("web", "      annotations: {l: "+strings.Repeat("l", 4000)+"}\n", each(n, numberedContainer))
		}, 2000, finding.LimitExceeded,
	},
	{
		"the length of a value and the containers that get it",
		func(n int) string {
			return oneInjector + "  appContainers: [{env: [{name: L, value: " + strings.Repeat("l", 40*n) + "}]}]"
		},
		func(n int) string { return workloadOf("web", "", each(n, numberedContainer)) }, 1000, finding.LimitExceeded,
	},
	{
		"the variables of a container and those before them",
		func(n int) string {
			variables := strings.TrimSuffix(each(50, "{name: VN_R, value: $(V0_R)}, "), ", ")
			rules := ""
			for i := range n {
				rules += "  - env: [" + strings.ReplaceAll(variables, "R", fmt.Sprint(i)) + "]\n"
			}
			return oneInjector + "  appContainers:\n" + rules
		},
		func(int) string { return workloadOf("web", "", plainContainer) }, 400, finding.LimitExceeded,
	},
	{
		"the length of a value for each container and the containers",
		func(n int) string {
			return oneInjector + "  appContainers: [{env: [{name: L, value: \"" + strings.Repeat("l", 40*n) + "${container.name}\"}]}]"
		},
		func(n int) string { return workloadOf("web", "", each(n, numberedContainer)) }, 1000, finding.LimitExceeded,
	},
	{
		"the length of a payload and the workloads",
		func(n int) string {
			return oneInjector + "  containers: [{name: s, image: i, args: [" + strings.Repeat("l", 200*n) + "]}]"
		},
		workloadsOf, 500, finding.LimitExceeded,
	},
	{
		"injectors and workloads that none selects",
		func(n int) string {
			return manyInjectors(n, "{selector: {matchLabels: {none: xN}}, containers: [{name: sN, image: i}]}")
		},
		workloadsOf, 300, "",
	},
	{
		"injectors and workloads that all select", func(n int) string { return manyInjectors(n, "{containers: [{name: sN, image: i}]}") },
		workloadsOf, 40, "",
	},
	{
		"injectors of one pod with each other", func(n int) string { return manyInjectors(n, "{containers: [{name: sN, image: i}]}") },
		func(int) string { return workloadsOf(20) }, 300, "",
	},
	{
		"the values of selectors and the workloads",
		func(n int) string {
			return manyInjectors(n, "{selector: {matchExpressions: [{key: app, operator: In, values: ["+each(n, "vN, ")+"]}]}, "+
				"containers: [{name: s, image: i}]}")
		},
		workloadsOf, 100, "",
	},
	{
		"joined values and the length of the value",
		func(n int) string {
			return manyInjectors(min(n, 90), "{appContainers: [{env: [{name: L, value: vN, join: ' '}]}]}")
		},
		func(n int) string {
			return workloadOf("web", "", "      - {name: a, image: a, env: [{name: L, value: "+each(n, "aN ")+"}]}\n")
		}, 20_000, finding.EnvConflict,
	},
	{
		"the size of a pattern and the names of containers",
		budgetSpec("  containers: [{name: s, image: i, resourcesPolicy: {targetContainersNameRegex: '(.*a){500}', " +
			"resourcesExpr: {limits: {cpu: cpu}}}}]"),
		func(n int) string {
			return workloadOf("web", "", each(n, "      - {name: "+strings.Repeat("a", n)+"N, image: a}\n"))
		}, 600, finding.LimitExceeded,
	},
	{
		"the size of globs and the names of workloads",
		budgetSpec("  names: [" + strings.Repeat("'"+strings.Repeat("*a", 120)+"b', ", 100) + "]\n  containers: [{name: s, image: i}]"),
		func(n int) string { return each(n, workloadOf(strings.Repeat("a", 200)+"N", "", plainContainer)) }, 500, finding.LimitExceeded,
	},
	{
		"sidecars and the mounts that they share",
		func(n int) string {
			return oneInjector + "  containers:\n" + each(n, "  - {name: sN, image: i, shareVolumePolicy: {type: Enabled}}\n")
		},
		func(n int) string {
			return mounting("web", 10*n) + "      volumes: [{name: v, emptyDir: {}}]\n"
		}, 60, "",
	},
	{
		"the names of containers in the config and the containers",
		func(n int) string {
			return oneInjector + "  appContainers:\n" +
				each(n/10, "  - {containers: ["+strings.Repeat("c1, ", 500)+"], env: [{name: L, value: l}]}\n")
		},
		func(n int) string { return workloadOf("web", "", each(n, numberedContainer)) }, 1000, "",
	},
	{
		"variables of the config and of the app",
		func(n int) string {
			return oneInjector + "  appContainers:\n  - env:\n" + each(n, "    - {name: PN, value: p}\n")
		},
		func(n int) string {
			return workloadOf("web", "", "      - name: a\n        image: a\n        env:\n"+each(10*n, "        - {name: AN, value: a}\n"))
		}, 500, "",
	},
	{
		"the indent and the lines of what is added",
		func(n int) string {
			return oneInjector + "  containers:\n  - name: s\n    image: i\n    args:\n    - |\n" + strings.Repeat("      l\n", 10*n)
		},
		func(n int) string {
			return workloadOf("web", "", strings.Repeat(" ", 10*n)+"- name: a\n"+strings.Repeat(" ", 10*n)+"  image: a\n")
		}, 1000, "",
	},
}

// What a run may allocate and write: a little for each byte of the input, and for each step that the meter counts,
// which it ends at a limit that grows with the input. Neither is a measure of time, so that a slow machine changes
// nothing.
const (
	allocatedPerInputByte = 500
	allocatedPerStep      = 16
	writtenPerInputByte   = meter.StepsPerByte / meter.PerByteMade
	writtenAlways         = manifest.MaxItemBytes
)

// TestWorkOfPairsIsMetered runs one large size of each pair of dimensions whose product could be the work of a run.
// What is allocated may grow only with the input and the steps that the meter counted, what is written only with the
// input, and what is over the limits is an error.
func TestWorkOfPairsIsMetered(t *testing.T) {
	for _, pair := range pairs {
		t.Run(pair.claim, func(t *testing.T) {
			config, manifests := pair.config(pair.size), pair.manifests(pair.size)
			input := len(config) + len(manifests)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			injectors, findings := engine.ReadConfig(finding.Source{File: "config.yaml", Text: []byte(config)})
			result, err := engine.Apply(context.Background(), injectors, finding.Source{File: "a.yaml", Text: []byte(manifests)})
			if err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			findings = append(findings, result.Run.Findings()...)
			written := len(result.Texts[0])
			for _, f := range findings {
				written += len(f.String())
			}
			failed := append(errorCodes(findings), "")[0]
			allocated, steps := int(after.TotalAlloc-before.TotalAlloc), int(result.Run.Steps)
			if failed != pair.code {
				t.Errorf("the run ends with the error %q instead of %q", failed, pair.code)
			}
			if most := allocatedPerInputByte*input + allocatedPerStep*steps; allocated > most {
				t.Errorf("%d bytes are allocated; the most for %d bytes and %d steps is %d", allocated, input, steps, most)
			}
			if most := writtenAlways + writtenPerInputByte*input; written > most {
				t.Errorf("%d bytes are written; the most for %d bytes is %d", written, input, most)
			}
		})
	}
}

// TestResultIsReadable injects into objects that are just small enough to be read.
func TestResultIsReadable(t *testing.T) {
	config, _ := engine.ReadConfig(finding.Source{Text: []byte(oneInjector + "  containers: [{name: s, image: i}]")})
	withAnnotation := func(value string) string { return workloadOf("web", "      note: "+value+"\n", plainContainer) }
	for claim, manifests := range map[string]string{
		"no object of too many bytes is written":   withAnnotation(strings.Repeat("l", manifest.MaxItemBytes-300)),
		"no object of too many values is written":  withAnnotation("[" + strings.Repeat("1,", 999_960) + "]"),
		"no pod of too many containers is written": workloadOf("web", "", strings.Repeat("      - {}\n", pod.MaxContainers)),
	} {
		t.Run(claim, func(t *testing.T) {
			result, err := engine.Apply(context.Background(), config, finding.Source{Text: []byte(manifests)})
			if err != nil {
				t.Fatal(err)
			}
			if codes := errorCodes(result.Run.Findings()); len(codes) != 1 || codes[0] != finding.LimitExceeded || result.Texts[0] != nil {
				t.Errorf("the errors are %v instead of LimitExceeded, and %d bytes are written", codes, len(result.Texts[0]))
			}
		})
	}
}

// TestFindingsOfWorkloadAreCounted finds the number of those that are left out at the end.
func TestFindingsOfWorkloadAreCounted(t *testing.T) {
	config, _ := engine.ReadConfig(finding.Source{
		Text: []byte(oneInjector + "  containers: [{name: s, image: i, shareVolumePolicy: {type: Enabled}}]"),
	})
	result, err := engine.Apply(context.Background(), config, finding.Source{Text: []byte(mounting("web", 1600))})
	if err != nil {
		t.Fatal(err)
	}
	findings := result.Run.FindingsFrom(finding.Warning)
	last := findings[len(findings)-1]
	if len(findings) != 101 || last.Code != finding.MoreFindings || !strings.HasPrefix(last.Message, "1500 more") {
		t.Errorf("there are %d findings, and the last one is %s", len(findings), last)
	}
}

func errorCodes(findings []finding.Finding) []finding.Code {
	var codes []finding.Code
	for _, f := range findings {
		if f.Severity == finding.Error {
			codes = append(codes, f.Code)
		}
	}
	return codes
}
