package apply_test

import (
	"testing"
)

func TestPodSpec(t *testing.T) {
	const web = "containers: [{name: web}]"
	checkAll(t, []rule{
		{
			claim:  "a field that the app does not set is set",
			app:    web,
			config: "podSpec: {hostname: x}",
			pod:    web + ", hostname: x",
			wants:  []string{"puts spec hostname"},
		},
		{
			claim:  "null is not set",
			app:    "hostname: , " + web,
			config: "podSpec: {hostname: x}",
			pod:    "hostname: x, " + web,
		},
		{
			claim:  "a field that the app sets stays, with a warning",
			app:    "hostname: y, " + web,
			config: "podSpec: {hostname: x}",
			wants:  []string{},
			finds: []string{
				"warning PodSpecConflict spec.hostname: hostname of the pod is y and stays so; " +
					"the injector wants \"x\" (spec.podSpec), " +
					"so the sidecar may not work; make them equal, or remove it from spec.podSpec",
			},
		},
		{
			claim:  "an equal one is no warning",
			app:    "hostname: x, " + web,
			config: "podSpec: {hostname: x}",
			wants:  []string{},
		},
		{
			claim:  "a mapping gets the fields that it does not have",
			app:    "securityContext: {runAsUser: 1}, " + web,
			config: "podSpec: {securityContext: {runAsUser: 2, fsGroup: 3}}",
			pod:    "securityContext: {runAsUser: 1, fsGroup: 3}, " + web,
			wants:  []string{"puts spec/securityContext fsGroup"},
			finds: []string{
				"warning PodSpecConflict spec.securityContext.runAsUser: is 1 and stays so; the injector wants 2",
			},
		},
		{
			claim:  "a mapping that means something as a whole is one value",
			app:    "securityContext: {seccompProfile: {type: RuntimeDefault}}, " + web,
			config: "podSpec: {securityContext: {seccompProfile: {type: Localhost, localhostProfile: p}}}",
			wants:  []string{},
			finds: []string{
				"warning PodSpecConflict spec.securityContext.seccompProfile: is {type: RuntimeDefault} and stays so",
			},
		},
		{
			claim:  "a list without keys gets the entries that it does not have",
			app:    "tolerations: [{key: a}], " + web,
			config: "podSpec: {tolerations: [{key: a}, {key: b}]}",
			pod:    "tolerations: [{key: a}, {key: b}], " + web,
		},
		{
			claim:  "an entry of the same key stays",
			app:    "dnsConfig: {options: [{name: ndots, value: '1'}]}, " + web,
			config: "podSpec: {dnsConfig: {options: [{name: ndots, value: '2'}, {name: debug}]}}",
			pod:    "dnsConfig: {options: [{name: ndots, value: 1}, {name: debug}]}, " + web,
			wants:  []string{"puts spec/dnsConfig/options debug"},
			finds:  []string{"warning PodSpecConflict spec.dnsConfig.options[0]: stays so"},
		},
		{
			claim:  "a host alias of the same address gets the names that it does not have",
			app:    "hostAliases: [{ip: 1.1.1.1, hostnames: [a]}], " + web,
			config: "podSpec: {hostAliases: [{ip: 1.1.1.1, hostnames: [a, b]}, {ip: 2.2.2.2, hostnames: [c]}]}",
			pod:    "hostAliases: [{ip: 1.1.1.1, hostnames: [a, b]}, {ip: 2.2.2.2, hostnames: [c]}], " + web,
		},
		{
			claim:  "what is a mapping there and a list here stays",
			app:    "tolerations: {key: a}, " + web,
			config: "podSpec: {tolerations: [{key: b}]}",
			finds:  []string{"warning PodSpecConflict spec.tolerations: is {key: a} and stays so"},
		},
		{
			claim:  "another name of a field counts as the field",
			app:    "serviceAccount: a, " + web,
			config: "podSpec: {serviceAccountName: b}",
			wants:  []string{},
			finds: []string{
				"warning PodSpecConflict spec.serviceAccount: serviceAccount of the pod, " +
					"which is another name of serviceAccountName, is",
			},
		},
		{
			claim:  "if the config has both names, the one decides that the app has",
			app:    "serviceAccount: a, " + web,
			config: "podSpec: {serviceAccount: b, serviceAccountName: b}",
			finds: []string{
				"warning PodSpecConflict spec.serviceAccount: of the pod is \"a\" and stays so; " +
					"the injector wants \"b\"",
			},
		},
		{
			claim:  "another name that is null does not count",
			app:    "serviceAccount: , " + web,
			config: "podSpec: {serviceAccountName: b}",
			pod:    "serviceAccount: , " + web + ", serviceAccountName: b",
		},
	})
}

