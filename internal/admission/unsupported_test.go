package admission_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/admission"
	"pillion.dev/pillion/internal/engine"
)

const beginning = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: log}
spec:
`

func export(t *testing.T, spec string, minor int) []finding.Finding {
	t.Helper()
	return exportOnly(t, spec, minor, true)
}

// exportOnly exports one of the policies: the mutating one, or the validating one.
func exportOnly(t *testing.T, spec string, minor int, mutate bool) []finding.Finding {
	t.Helper()
	if !strings.Contains(spec, "containers:") {
		spec += "\n  containers: [{name: log, image: 'log:1'}]"
	}
	return exportText(t, beginning+"  "+spec+"\n", minor, mutate)
}

func exportText(t *testing.T, text string, minor int, mutate bool) []finding.Finding {
	t.Helper()
	config, findings := engine.ReadConfig(engine.Source{File: "injector.yaml", Text: []byte(text)})
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	_, findings = admission.New(config.Injectors(), admission.Options{
		Minor: minor, Mutate: mutate, Validate: !mutate, Actions: []string{"Deny"}, FailurePolicy: "Fail",
	})
	return findings
}

func TestFieldsThatPoliciesCannotExpress(t *testing.T) {
	for field, spec := range map[string]string{
		"action":                          "action: Remove",
		"adopt":                           "adopt: true",
		"paused":                          "paused: true",
		"containers[0].mode":              "kubernetesVersion: '1.28'",
		"containers[0].before":            "containers: [{name: log, image: l, before: app}]",
		"containers[0].after":             "containers: [{name: log, image: l, after: app}]",
		"selectorScope":                   "selectorScope: Any",
		"rules":                           "rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]",
		"names":                           "names: [web]",
		"excludeNames":                    "excludeNames: [web]",
		"helmHooks":                       "helmHooks: Skip",
		"containers[0].allowOverride":     "containers: [{name: log, image: l, allowOverride: [image]}]",
		"initContainers[0].allowOverride": "initContainers: [{name: one, image: l, allowOverride: [resources.limits.cpu]}]",
		"containers[0].image":             "containers: [{name: log, image: '${workload.name}'}]",
		"podResources":                    "podResources: Share",
		"containers[0].resourcesPolicy":   "containers: [{name: log, image: l, resourcesPolicy: {resourcesExpr: {limits: {cpu: cpu}}}}]",
		"podSpec.securityContext.fsGroup": "podSpec: {securityContext: {fsGroup: 9223372036854775807}}",
		"podSpec.hostAliases":             "podSpec: {hostAliases: [" + many(101, "{ip: 10.0.0.%d, hostnames: [a]}") + "]}",
		"podSpec.nodeSelector.disk":       "podSpec: {nodeSelector: {disk: null}}",
		"patchPodMetadata[0].patchPolicy": "patchPodMetadata: [{annotations: {a: '{}'}, patchPolicy: MergePatchJson}]",
		"appContainers[0].volumeMounts[0].mountPath": "volumes: [{name: v, emptyDir: {}}]\n  appContainers: [{volumeMounts: " +
			"[{name: v, mountPath: /var/run/secrets/kubernetes.io/serviceaccount/}]}]",
		"podSpec.dnsPolicy":            "podSpec: {dnsPolicy: None}",
		"podSpec.priorityClassName":    "podSpec: {priorityClassName: high}",
		"podSpec.tolerations":          "podSpec: {tolerations: [{key: a}]}",
		"podSpec.resources":            "podSpec: {resources: {limits: {cpu: 1}}}",
		"podSpec.dnsConfig.options[0]": "podSpec: {dnsConfig: {options: [{value: a}]}}",
		"podSpec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]": "podSpec: {affinity: {podAffinity: " +
			"{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a, namespaces: []}]}}}",
		"onConflict.container":                  "onConflict: {container: Merge}",
		"containers[0].transferEnv":             "containers: [{name: log, image: l, transferEnv: [{sourceContainerName: app, envName: A}]}]",
		"initContainers[0].transferEnv":         "initContainers: [{name: one, image: l, transferEnv: [{sourceContainerName: app}]}]",
		"initContainers[1].after":               "initContainers: [{name: one, image: l}, {name: two, image: l, after: one}]",
		"containers[0].shareVolumePolicy":       "containers: [{name: log, image: l, shareVolumePolicy: {type: enabled}}]",
		"containers[0].shareVolumeDevicePolicy": "containers: [{name: log, image: l, shareVolumeDevicePolicy: {type: enabled}}]",
		"initContainers[0].restartPolicy":       "initContainers: [{name: one, image: l, restartPolicy: \"${pod.labels['p']}\"}]",
		"appContainers[0].env[1]":               "appContainers: [{env: [{name: A, value: a, join: ','}, {name: A, value: 'b,a', join: ','}]}]",
		"checks.podSecurity":                    "checks: {podSecurity: restricted}",
		"checks.requireDigest":                  "checks: {requireDigest: Error}",
		"checks.requireResources":               "checks: {requireResources: Error}",
		"expect":                                "expect: {min: 1}",
	} {
		t.Run(field, func(t *testing.T) {
			findings := export(t, spec, 36)
			if !isDocumented(field, spec) {
				t.Errorf("docs/how-to/admission.md does not list %s", field)
			}
			if len(findings) != 1 || findings[0].Code != finding.NotExportable || findings[0].Field.Path != "spec."+field {
				t.Errorf("%v, want one finding about spec.%s", findings, field)
			}
		})
	}
}

// TestEveryReasonOfATextIsReported checks that nobody follows one message only to find the next.
func TestEveryReasonOfATextIsReported(t *testing.T) {
	findings := export(t, "appContainers: [{env: [{name: A, value: '${workload.name}', join: ','}]}]", 36)
	if len(findings) != 2 || !strings.Contains(findings[0].Message, "use a label of the pod") ||
		!strings.Contains(findings[1].Message, "refer to that as $(NAME)") {
		t.Error(findings)
	}
}

// TestChecksThatThePayloadPassesInEveryPod exports checks that can refuse no pod, because the containers comply by their own fields.
func TestChecksThatThePayloadPassesInEveryPod(t *testing.T) {
	const (
		digest    = "l@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
		resources = "resources: {requests: {cpu: 1}, limits: {memory: 1Gi}}"
		context   = "runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}"
		secure    = "securityContext: {" + context + ", seccompProfile: {type: RuntimeDefault}}"
		good      = "{name: log, image: '" + digest + "', " + resources + ", " + secure
	)
	for name, c := range map[string]struct{ spec, refused string }{
		"all": {"containers: [" + good + "}]\n  volumes: [{name: v, emptyDir: {}}]", ""},
		"an init container": {"initContainers: [" + strings.Replace(good, "name: log", "name: init", 1) + "}]\n" +
			"  containers: [" + good + "}]", ""},
		"other variables":      {"containers: [" + good + ", args: ['${pod.labels[''a'']}']}]", ""},
		"other fields of pods": {"podSpec: {hostname: a}\n  containers: [" + good + "}]", ""},
		"a volume of the host": {"containers: [" + good + "}]\n  volumes: [{name: v, hostPath: {path: /a}}]", "podSecurity"},
		"a field of the pod":   {"podSpec: {securityContext: {runAsNonRoot: true}}\n  containers: [" + good + "}]", "podSecurity"},
		"an annotation": {"patchPodMetadata: [{annotations: {container.apparmor.security.beta.kubernetes.io/app: unconfined}}]\n" +
			"  containers: [" + good + "}]", "podSecurity"},
		"no field of its own": {
			"containers: [{name: log, image: '" + digest + "', " + resources + ", securityContext: {" + context + "}}]", "podSecurity",
		},
		"a variable of the profile": {"containers: [" + strings.Replace(good, "RuntimeDefault", "\"${pod.labels['p']}\"", 1) +
			"}]", "podSecurity"},
		"no resources":           {"containers: [{name: log, image: '" + digest + "', " + secure + "}]", "requireResources"},
		"a tag":                  {"containers: [" + strings.Replace(good, digest, "l:1", 1) + "}]", "requireDigest"},
		"a variable in an image": {"containers: [" + strings.Replace(good, digest, "${pod.labels[''i'']}", 1) + "}]", "requireDigest"},
	} {
		t.Run(name, func(t *testing.T) {
			findings := export(t, "checks: {podSecurity: restricted, requireResources: Error, requireDigest: Error}\n  "+c.spec, 36)
			if c.refused == "" && len(findings) == 0 {
				return
			}
			if len(findings) != 1 || c.refused == "" || findings[0].Field.Path != "spec.checks."+c.refused {
				t.Errorf("%v, want one finding about %q", findings, c.refused)
			}
		})
	}
}

func TestChecksThatWarnAreLeftOut(t *testing.T) {
	if findings := export(t, "checks: {requireResources: Warn, requireDigest: Warn}", 36); len(findings) > 0 {
		t.Error(findings)
	}
}

func TestFieldsThatTheClusterDoesNotHave(t *testing.T) {
	rule := "restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [1]}}]"
	for field, c := range map[string]struct {
		spec  string
		since int
	}{
		"initContainers[0].restartPolicyRules": {"initContainers: [{name: init, image: l, restartPolicy: Never, " + rule + "}]", 34},
		"containers[0].lifecycle.stopSignal":   {"containers: [{name: log, image: l, lifecycle: {stopSignal: SIGUSR1}}]", 33},
		"volumes[0].image":                     {"volumes: [{name: data, image: {reference: 'data:1'}}]", 31},
		"containers[0].zebra":                  {"kubernetesVersion: '1.99'\n  containers: [{name: log, image: l, zebra: 1}]", 38},
		"podSpec.schedulingGroup":              {"podSpec: {schedulingGroup: {podGroupName: a}}", 36},
		"podSpec.hostnameOverride":             {"podSpec: {hostnameOverride: a}", 34},
		"volumes[0].projected.sources[0].podCertificate.userAnnotations": {"volumes: [{name: data, projected: {sources: [{podCertificate: " +
			"{signerName: a/b, keyType: ED25519, userAnnotations: {a: b}}}]}}]", 35},
		"appContainers[0].env[0].valueFrom.fileKeyRef": {
			"appContainers: [{env: [{name: A, valueFrom: {fileKeyRef: {volumeName: data, path: a, key: b}}}]}]", 34,
		},
	} {
		t.Run(field, func(t *testing.T) {
			findings := exportOnly(t, c.spec, c.since-1, false)
			if len(findings) != 1 || findings[0].Code != finding.NotExportable || findings[0].Field.Path != "spec."+field ||
				!strings.Contains(findings[0].Message, fmt.Sprintf("needs at least 1.%d", c.since)) {
				t.Errorf("%v, want one finding about spec.%s for 1.%d", findings, field, c.since-1)
			}
			if findings := exportOnly(t, c.spec, c.since, false); len(findings) > 0 {
				t.Errorf("%v for 1.%d", findings, c.since)
			}
		})
	}
}

// TestFieldsOfSeveralInjectors exports two injectors. Pillion refuses pods in which they want different things.
func TestFieldsOfSeveralInjectors(t *testing.T) {
	const requires = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
	long := strings.Repeat("a", 300)
	for name, c := range map[string]struct {
		first, second string
		isRefused     bool
	}{
		"another hostname":         {"hostname: a", "hostname: b", true},
		"long texts":               {"nodeSelector: {a: " + long + "1}", "nodeSelector: {a: " + long + "2}", true},
		"a key of a list":          {"hostAliases: [{ip: 10.0.0.1}]", "hostAliases: [{ip: 10.0.0.1, hostnames: [a]}]", true},
		"the same entry":           {"hostAliases: [{ip: 10.0.0.1}]", "hostAliases: [{ip: 10.0.0.2}, {ip: 10.0.0.1}]", false},
		"lists of different texts": {"dnsConfig: {searches: [a, b]}", "dnsConfig: {searches: [b, c]}", false},
		"another required affinity": {
			requires + "[{matchExpressions: [{key: a, operator: Exists}]}]}}}",
			requires + "[{matchExpressions: [{key: b, operator: Exists}]}]}}}", true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			config, findings := engine.ReadConfig(engine.Source{Text: []byte(fmt.Sprintf("apiVersion: pillion.dev/v1alpha1\n"+
				"kind: SidecarInjectorList\nitems:\n- {metadata: {name: a}, spec: {podSpec: {%s}}}\n- {metadata: {name: b}, spec: {podSpec: {%s}}}\n",
				c.first, c.second))})
			if finding.HasError(findings) {
				t.Fatal(findings)
			}
			_, findings = admission.New(config.Injectors(), admission.Options{Minor: 36, Mutate: true, FailurePolicy: "Fail"})
			if isRefused := len(findings) > 0; isRefused != c.isRefused {
				t.Errorf("%v", findings)
			}
		})
	}
}

func TestVariablesThatMayRepeatAnEntry(t *testing.T) {
	for spec, field := range map[string]string{
		"podSpec: {hostAliases: [{ip: '${pod.labels['ip']}'}, {ip: 10.0.0.1}]}":                       "podSpec.hostAliases[0]",
		"podSpec: {hostAliases: [{ip: 10.0.0.1, hostnames: [a, '${pod.labels['a']}']}]}":              "podSpec.hostAliases[0].hostnames[1]",
		"podSpec: {dnsConfig: {options: [{name: a, value: '${pod.labels['a']}'}, {name: b}]}}":        "",
		"podSpec: {hostAliases: [{ip: '${pod.labels['ip']}', hostnames: ['${pod.labels['name']}']}]}": "",
	} {
		found := ""
		for _, f := range export(t, strings.ReplaceAll(strings.ReplaceAll(spec, "'$", `"$`), "}'", `}"`), 36) {
			if strings.Contains(f.Message, "may make it the same") {
				found = strings.TrimPrefix(f.Field.Path, "spec.")
			}
		}
		if found != field {
			t.Errorf("%s: %q, want %q", spec, found, field)
		}
	}
}

