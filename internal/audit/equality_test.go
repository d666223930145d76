package audit_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
)

// TestRenamedReferences audits pods of manifests that kustomize has built, with the prefix prod-.
func TestRenamedReferences(t *testing.T) {
	const referring = config + `    envFrom: [{configMapRef: {name: settings}}]
    env: [{name: KEY, valueFrom: {secretKeyRef: {name: "key-${workload.name}", key: k}}}]
    volumeMounts: [{name: conf, mountPath: /conf}]
  volumes: [{name: conf, configMap: {name: conf}}]
  imagePullSecrets: [{name: registry}]
`
	renamed := func(prefix, conf string) string {
		return pod("name: web-7d4b9c", "name: "+prefix+"web-7d4b9c", "--name=web", "--name="+prefix+"web",
			"args:", "env: [{name: KEY, valueFrom: {secretKeyRef: {name: prod-key-"+prefix+"web, key: k}}}], "+
				"envFrom: [{configMapRef: {name: prod-settings-5c4kmt6h2g}}], volumeMounts: [{name: conf, mountPath: /conf}], args:",
			"spec:\n", "spec:\n  imagePullSecrets: [{name: prod-registry}]\n  volumes: [{name: conf, configMap: {name: "+conf+"}}]\n")
	}
	for name, c := range map[string]struct{ pod, want string }{
		"prefix and hash": {renamed("prod-", "prod-conf-5c4kmt6h2g"), "current"},
		"another object":  {renamed("prod-", "prod-other"), "stale spec.volumes[0].configMap.name prod-other conf"},
		"another prefix":  {renamed("prod-", "test-conf"), "stale spec.volumes[0].configMap.name test-conf conf"},
	} {
		t.Run(name, func(t *testing.T) {
			rows := run(t, referring, c.pod)
			if got := describe(rows[0]); len(rows) != 1 || got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	hashed := pod("args:", "envFrom: [{configMapRef: {name: settings-5c4kmt6h2g}}], args:")
	if got := describe(run(t, config+"    envFrom: [{configMapRef: {name: settings}}]\n", hashed)[0]); got != "current" {
		t.Errorf("a pod with the hash of a generator is %s", got)
	}
	twice := strings.Replace(renamed("prod-", "prod-conf"), "volumes: [", "volumes: [{name: own, configMap: {name: conf}}, ", 1)
	if got := describe(run(t, referring, twice)[0]); !strings.HasPrefix(got, "stale spec.volumes[1].configMap.name") {
		t.Errorf("a pod that refers to both names is %s", got)
	}
}

func TestImagesOfMirrors(t *testing.T) {
	const digest = "@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	for _, c := range []struct {
		declared, live string
		state          audit.State
		isMirror       bool
	}{
		{"proxy:2.1", "docker.io/library/proxy:2.1", audit.Current, false},
		{"proxy:2.1", "index.docker.io/library/proxy:2.1", audit.Current, false},
		{"proxy:2.1", "mirror.corp/proxy:2.1", audit.Current, true},
		{"docker.io/library/proxy:2.1", "mirror.corp:5000/library/proxy:2.1", audit.Current, true},
		{"quay.io/a/proxy:2.1", "localhost/a/proxy:2.1", audit.Current, true},
		{"quay.io/a/proxy" + digest, "mirror.corp/a/proxy" + digest, audit.Current, true},
		{"quay.io/a/proxy:2.1" + digest, "mirror.corp/a/proxy" + digest, audit.Current, true},
		{"proxy:2.1", "mirror.corp/proxy:2.0", audit.Stale, false},
		{"proxy:2.1", "mirror.corp/other/proxy:2.1", audit.Stale, false},
		{"a/proxy:2.1", "registry.corp:5000/docker-hub/a/proxy:2.1", audit.Stale, false},
		{"quay.io/library/proxy:2.1", "mirror.corp/proxy:2.1", audit.Stale, false},
		{"quay.io/a/proxy:2.1", "quay.io/b/proxy:2.1", audit.Stale, false},
		{"quay.io/a/proxy:2.1" + digest, "mirror.corp/a/proxy:2.1", audit.Stale, false},
	} {
		rows := run(t, strings.Replace(config, "proxy:2.1", c.declared, 1), pod("proxy:2.1", c.live))
		isMirror := len(rows[0].Infos) == 1 && rows[0].Infos[0].Code == finding.ImageFromMirror
		if rows[0].State != c.state || isMirror != c.isMirror || len(rows[0].Infos) > 1 {
			t.Errorf("declared %s, live %s: %s %v", c.declared, c.live, rows[0].State, rows[0].Infos)
		}
	}
}

func TestResourcesThatWereChanged(t *testing.T) {
	const by = `annotations: {vpaUpdates: "Pod resources updated by web-vpa: `
	const vpa = by + `container 0: cpu request; container 1: cpu limit, cpu request"}`
	const others = by + `container 0: cpu limit; container 1: memory limit; container 7: cpu limit"}`
	const ranger = `annotations: {kubernetes.io/limit-ranger: "LimitRanger plugin set: ` +
		`memory request for init container a; memory, cpu limit for container proxy"}`
	const inPlace = `annotations: {vpaInPlaceUpdated: "true", vpaObservedContainers: `
	for name, c := range map[string]struct {
		annotations string
		state       audit.State
		info        string
	}{
		"by a VPA": {
			vpa, audit.Current, "resources.limits.cpu of container proxy is 250m, set by the vertical pod autoscaler web-vpa; declared is 0.1",
		},
		"another field":         {others, audit.Stale, ""},
		"a VPA, in place":       {inPlace + `"web, proxy"}`, audit.Current, "autoscaler of the pod"},
		"another one, in place": {inPlace + `"web"}`, audit.Stale, ""},
		"by a LimitRange":       {ranger, audit.Stale, "is 250m, set by a LimitRange because it was not declared"},
		"by hand":               {"annotations: {}", audit.Stale, ""},
		"odd annotations": {
			`annotations: {vpaUpdates: "Pod resources updated by a: container -1: cpu limit; : ;", ` +
				`kubernetes.io/limit-ranger: "LimitRanger plugin set: "}`, audit.Stale, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			row := run(t, config, pod("annotations: {}", c.annotations, "limits: {cpu: 100m}", "limits: {cpu: 250m}"))[0]
			text := ""
			for _, info := range row.Infos {
				text += info.Message
			}
			if row.State != c.state || !strings.Contains(text, c.info) || (text == "") != (c.info == "") {
				t.Errorf("%s: %s", row.State, text)
			}
		})
	}
}

// TestMovedTags audits pods that pulled one tag at different times.
func TestMovedTags(t *testing.T) {
	running := func(digest string) string {
		return pod("phase: Running",
			"phase: Running, containerStatuses: [{name: web, imageID: w@sha256:0}, {name: proxy, imageID: 'proxy@sha256:"+digest+"'}]")
	}
	const usual = "0123456789abcdef"
	const message = "the tag 2.1 of proxy has moved: container proxy runs sha256:ffff, and 2 other pods run sha256:0123456789ab"
	pinned := strings.ReplaceAll(running("eeee"), "proxy:2.1", "proxy@sha256:eeee")
	rows := run(t, config, running(usual), running("ffff"), running(usual), pod(), pinned)
	if len(rows[1].Infos) != 1 {
		t.Fatalf("got %v", rows[1].Infos)
	}
	for i, row := range rows {
		switch {
		case i != 1 && len(row.Infos) > 0:
			t.Errorf("row %d has %v", i, row.Infos)
		case i == 1 && (row.State != audit.Current || len(row.Infos) != 1 || row.Infos[0].Code != finding.ImageMoved):
			t.Fatalf("row %d is %s with %v", i, row.State, row.Infos)
		case i == 1 && row.Infos[0].Message != message:
			t.Errorf("row %d: %s", i, row.Infos[0].Message)
		}
	}
}
