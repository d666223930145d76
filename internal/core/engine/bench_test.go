package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// BenchmarkRun is the whole way, from text to text, for a stream in which every third item is a
// workload.
func BenchmarkRun(b *testing.B) {
	for _, workloads := range []int{10, 1000} {
		b.Run(fmt.Sprintf("workloads=%d", workloads), func(b *testing.B) {
			text := []byte(stream(workloads))
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if r, err := engine.Run(context.Background(), text, io.Discard); err != nil || r.Failed() {
					b.Fatal(err, r.Findings())
				}
			}
		})
	}
}

// BenchmarkRerun is a run on workloads that have the stamp of its own injector, and on workloads that have that of
// another run as well.
func BenchmarkRerun(b *testing.B) {
	var once, beside bytes.Buffer
	inject := func(text []byte, to io.Writer) {
		b.Helper()
		if r, err := engine.Run(context.Background(), text, to); err != nil || r.Failed() {
			b.Fatal(err, r.Findings())
		}
	}
	inject([]byte(stream(1000)), &once)
	other := strings.NewReplacer(
		"  name: envoy\n  spec:", "  name: second\n  spec:",
		"- name: envoy\n      image", "- name: second\n      image")
	at := strings.LastIndex(once.String(), "functionConfig:")
	inject([]byte(once.String()[:at]+other.Replace(once.String()[at:])), &beside)
	for name, text := range map[string][]byte{"own": once.Bytes(), "beside another run": beside.Bytes()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				inject(text, io.Discard)
			}
		})
	}
}

// manySpec is an injector with a container, a volume and a variable of its own.
const manySpec = "{volumes: [{name: vN, emptyDir: {}}], containers: [{name: sN, image: i, " +
	"volumeMounts: [{name: vN, mountPath: /m}]}], appContainers: [{env: [{name: EN, value: x}]}]}"

// BenchmarkManyInjectors is about one Deployment that many injectors change: in one run, in a second one, in a removal,
// and in a run of one more injector beside theirs. The time and the allocations of one injector should not depend on
// how many there are.
func BenchmarkManyInjectors(b *testing.B) {
	for _, count := range []int{125, 250, 500, 1000} {
		all, _ := engine.ReadConfig(finding.Source{Text: []byte(manyInjectors(count, manySpec))})
		last := budgetSpec("  containers: [{name: last, image: i}]")(1)
		one, _ := engine.ReadConfig(finding.Source{Text: []byte(last)})
		plain := []byte(workloadsOf(1))
		full := applied(b, all, plain)
		for _, of := range []struct {
			name   string
			config engine.Config
			text   []byte
		}{
			{"first", all, plain},
			{"again", all, full},
			{"removal", all.Removing(), full},
			{"one beside them", one, full},
		} {
			b.Run(fmt.Sprintf("%s/%d", of.name, count), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					applied(b, of.config, of.text)
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*count), "us/injector")
			})
		}
	}
}

// applied returns the text of a manifest after a run that succeeds.
func applied(tb testing.TB, config engine.Config, text []byte) []byte {
	tb.Helper()
	result, err := engine.Apply(context.Background(), config, finding.Source{Text: text})
	if err != nil || result.Run.Failed() {
		tb.Fatal(err, result.Run.Findings())
	}
	if result.Texts[0] == nil {
		return text
	}
	return result.Texts[0]
}

func stream(workloads int) string {
	var items strings.Builder
	for i := range workloads {
		if i > 0 {
			items.WriteString("---\n")
		}
		fmt.Fprintf(&items, `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%[1]d
  namespace: shop
spec:
  selector:
    matchLabels:
      app: web-%[1]d
  template:
    metadata:
      labels:
        app: web-%[1]d
    spec:
      containers:
      - name: app
        image: shop/web:%[1]d
        env:
%[2]s        ports:
        - containerPort: 8080
          name: http
        resources:
          requests:
            cpu: 100m
            memory: 128Mi
---
apiVersion: v1
kind: Service
metadata:
  name: web-%[1]d
  namespace: shop
spec:
  ports:
  - port: 80
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: web-%[1]d
data:
  key: |
    some text
    of lines
`, i, strings.Repeat("        - name: VARIABLE\n          value: some value\n", 25))
	}
	return wrap(`apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: envoy
spec:
  containers:
  - name: envoy
    image: envoy:1
    volumeMounts:
    - name: conf
      mountPath: /etc/envoy
  volumes:
  - name: conf
    configMap:
      name: envoy
`, items.String())
}
