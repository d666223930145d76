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
		"another prefix":  {renamed("prod-", "test-conf"), "current"},
		"part of a name":  {renamed("prod-", "test-config"), "stale spec.volumes[0].configMap.name test-config conf"},
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

// TestDefaultsOfPodSpec audits pods with the defaults of the API server, which an injection into a manifest does not
// see.
func TestDefaultsOfPodSpec(t *testing.T) {
	const declaring = config + `  podSpec:
    {terminationGracePeriodSeconds: 60, serviceAccountName: mesh, dnsPolicy: Default, enableServiceLinks: false,
     schedulerName: own, preemptionPolicy: Never, restartPolicy: Always}
`
	const live = `spec:
  terminationGracePeriodSeconds: 30
  serviceAccountName: default
  serviceAccount: default
  dnsPolicy: ClusterFirst
  enableServiceLinks: true
  schedulerName: default-scheduler
  preemptionPolicy: PreemptLowerPriority
  priority: 0
  restartPolicy: Always
`
	injected := strings.NewReplacer("30", "60", ": default\n", ": mesh\n", "ClusterFirst", "Default", "true", "false",
		"default-scheduler", "own", "PreemptLowerPriority", "Never").Replace(live)
	if got := describe(run(t, declaring, pod("spec:\n", injected))[0]); got != "current" {
		t.Errorf("an injected pod is %s", got)
	}
	got := describe(run(t, declaring, pod("spec:\n", live))[0])
	want := "stale spec.dnsPolicy ClusterFirst Default spec.enableServiceLinks true false spec.preemptionPolicy PreemptLowerPriority Never " +
		"spec.schedulerName default-scheduler own spec.serviceAccountName default mesh spec.terminationGracePeriodSeconds 30 60"
	if got != want {
		t.Errorf("a pod with defaults is\n%s, want\n%s", got, want)
	}
	only := strings.Split(config, "  containers:")[0] + "  podSpec: {dnsPolicy: Default, hostAliases: [{ip: 127.0.0.1, hostnames: [a]}]}\n"
	if got := run(t, only, pod("spec:\n", live))[0].State; got != audit.Missing {
		t.Errorf("a pod with nothing but defaults is %s", got)
	}
	own := strings.Replace(live, "terminationGracePeriodSeconds: 30", "terminationGracePeriodSeconds: 20", 1)
	if got := describe(run(t, config+"  podSpec: {terminationGracePeriodSeconds: 60}\n", pod("spec:\n", own))[0]); got != "current" {
		t.Errorf("a pod with a value of its own, which an injection keeps, is %s", got)
	}
}

// TestJoinedVariables audits variables to which others have joined something, too.
func TestJoinedVariables(t *testing.T) {
	joining := strings.Split(config, "  containers:")[0] +
		"  appContainers: [{containers: [web], env: [{name: OPTS, value: -a, join: ' '}]}]\n"
	const stamp = `annotations: {pillion.dev/injected-proxy: '1 c/web/env(OPTS:09WmUT&" ">-a) zt5NOJ'}`
	for env, want := range map[string]string{
		`{name: OPTS, value: -a}`:       "current",
		`{name: OPTS, value: "-a -b"}`:  "current",
		`{name: OPTS, value: "-b"}`:     "missing spec.containers[0].env[0].value",
		`{name: OTHER, value: "-a"}`:    "missing spec.containers[0].env[0]",
		`{name: OPTS, value: "-ab -b"}`: "missing spec.containers[0].env[0].value",
	} {
		for _, annotations := range []string{stamp, "annotations: {}"} {
			text := pod("annotations: {}", annotations, "image: \"web:1\"", "image: \"web:1\", env: ["+env+"]")
			if got := describe(run(t, joining, text)[0]); got != want {
				t.Errorf("%s, %.20s: got %s, want %s", env, annotations, got, want)
			}
		}
	}
}

