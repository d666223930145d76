package fn

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
)

const everySort = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: envoy}
spec:
  containers:
  - name: envoy-sidecar
    image: envoy:1
    args: ["--mode", serve, "yes"]
    volumeMounts: [{name: envoy-sidecar-conf, mountPath: /etc/envoy}]
  - name: first-of-all
    image: first:1
    mode: Container
    podInjectPolicy: BeforeAppContainer
  initContainers:
  - name: prepare-sidecar
    image: prepare:1
  volumes:
  - name: envoy-sidecar-conf
    configMap: {name: envoy}
  imagePullSecrets:
  - name: sidecar-registry
  appContainers:
  - includeInit: true
    env: [{name: SIDECAR_PORT, value: "15001"}]
    envFrom: [{configMapRef: {name: sidecar}}]
    volumeMounts: [{name: envoy-sidecar-conf, mountPath: /etc/envoy-sidecar}]
  patchPodMetadata:
  - labels: {sidecar.example.com/in: "yes"}
    annotations: {sidecar.example.com/ports: "[15001]"}
  podSpec:
    tolerations: [{key: sidecar, operator: Exists}]
    hostAliases: [{ip: 10.9.8.7, hostnames: [sidecar.local]}]
`

// TestInjectingOnlyInserts runs the corpus through the whole way and holds the lines that
// come out against those that went in.
func TestInjectingOnlyInserts(t *testing.T) {
	files, err := filepath.Glob("../internal/splice/testdata/corpus/*")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d manifests: %v", len(files), err)
	}
	var config yaml.Node
	if err := yaml.Unmarshal([]byte(everySort), &config); err != nil {
		t.Fatal(err)
	}
	injectors, said := injector.Read(&config)
	if len(said) > 0 {
		t.Fatal(said)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			input, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(filepath.Base(file), "item-") { // it stands in a list
				input = append([]byte("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"), input...)
			}
			output, first := injectText(t, input, injectors)
			if first.Failed() || first.Counts.Injected == 0 {
				t.Fatalf("%s: %v", first.Counts, first.Findings)
			}
			for _, f := range first.Findings {
				if f.Code == "WrittenAnew" {
					t.Errorf("%s", f.Message)
				}
			}
			if line, ok := onlyInserts(input, output); !ok {
				t.Errorf("this line is not as it was: %q\n%s", line, output)
			}
			again, second := injectText(t, output, injectors)
			if !bytes.Equal(again, output) || second.Counts.Unchanged != first.Counts.Injected {
				t.Errorf("a second run: %s\n%s", second.Counts, again)
			}
		})
	}
}

func injectText(t *testing.T, text []byte, injectors []*injector.Injector) ([]byte, Report) {
	t.Helper()
	stream, err := manifest.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	changed, r := inject(stream.Items, injectors)
	var out bytes.Buffer
	if err := stream.Write(&out, changed, manifest.Results{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), r
}

// onlyInserts tells whether the output is the input with lines put in between, with text put
// into lines that stand in brackets, a comma behind them, or an empty value or an alias taken away to make room.
func onlyInserts(input, output []byte) (line string, ok bool) {
	if input[0] == '{' { // JSON, where a comma may move to a line of its own
		whole := strings.NewReplacer(`"volumes": null`, `"volumes": `, `"volumes":null`, `"volumes":`).Replace(string(input))
		return whole, widened(whole, string(output))
	}
	rest := strings.Split(string(output), "\n")
	for line := range strings.SplitSeq(string(input), "\n") {
		at := slices.IndexFunc(rest, func(candidate string) bool {
			return candidate == line || candidate == line+"," || emptied(line) == candidate || widened(line, candidate) || widened(emptied(line), candidate)
		})
		if at < 0 {
			return line, false
		}
		rest = rest[at+1:]
	}
	return "", true
}

// widened tells whether a line in brackets is another one with more text in it.
func widened(line, candidate string) bool {
	if !strings.ContainsAny(line, "[]{},\"") {
		return false
	}
	for i := 0; i < len(candidate) && line != ""; i++ {
		if candidate[i] == line[0] {
			line = line[1:]
		}
	}
	return line == ""
}

// emptied is a line without the empty value, or the alias, that a new one takes the place of.
func emptied(line string) string {
	if key, _, ok := strings.Cut(line, ": *env"); ok {
		return key + ":"
	}
	for _, empty := range []string{" []", " {}", " null", " ~"} {
		if without := strings.Replace(line, empty, "", 1); without != line {
			return without
		}
	}
	return line
}
