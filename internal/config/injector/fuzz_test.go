package injector

import (
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// Whatever the config, Read must not panic, must say the same again, and must give
// either errors or injectors with bodies.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "null", "[]", "a: &a {b: *a}", "&a {<<: [*a, *a]}",
		with("selector: {matchLabels: {a: b}}\nnames: [a*]\nexpect: {min: 1}\n" +
			"rules: [{apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]"),
		sidecar("mode: Native\nresources: {limits: {cpu: 1}}\nports: [{containerPort: 80}]\nlivenessProbe: {httpGet: {port: http}}"),
		envoy("containers: [&a {name: a, image: b}, {<<: *a, name: b}]\nvolumes: [{name: v, ephemeral: {volumeClaimTemplate: {metadata: " +
			"{creationTimestamp: 2020-01-01}}}}]"),
		classicMap(classicEnvoy), classicMap("config: '# nothing'\nnames: '[a]'\nexpect: 'min: 0x10'"),
		sidecar("allowOverride: [image, resources.limits.cpu, tty]\nargs: [\"${workload.name}\", \"${pod.labels['app']:-a}\", \"$${b}\"]"),
		kruiseContainer("podInjectPolicy: AfterAppContainer\nvolumeMounts: [{name: a, mountPath: /a}]\nupgradeStrategy: {upgradeType: "+
			"HotUpgrade}") + indent("volumes: [{name: a}, {name: b}]"),
		alpha(kruiseWith("namespace: a\ninitContainers: [{name: z, image: a}, &a {name: b, image: a}]\ninjectionStrategy: {paused: " +
			"true}\nupdateStrategy: {partition: 10%}")),
		`{"apiVersion": "pillion.dev/v1alpha1", "kind": "SidecarInjector", "metadata": {"name": "a", "name": "b"}, "spec": {"names": ` +
			`["\u0041\x41\e"]}}`,
		"%TAG !e! tag:example.com,2000:\n---\n" + envoy("containers: [{name: !e!a a, name: !!str b, image: \"\\u00e9\\U0001F600\"}]"),
		"apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems: [{metadata: {name: a}, spec: {volumes: [{name: a}]}}, null, 5]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var config node.Node
		if read.Into([]byte(text), &config) != nil {
			return
		}
		injectors, findings := Read(&config)
		_, again := Read(&config)
		if said(findings) != said(again) {
			t.Errorf("first:\n%sthen:\n%s", said(findings), said(again))
		}
		if (len(injectors) == 0) != finding.HasError(findings) {
			t.Errorf("%d injectors, said:\n%s", len(injectors), said(findings))
		}
		subject := of(t, "annotations: {pillion.dev/envoy.image: a, pillion.dev/envoy.resources.limits.cpu: '1', pillion.dev/envoy.tty: "+
			"'true', pillion.dev/a.image: ''}")
		for _, in := range injectors {
			checkBodies(t, in)
			if made, met := forPod(in, subject); !finding.HasError(met) {
				checkBodies(t, made)
			}
		}
	})
}

func checkBodies(t *testing.T, in *Injector) {
	entries := append([]Entry(nil), in.Volumes...)
	entries = append(entries, in.ImagePullSecrets...)
	for _, c := range append(append([]Container(nil), in.Containers...), in.InitContainers...) {
		entries = append(entries, c.Entry)
	}
	if len(entries) == 0 {
		t.Error("an injector has no payload")
	}
	for _, entry := range entries {
		if entry.Name == "" || entry.Body == nil || entry.Body.Kind != node.MappingNode {
			t.Errorf("the entry %q has the body %+v", entry.Name, entry.Body)
		}
	}
}