func TestVolumes(t *testing.T) {
	const app = "containers: [{name: web}], volumes: [{name: a, emptyDir: {}}, {name: v, emptyDir: {}}]"
	const other = "volumes: [{name: v, hostPath: {path: /}}]"
	checkAll(t, []rule{
		{
			claim:  "a volume goes behind the app's",
			app:    app,
			config: "volumes: [{name: n, emptyDir: {}}]",
			pod: "containers: [{name: web}], volumes: [{name: a, emptyDir: {}}, {name: v, emptyDir: {}}, " +
				"{name: n, emptyDir: {}}]",
			wants: []string{"puts spec/volumes n"},
		},
		{
			claim:  "an equal one is the app's",
			app:    app,
			config: "volumes: [{name: v, emptyDir: {}}]",
			wants:  []string{"finds spec/volumes v"},
		},
		{
			claim:  "another one of its name is refused",
			app:    app,
			config: other,
			finds: []string{
				"error VolumeConflict spec.volumes[1]: volume \"v\" is already there and is different; " +
					"rename one of them, " +
					"or set spec.onConflict.volume to Keep or Replace",
			},
		},
		{
			claim:  "or stays",
			app:    app,
			config: other + ", onConflict: {volume: Keep}",
			finds: []string{
				"warning VolumeConflict spec.volumes[1]: volume \"v\" is {emptyDir: {}} and stays so; " +
					"the injector wants {hostPath: {path: /}} " +
					"(spec.onConflict.volume: Keep), so the sidecar may not work; make them equal, " +
					"rename the injector's, or set " +
					"spec.onConflict.volume to Replace",
			},
		},
		{
			claim:  "or is replaced where it is",
			app:    "containers: [{name: web}], volumes: [{name: v, emptyDir: {}}, {name: a, emptyDir: {}}]",
			config: other + ", onConflict: {volume: Replace}",
			pod:    "containers: [{name: web}], volumes: [{name: v, hostPath: {path: /}}, {name: a, emptyDir: {}}]",
			wants:  []string{"puts spec/volumes v"},
		},
		{
			claim: "a SidecarSet keeps the app's, and has no field for that",
			app:   app,
			config: sidecarSet("containers: [{name: web, image: w, volumeMounts: [{name: v, mountPath: /v}]}], " +
				"volumes: [{name: v, hostPath: {path: /}}]"),
			pod: "containers: [{name: web, image: w, volumeMounts: [{name: v, mountPath: /v}]}], " +
				"volumes: [{name: a, emptyDir: {}}, {name: v, emptyDir: {}}]",
			finds: []string{
				"warning VolumeConflict spec.volumes[1]: wants {hostPath: {path: /}}, so the sidecar may not work; " +
					"make them equal, " +
					"or rename the injector's",
			},
		},
		{
			claim:  "the name of a claim is refused",
			app:    app,
			config: "volumes: [{name: claim, emptyDir: {}}]",
			given:  hasClaim,
			finds: []string{
				"error VolumeConflict spec.volumeClaimTemplates: a volumeClaimTemplate is already called \"claim\"; " +
					"rename the injector's volume, or set spec.onConflict.volume to Keep to use the claim",
			},
		},
		{
			claim:  "a claim is not replaced",
			app:    app,
			config: "volumes: [{name: claim, emptyDir: {}}], onConflict: {volume: Replace}",
			given:  hasClaim,
			finds:  []string{"error VolumeConflict spec.volumeClaimTemplates: already called \"claim\""},
		},
		{
			claim:  "or the claim stays",
			app:    app,
			config: "volumes: [{name: claim, emptyDir: {}}], onConflict: {volume: Keep}",
			given:  hasClaim,
			finds: []string{
				"warning VolumeConflict spec.volumeClaimTemplates: wants {emptyDir: {}} (spec.onConflict.volume: " +
					"Keep), so",
			},
		},
		{
			claim: "with a SidecarSet it stays",
			app:   app,
			config: sidecarSet("containers: [{name: web, image: w, volumeMounts: [{name: claim, mountPath: /v}]}], " +
				"volumes: [{name: claim, emptyDir: {}}]"),
			given: hasClaim,
			pod: "containers: [{name: web, image: w, volumeMounts: [{name: claim, mountPath: /v}]}], " +
				"volumes: [{name: a, emptyDir: {}}, {name: v, emptyDir: {}}]",
			finds: []string{"warning VolumeConflict spec.volumeClaimTemplates: wants {emptyDir: {}}, so"},
		},
		{
			claim:  "a pull secret may have the name of a claim",
			app:    app,
			config: "imagePullSecrets: [{name: claim}]",
			given:  hasClaim,
			pod:    app + ", imagePullSecrets: [{name: claim}]",
			wants:  []string{"puts spec/imagePullSecrets claim"},
		},
		{
			claim:  "a pull secret that is there is not added",
			app:    "containers: [{name: web}], imagePullSecrets: [{name: s}]",
			config: "imagePullSecrets: [{name: s}, {name: t}]",
			pod:    "containers: [{name: web}], imagePullSecrets: [{name: s}, {name: t}]",
		},
	})
}

func hasClaim(pod *subject) { pod.ClaimTemplates = []string{"claim"} }