func TestNoInjectorsNoPolicies(t *testing.T) {
	policies, findings := admission.New(nil, admission.Options{Minor: 36, Mutate: true, Validate: true, FailurePolicy: "Fail"})
	if text := string(policies.YAML()); len(findings) > 0 || strings.Contains(text, "kind:") {
		t.Errorf("%v, %s", findings, text)
	}
}

func TestFieldsThatPoliciesExpress(t *testing.T) {
	for _, spec := range []string{
		"", "rules: [{apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]", "policy: disabled", "jobs: Error",
		"podSpec: {hostAliases: [{ip: 10.0.0.1, hostnames: [a]}], dnsConfig: {searches: [a]}, nodeSelector: {in: a}}",
		"podSpec: {runtimeClassName: kata, securityContext: {fsGroup: 1}}", "containers: [{name: log, image: '$${HOME}'}]",
		"onConflict: {volume: Keep, port: Keep}", "onConflict: {volume: Replace}",
	} {
		if findings := export(t, spec, 36); len(findings) > 0 {
			t.Errorf("%s: %v", spec, findings)
		}
	}
}

func TestInjectorsThatReplaceTheSameDifferently(t *testing.T) {
	const list = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- metadata: {name: one}
  spec:
    onConflict: {volume: Replace}
    containers: [{name: log, image: "log:1"}]
    volumes: [{name: logs, emptyDir: {}}]
- metadata: {name: two}
  spec:
    onConflict: {volume: POLICY}
    containers: [{name: log, image: "log:1"}]
    volumes: [{name: logs, emptyDir: {MEDIUM}}]
`
	for _, c := range []struct {
		policy, medium string
		want           []string
	}{
		{"Replace", "", nil},
		{"Replace", "medium: Memory", []string{"items[1].spec.onConflict.volume"}},
		{"Keep", "", []string{"items[1].spec.onConflict.volume"}},
	} {
		var fields []string
		for _, f := range exportText(t, strings.NewReplacer("POLICY", c.policy, "MEDIUM", c.medium).Replace(list), 36, true) {
			fields = append(fields, f.Field.Path)
		}
		if !slices.Equal(fields, c.want) {
			t.Errorf("%s, %s: findings about %v, want %v", c.policy, c.medium, fields, c.want)
		}
	}
}

func TestInjectorsThatKeepWhatAnotherDeclares(t *testing.T) {
	const list = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- metadata: {name: one}
  spec: {onConflict: {volume: FIRST}, volumes: [{name: logs, emptyDir: {}}]}
- metadata: {name: two}
  spec: {onConflict: {volume: SECOND}, volumes: [{name: logs, emptyDir: {MEDIUM}}]}
`
	for _, c := range []struct {
		first, second, medium string
		isRefused             bool
	}{
		{"Error", "Keep", "medium: Memory", true},
		{"Keep", "Keep", "medium: Memory", true},
		{"Keep", "Keep", "", false},
		{"Keep", "Error", "medium: Memory", false}, // the validating policy denies it
	} {
		text := strings.NewReplacer("FIRST", c.first, "SECOND", c.second, "MEDIUM", c.medium).Replace(list)
		findings := exportText(t, text, 36, true)
		if isRefused := len(findings) == 1 && findings[0].Field.Path == "items[1].spec.onConflict.volume"; isRefused != c.isRefused {
			t.Errorf("%+v: %v", c, findings)
		}
	}
}

