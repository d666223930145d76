package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

var (
	timesCat   = limits{floor: 3, goal: 2.5}
	wallOfAll  = limits{floor: 0.6, goal: 0.55}
	treeMemory = limits{floor: 60, goal: 50}
)

// smallFiles are those of a service in a tree of many small files, half of which have workloads.
var smallFiles = map[string]string{
	"web.yaml":    smallWorkload,
	"worker.yaml": smallWorkload,
	"service.yaml": `apiVersion: v1
kind: Service
metadata:
  name: NAME
spec:
  selector:
    app: NAME
  ports:
  - name: http
    port: 80
    targetPort: 8080
`,
	"config.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: NAME
  labels:
    app: NAME
data:
  LOG_LEVEL: info
  GREETING: Hello from NAME
  UPSTREAM: http://upstream.example.com:8080/
  TIMEOUT: 30s
`,
}

const smallWorkload = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: NAME-FILE
spec:
  selector:
    matchLabels: {app: NAME}
  template:
    metadata:
      labels: {app: NAME}
    spec:
      containers:
      - name: app
        image: shop/NAME:1.4.0
`

const smallInjector = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: logs
spec:
  selector: {}
  containers:
  - name: log-agent
    image: fluent/fluent-bit:3.2.4
`

// trees verifies a tree of many small files, all as declared, and compares that with a program that only reads them.
func trees(shop *workshop) (t table, goals []goal, err error) {
	const runs = 9
	dir := filepath.Join(shop.dir, "tree")
	config := filepath.Join(shop.dir, "tree.yaml")
	n := shop.plan.filed
	if err := shop.writeTree(dir, config, n); err != nil {
		return t, nil, err
	}
	pillion := &contestant{
		name: "pillion verify", path: shop.pillion, args: []string{"verify", "-c", config, "-f", dir, "-R", "-o", "json"}, runs: runs,
		check: holds(n, `"decision": "unchanged"`), // of each workload, and of the injector for it
	}
	quiet := &contestant{
		name: "the same without a report", path: shop.pillion, args: []string{"verify", "-c", config, "-f", dir, "-R"}, runs: runs,
	}
	// To a file, cat lets the kernel copy, and reads nothing itself.
	cat := &contestant{
		name: "find | xargs cat", path: "/bin/sh", args: []string{"-c", `find "$0" -type f | xargs cat >/dev/null`, dir}, runs: runs,
	}
	at := thousands(n) + " files"
	if err := shop.measure(&t, at, quiet, pillion, cat); err != nil {
		return t, nil, err
	}
	return t, []goal{
		{
			name: "processor time of verifying small files, times that of find and cat", at: at, limits: timesCat,
			measured: quiet.leastProcessor().Seconds() / cat.leastProcessor().Seconds(),
		},
		{
			name: "elapsed time of verifying small files, times its processor time", at: at, limits: wallOfAll,
			measured: quiet.fastest().wall.Seconds() / quiet.fastest().processor.Seconds(),
		},
		{name: "peak memory of verifying small files, in MB", at: at, limits: treeMemory, measured: float64(quiet.peakBytes) / 1e6},
	}, nil
}

// writeTree writes a number of files that are as the config declares.
func (w *workshop) writeTree(dir, config string, count int) error {
	const ofTeam = 100 // services
	if err := os.WriteFile(config, []byte(smallInjector), 0o644); err != nil {
		return err
	}
	for i := range count / len(smallFiles) {
		name := "svc-" + strconv.Itoa(i)
		files := map[string]string{}
		for file, text := range smallFiles {
			files[file] = strings.NewReplacer("NAME", name, "FILE", strings.TrimSuffix(file, ".yaml")).Replace(text)
		}
		if err := writeDirectory(filepath.Join(dir, "team-"+strconv.Itoa(i/ofTeam), name), files); err != nil {
			return err
		}
	}
	inject := exec.Command(w.pillion, "inject", "-i", "-c", config, "-f", dir, "-R")
	if out, err := inject.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
