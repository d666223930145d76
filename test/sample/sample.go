// Package sample creates pages for the tests of reports: the workloads of a company.
package sample

import (
	"fmt"
	"hash/crc32"
	"strings"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/pods/cost"
	"pillion.dev/pillion/internal/text/edit"
)

const mebi = 1 << 20

var (
	namespaces = []string{
		"shop", "payments", "shop", "search", "identity", "shop", "logistics", "payments", "analytics", "support", "search",
		"marketing", "media", "platform", "reporting", "legacy",
	}
	services = []string{
		"cart", "checkout", "catalog", "ledger", "gateway", "invoices", "sessions", "profiles", "indexer", "ranking", "shipping",
		"tracking", "events", "tickets", "campaigns", "thumbnails", "registry", "exports", "billing",
	}
	roles = []string{"api", "worker", "web", "sync", "consumer"}
	kinds = []string{"Deployment", "Deployment", "Deployment", "StatefulSet", "Deployment", "Rollout", "Deployment", "StatefulSet"}

	apiVersions = map[string]string{"Deployment": "apps/v1", "StatefulSet": "apps/v1", "Rollout": "argoproj.io/v1alpha1"}
)

// Fleet returns a page of n workloads, always the same for each n.
func Fleet(n int) report.Page {
	p := report.Page{
		Title:     "Envoy into the production fleet",
		Injectors: []string{"envoy", "fluent-bit"},
		Run: outcome.Run{General: []finding.Finding{{
			Severity: finding.Warning, Code: finding.ReferenceMissing, Injector: "envoy",
			Message: `the payload names ConfigMap "envoy-bootstrap" in namespace legacy, which is not in the input; ` +
				`make sure that the cluster has it`,
		}}},
	}
	for i := range n {
		p.Run.Workloads = append(p.Run.Workloads, workload(i))
	}
	return p
}

func workload(i int) *outcome.Workload {
	role := roles[(i/len(services))%len(roles)]
	name := services[i%len(services)] + "-" + role
	if round := i / (len(services) * len(roles)); round > 0 {
		name += fmt.Sprintf("-%d", round+1)
	}
	namespace, kind, replicas := namespaces[(i*7)%len(namespaces)], kinds[(i*5)%len(kinds)], 1+i%5
	object := finding.Object{APIVersion: apiVersions[kind], Kind: kind, Namespace: namespace, Name: name}
	o := outcome.Outcome{Injector: "envoy", Decision: decision.Skipped}
	w := &outcome.Workload{
		Object: object, File: &finding.File{Path: namespace + "/" + name + ".yaml", Line: 1}, Index: i,
		Before: []byte(manifest(object, replicas, false)), Line: 1,
	}
	add := func(severity finding.Severity, code finding.Code, message string) {
		o.Findings = append(o.Findings, finding.Finding{Severity: severity, Code: code, Injector: "envoy", Message: message})
	}
	switch {
	case i%41 == 7:
		o.Decision, o.Reason = decision.Refused, finding.PortConflict
		add(finding.Error, finding.PortConflict, `port 9901/TCP (envoy-admin) of container "envoy" has the same number, host port or name as `+
			`one of container "`+name+`"; change it, or set spec.onConflict.port to Keep to leave it out`)
	case i%13 == 5:
		o.Reason = finding.NotOptedIn
		add(finding.Info, finding.NotOptedIn, `spec.policy is Disabled and the pod does not opt in; `+
			`set the annotation or label pillion.dev/inject: "true"`)
	case i%29 == 11:
		o.Reason = finding.MarkerMisplaced
		add(finding.Warning, finding.MarkerMisplaced, `left out, because its marker pillion.dev/inject ("true") is on the `+
			`workload's metadata and not on the pod template; put it on spec.template.metadata.annotations`)
	case i%17 == 3:
		o.Decision, o.Reason = decision.Unchanged, finding.Unchanged
		w.Before = []byte(manifest(object, replicas, true))
	default:
		o.Decision, o.Reason, o.Changes = decision.Injected, finding.Injected, []decision.Change{
			{
				Verb: decision.Adds, Template: "spec.template", Path: "spec/containers", Key: "envoy",
				New: "{name: envoy, image: envoyproxy/envoy:v1.33.0}",
			},
			{Verb: decision.Adds, Template: "spec.template", Path: "spec/volumes", Key: "envoy-conf", New: "{name: envoy-conf}"},
		}
		w.Edits, w.IsWritten = edit.Whole(w.Before, []byte(manifest(object, replicas, true))), true
		if i%9 == 0 {
			add(finding.Warning, finding.NoDigest, `the image of container "envoy" is not pinned by digest; write envoyproxy/envoy@sha256:...`)
		}
		w.Cost = []cost.Addition{{Replicas: replicas, Pod: cost.Pod{
			Requests: cost.Amount{MilliCPU: 100, Bytes: 64 * mebi}, Limits: cost.Amount{MilliCPU: 1000, Bytes: 256 * mebi},
		}}}
	}
	w.Outcomes = []*outcome.Outcome{&o}
	return w
}