func TestDefaultContainerBesideSidecars(t *testing.T) {
	const (
		begin    = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n"
		sidecar  = `- {metadata: {name: one}, spec: {containers: [{name: log, image: "log:1"}]}}` + "\n"
		metadata = "- {metadata: {name: two}, spec: {patchPodMetadata: [{annotations: {kubectl.kubernetes.io/default-container: web}}]}}\n"
	)
	if findings := exportText(t, begin+metadata, 36, true); len(findings) > 0 {
		t.Errorf("without sidecars: %v", findings)
	}
	for _, items := range []string{metadata + sidecar, sidecar + metadata} {
		if findings := exportText(t, begin+items, 36, true); len(findings) != 1 {
			t.Errorf("%v, want one finding of\n%s", findings, items)
		}
	}
}

// TestPoliciesThatWouldBeEmpty checks that there is no policy without mutations or validations, which the API server refuses.
func TestPoliciesThatWouldBeEmpty(t *testing.T) {
	for _, c := range []struct {
		spec             string
		mutate, validate bool // can be exported
	}{
		{"podSpec: {hostname: null}", false, false},
		{"podSpec: {hostAliases: []}", false, false},
		{"patchPodMetadata: [{labels: {a: null}}]", false, false},
		{"podSpec: {hostNetwork: false}", true, false},
		{"podSpec: {shareProcessNamespace: false}", true, true},
	} {
		for mutate, want := range map[bool]bool{true: c.mutate, false: c.validate} {
			findings := exportText(t, beginning+"  "+c.spec+"\n", 36, mutate)
			if (len(findings) == 0) != want {
				t.Errorf("%s (mutate: %v): %v", c.spec, mutate, findings)
			}
		}
	}
}
