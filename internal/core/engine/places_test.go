package engine_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/output/report"
)

const optInConfig = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  policy: Disabled
  containers:
  - {name: logs, image: "logs:1", ports: [{containerPort: 81}], mode: Container}
`

const optedIn = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    other: x
spec:
  template:
    metadata:
      annotations:
        pillion.dev/inject: "true"
    spec:
      containers:
      - name: web
        image: web
        ports:
        - containerPort: 80
`

func TestFindingsPointAtTheirField(t *testing.T) {
	injected := apply(readConfig(t, optInConfig), finding.Source{File: "web.yaml", Text: []byte(optedIn)})
	if injected.Run.Failed() {
		t.Fatal(injected.Run.Findings())
	}
	done := string(injected.Texts[0])
	tests := map[string]struct {
		code        finding.Code
		text, place string // the text of the line, with its column at the bar
	}{
		"a marker above the pod template": {
			"MarkerMisplaced", strings.NewReplacer("    other: x\n", "    other: x\n    pillion.dev/inject: \"true\"\n",
				"        pillion.dev/inject: \"true\"\n", "        a: b\n").Replace(optedIn),
			`    |pillion.dev/inject: "true"`,
		},
		"a marker that is unclear": {"MarkerUnclear", strings.Replace(optedIn, `"true"`, `"yes"`, 1), `        |pillion.dev/inject: "yes"`},
		"a port that is taken":     {"PortConflict", optedIn + "        - containerPort: 81\n", "        - |containerPort: 81"},
		"an image that was changed": {
			"Drifted", strings.Replace(done, "logs:1", "logs:2", 1),
			`      - {name: logs, |image: "logs:2", ports: [{containerPort: 81}]}`,
		},
		"a container that was taken":  {"Drifted", before(done, "      - {name: logs"), "      |containers:"},
		"a stamp that cannot be read": {"StampBroken", strings.Replace(done, ": 1 c(", ": 1 v(", 1), "        |pillion.dev/injected-logs: "},
	}
	for name, test := range tests {
		result := apply(readConfig(t, optInConfig), finding.Source{File: "web.yaml", Text: []byte(test.text)})
		place := ""
		for _, f := range result.Run.Findings() {
			if f.Code == test.code && f.File.Line > 0 {
				line := strings.Split(test.text, "\n")[f.File.Line-1]
				place = line[:f.File.Column-1] + "|" + line[f.File.Column-1:]
			}
		}
		if place == "" || !strings.HasPrefix(place, test.place) {
			t.Errorf("%s: it points at %q, want %q; %v", name, place, test.place, result.Run.Findings())
		}
	}
}

// before is the text above a line.
func before(text, line string) string {
	above, _, _ := strings.Cut(text, line)
	return above
}

func TestABrokenItemOfAPackageIsNamedByItsFile(t *testing.T) {
	list := `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: p
    annotations:
      config.kubernetes.io/index: '2'
      internal.config.kubernetes.io/index: '2'
      internal.config.kubernetes.io/path: 'apps/web.yaml'
  spec:
    containers: []
    containers: []
functionConfig:` + strings.ReplaceAll(optInConfig, "\n", "\n  ")
	var out bytes.Buffer
	run, err := engine.Run(context.Background(), []byte(list), &out)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	if err := report.RunText(&said, run, run.Level, finding.Finding.String); err != nil {
		t.Fatal(err)
	}
	want := `apps/web.yaml: error: InvalidItem: pod/p: line 11 of the object: the key "containers" is there twice`
	if !strings.Contains(said.String(), want) {
		t.Errorf("got %s\nwant %s", said.String(), want)
	}
	if f := run.Findings()[0]; f.File == nil || f.File.Index != 2 {
		t.Errorf("the place is %v", f.File)
	}
}
