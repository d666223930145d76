package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"pillion.dev/pillion/test/tools"
)

var (
	timesBuilds   = limits{floor: 0.33, goal: 0.25}
	overlayMemory = limits{floor: 300, goal: 200}
)

// overlay is a kustomization with the patches and fields that are usual, none of which touches a sidecar.
const overlay = `resources: [../../bases/BASE]
namespace: shop
namePrefix: over-NUMBER-
labels:
- pairs: {region: eu}
  includeTemplates: true
images:
- name: registry.example.com/shop/web
  newTag: 1.5.0
patches:
- path: replicas.yaml
- target: {kind: Deployment}
  patch: |
    - op: replace
      path: /spec/template/spec/containers/0/ports/0/containerPort
      value: 8081
`

const overlayPatch = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-BASE
  namespace: shop
spec:
  replicas: 5
  template:
    spec:
      containers:
      - name: web
        resources: {requests: {cpu: 200m}}
`

// overlays compares the verification of many overlays in one process with building each of them by kustomize's program.
func overlays(shop *workshop) (t table, goals []goal, err error) {
	const runs = 5
	program, err := tools.Kustomize.Find()
	if err != nil {
		return t, nil, err
	}
	dir := filepath.Join(shop.dir, "overlays")
	config := filepath.Join(shop.dir, "overlays.yaml")
	if err := shop.writeOverlays(dir, config); err != nil {
		return t, nil, err
	}
	n := shop.plan.overlaid
	pillion := &contestant{
		name: "pillion verify", path: shop.pillion, args: []string{"verify", "-c", config, "-k", dir, "-R", "-o", "json"}, runs: runs,
		check: holds(2*n, `"decision": "unchanged"`), // of each workload, and of the injector for it
	}
	build := &contestant{
		name: "kustomize build, each alone", path: "/bin/sh", runs: runs, check: holds(n, workloadLine),
		args: []string{"-ec", `for dir in "$0"/overlays/*; do "$1" build "$dir"; echo ---; done`, dir, program},
	}
	one := &contestant{
		name: "kustomize build, of one", path: program, args: []string{"build", filepath.Join(dir, "overlays", "0")}, runs: runs,
		check: holds(1, workloadLine),
	}
	at := thousands(n) + " overlays"
	if err := shop.measure(&t, at+", "+thousands(shop.plan.bases)+" bases", pillion, build, one); err != nil {
		return t, nil, err
	}
	return t, []goal{
		{
			name: "processor time of verifying overlays, times that of building each alone", at: at, limits: timesBuilds,
			measured: pillion.leastProcessor().Seconds() / build.leastProcessor().Seconds(),
		},
		{name: "peak memory of verifying overlays, in MB", at: at, limits: overlayMemory, measured: float64(pillion.peakBytes) / 1e6},
	}, nil
}

// leastProcessor returns the processor time of the run that took the least.
func (c *contestant) leastProcessor() time.Duration {
	return slices.MinFunc(c.taken, func(a, b run) int { return int(a.processor - b.processor) }).processor
}

// writeOverlays writes bases that are injected, and overlays of them in turn.
func (w *workshop) writeOverlays(dir, config string) error {
	if err := os.WriteFile(config, []byte(injector), 0o644); err != nil {
		return err
	}
	for i := range w.plan.bases {
		base := filepath.Join(dir, "bases", strconv.Itoa(i))
		text := strings.NewReplacer("NUMBER", strconv.Itoa(i), "TEAM", "0").Replace(workload)
		if err := writeDirectory(base, map[string]string{"kustomization.yaml": "resources: [web.yaml]\n", "web.yaml": text}); err != nil {
			return err
		}
	}
	inject := exec.Command(w.pillion, "inject", "-i", "-c", config, "-f", filepath.Join(dir, "bases"), "-R")
	if out, err := inject.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	for i := range w.plan.overlaid {
		values := strings.NewReplacer("NUMBER", strconv.Itoa(i), "BASE", strconv.Itoa(i%w.plan.bases))
		files := map[string]string{"kustomization.yaml": values.Replace(overlay), "replicas.yaml": values.Replace(overlayPatch)}
		if err := writeDirectory(filepath.Join(dir, "overlays", strconv.Itoa(i)), files); err != nil {
			return err
		}
	}
	return nil
}

func writeDirectory(dir string, files map[string]string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