// stamp returns a stamp with a different checksum for each workload, like a real one if the payload changes the
// containers of the app.
func stamp(name string) string {
	return fmt.Sprintf(`      annotations:
        pillion.dev/injected-envoy: 1 c/%s/env/ENVOY_ADMIN:ttklDt c/envoy:mgc29R v/envoy-conf:AAyVCA %06x
`, name, crc32.ChecksumIEEE([]byte(name))&0xffffff)
}

const env = `        - name: ENVOY_ADMIN
          value: http://127.0.0.1:9901
`

const container = `      - name: envoy
        image: envoyproxy/envoy:v1.33.0
        args: [--config-path, /etc/envoy/envoy.yaml, --log-level, warning]
        ports:
        - name: envoy-admin
          containerPort: 9901
          protocol: TCP
        readinessProbe:
          httpGet:
            path: /ready
            port: envoy-admin
          periodSeconds: 5
        resources:
          requests:
            cpu: 100m
            memory: 64Mi
          limits:
            cpu: "1"
            memory: 256Mi
        volumeMounts:
        - name: envoy-conf
          mountPath: /etc/envoy
`

const volume = `      - name: envoy-conf
        configMap:
          name: envoy-bootstrap
`

// manifest returns a workload, with the sidecar or without.
func manifest(o finding.Object, replicas int, injected bool) string {
	var b strings.Builder
	part := func(sidecars string) {
		if injected {
			b.WriteString(sidecars)
		}
	}
	fmt.Fprintf(&b, `apiVersion: %s
kind: %s
metadata:
  name: %[3]s
  namespace: %[4]s
spec:
  replicas: %[5]d # scaled by the team
  selector:
    matchLabels: {app: %[3]s}
  template:
    metadata:
      labels:
        app: %[3]s
        team: %[4]s
`, o.APIVersion, o.Kind, o.Name, o.Namespace, replicas)
	part(stamp(o.Name))
	fmt.Fprintf(&b, `    spec:
      serviceAccountName: %[1]s
      containers:
      - name: %[1]s
        image: example/%[2]s/%[1]s:1.%[3]d.0
        ports:
        - containerPort: 8080
        env:
        - name: PUBLIC_URL
          value: https://%[1]s.%[2]s.example.com
`, o.Name, o.Namespace, replicas+len(o.Name))
	part(env)
	fmt.Fprintf(&b, `        resources:
          requests: {cpu: 250m, memory: 256Mi}
        volumeMounts:
        - {name: tmp, mountPath: /tmp}
        - {name: tmp, mountPath: /var/lib/%[1]s, subPath: %[1]s}
        livenessProbe:
          httpGet: {path: /%[1]s/healthz, port: 8080}
`, o.Name)
	part(container)
	b.WriteString("      volumes:\n      - name: tmp\n        emptyDir: {}\n")
	part(volume)
	b.WriteString("      terminationGracePeriodSeconds: 30\n")
	return b.String()
}