// TestJoinedByTwo audits a variable to which an injector that no longer selects the pod has joined something.
func TestJoinedByTwo(t *testing.T) {
	const two = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- metadata: {name: a}
  spec: {selector: {matchLabels: {app: other}}, appContainers: [{containers: [web], env: [{name: OPTS, value: -a, join: ' '}]}]}
- metadata: {name: b}
  spec: {appContainers: [{containers: [web], env: [{name: OPTS, value: -b, join: ' '}]}]}
`
	const stamps = "annotations:\n" +
		`    pillion.dev/injected-a: '1 c/web/env(OPTS:09WmUT&" ">-a) zt5NOJ'` + "\n" +
		`    pillion.dev/injected-b: '1 c/web/env(OPTS:09WmUT&" ">-b) 1UScoc'`
	rows := run(t, two, pod("annotations: {}", stamps, "image: \"web:1\"", `image: "web:1", env: [{name: OPTS, value: "-a -b"}]`))
	if rows[0].State != audit.Unexpected || describe(rows[1]) != "current" {
		t.Errorf("got %s and %s", describe(rows[0]), describe(rows[1]))
	}
}

// TestModeOfSidecars audits pods with a plain sidecar that has become a native one in the config, and the other way
// round. It runs, so it is not missing.
func TestModeOfSidecars(t *testing.T) {
	native := strings.Replace(config, "    mode: Container\n", "", 1)
	nativePod := pod("  - {name: proxy", "  initContainers:\n  - {restartPolicy: Always, name: proxy")
	for _, test := range []struct{ claim, config, pod, want string }{
		{"plain instead of native", native, pod(), "stale spec.initContainers[0] is in containers instead {name: proxy, "},
		{"native instead of plain", config, nativePod, "stale spec.containers[1] is in initContainers instead {name: proxy, "},
		{"native", native, nativePod, "current"},
	} {
		if got := describe(run(t, test.config, test.pod)[0]); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %s", test.claim, got)
		}
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
	const inPlace = `annotations: {vpaInPlaceUpdated: "true", vpaObservedContainers: `
	for name, c := range map[string]struct {
		annotations string
		state       audit.State
		info        string
	}{
		"by a VPA": {
			vpa, audit.Current, "resources.limits.cpu of container proxy is 250m, set by the vertical pod autoscaler web-vpa; declared is 0.1",
		},
		"a VPA, and other containers then": {
			by + `container 0: cpu limit", vpaObservedContainers: "proxy, web"}`, audit.Current, "autoscaler web-vpa",
		},
		"a VPA, another container then": {by + `container 1: cpu limit", vpaObservedContainers: "proxy, web"}`, audit.Stale, ""},
		"another field":                 {others, audit.Stale, ""},
		"a VPA, in place":               {inPlace + `"web, proxy"}`, audit.Current, "autoscaler of the pod"},
		"another one, in place":         {inPlace + `"web"}`, audit.Stale, ""},
		"by hand":                       {"annotations: {}", audit.Stale, ""},
		"odd annotations": {
			`annotations: {vpaUpdates: "Pod resources updated by a: container -1: cpu limit; : ;"}`, audit.Stale, "",
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

// TestResourcesOfALimitRangeAreNoDifference audits a pod in which a LimitRange filled in what was not declared.
func TestResourcesOfALimitRangeAreNoDifference(t *testing.T) {
	const ranger = `annotations: {kubernetes.io/limit-ranger: "LimitRanger plugin set: memory limit for container proxy"}`
	row := run(t, config, pod("annotations: {}", ranger, "limits: {cpu: 100m}", "limits: {cpu: 100m, memory: 1Gi}"))[0]
	if row.State != audit.Current || len(row.Infos) > 0 {
		t.Errorf("%s: %v", row.State, row.Infos)
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

// TestTagsThatAreEquallyCommon claims that it does not depend on chance which pods get the info.
func TestTagsThatAreEquallyCommon(t *testing.T) {
	for range 20 { // the order of a map
		two, one := audit.Image{Name: "a:1", Digest: "sha256:2"}, audit.Image{Name: "a:1", Digest: "sha256:1"}
		rows := []audit.Row{{Images: []audit.Image{two}}, {Images: []audit.Image{one}}}
		audit.NoteMovedTags(rows)
		if len(rows[0].Infos) != 1 || len(rows[1].Infos) != 0 {
			t.Fatalf("got %v and %v, want an info about the greater digest", rows[0].Infos, rows[1].Infos)
		}
	}
}
