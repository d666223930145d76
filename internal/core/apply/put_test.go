package apply_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// TestPut runs plans on the app alone, and puts the result into a version with what other injectors put in.
func TestPut(t *testing.T) {
	for _, test := range []struct{ claim, app, seen, spec, want string }{
		{
			claim: "a container goes behind those of others",
			app:   "{spec: {containers: [{name: web}]}}",
			seen:  "{spec: {containers: [{name: web}, {name: other}]}}",
			spec:  "containers: [{name: logs, image: l, mode: Container}]",
			want:  "{spec: {containers: [{name: web}, {name: other}, {name: logs, image: l}]}}",
		},
		{
			claim: "one that goes behind the app's last comes before what others add at the end",
			app:   "{spec: {containers: [{name: web}]}}",
			seen:  "{spec: {containers: [{name: web}, {name: other}]}}",
			spec:  "containers: [{name: logs, image: l, mode: Container, after: web}]",
			want:  "{spec: {containers: [{name: web}, {name: logs, image: l}, {name: other}]}}",
		},
		{
			claim: "one goes next to another's",
			app:   "{spec: {containers: [{name: web}]}}",
			seen:  "{spec: {containers: [{name: web}, {name: other}, {name: third}]}}",
			spec:  "containers: [{name: logs, image: l, mode: Container, before: third}]",
			want:  "{spec: {containers: [{name: web}, {name: other}, {name: logs, image: l}, {name: third}]}}",
		},
		{
			claim: "an equal volume of another stays, and is not added twice",
			app:   "{spec: {containers: []}}",
			seen:  "{spec: {containers: [], volumes: [{name: v, emptyDir: {}}, {name: w, emptyDir: {}}]}}",
			spec:  "volumes: [{name: v, emptyDir: {}}]",
			want:  "{spec: {containers: [], volumes: [{name: v, emptyDir: {}}, {name: w, emptyDir: {}}]}}",
		},
		{
			claim: "a volume of the app is replaced where it is",
			app:   "{spec: {containers: [], volumes: [{name: v, emptyDir: {}}]}}",
			seen:  "{spec: {containers: [], volumes: [{name: o, emptyDir: {}}, {name: v, emptyDir: {}}]}}",
			spec:  "volumes: [{name: v, hostPath: {path: /}}], onConflict: {volume: Replace}",
			want:  "{spec: {containers: [], volumes: [{name: o, emptyDir: {}}, {name: v, hostPath: {path: /}}]}}",
		},
		{
			claim: "a mapping that another has added gets what is missing",
			app:   "{spec: {containers: []}}",
			seen:  "{spec: {containers: [], securityContext: {runAsUser: 1}}}",
			spec:  "podSpec: {securityContext: {fsGroup: 2}}",
			want:  "{spec: {containers: [], securityContext: {runAsUser: 1, fsGroup: 2}}}",
		},
		{
			claim: "so does a list, even if the app's is null",
			app:   "{spec: {containers: [], tolerations: }}",
			seen:  "{spec: {containers: [], tolerations: [{key: a}]}}",
			spec:  "podSpec: {tolerations: [{key: b}]}",
			want:  "{spec: {containers: [], tolerations: [{key: a}, {key: b}]}}",
		},
		{
			claim: "variables go in front of the app's, behind those of others",
			app:   "{spec: {containers: [{name: web, env: [{name: A, value: a}]}]}}",
			seen:  "{spec: {containers: [{name: web, env: [{name: O, value: o}, {name: A, value: a}, {name: P, value: p}]}]}}",
			spec:  "appContainers: [{env: [{name: N, value: n}]}]",
			want: "{spec: {containers: [{name: web, env: [{name: O, value: o}, {name: N, value: n}, {name: A, value: a}, " +
				"{name: P, value: p}]}]}}",
		},
		{
			claim: "a variable goes behind another's that it uses",
			app:   "{spec: {containers: [{name: web, env: [{name: A, value: a}]}]}}",
			seen:  "{spec: {containers: [{name: web, env: [{name: A, value: a}, {name: P, value: p}]}]}}",
			spec:  "appContainers: [{env: [{name: N, value: $(P)}]}]",
			want:  "{spec: {containers: [{name: web, env: [{name: A, value: a}, {name: P, value: p}, {name: N, value: $(P)}]}]}}",
		},
		{
			claim: "a value is joined beside another's part",
			app:   "{spec: {containers: [{name: web, env: [{name: J, value: app}]}]}}",
			seen:  "{spec: {containers: [{name: web, env: [{name: J, value: app other}]}]}}",
			spec:  "appContainers: [{env: [{name: J, value: mine, join: ' '}]}]",
			want:  "{spec: {containers: [{name: web, env: [{name: J, value: app other mine}]}]}}",
		},
		{
			claim: "one that uses a variable behind another's is refused",
			app:   "{spec: {containers: [{name: web, env: [{name: OPTS, value: x}]}]}}",
			seen:  "{spec: {containers: [{name: web, env: [{name: J, value: other}, {name: OPTS, value: x}]}]}}",
			spec:  "appContainers: [{env: [{name: J, value: $(OPTS), join: ' '}]}]",
			want:  "EnvConflict",
		},
		{
			claim: "labels are set in metadata that is not there",
			app:   "{spec: {containers: []}}",
			seen:  "{spec: {containers: []}}",
			spec:  "patchPodMetadata: [{labels: {a: b}}]",
			want:  "{metadata: {labels: {a: b}}, spec: {containers: []}}",
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			if got := put(t, test.app, test.seen, test.spec); got != test.want && !strings.Contains(got, test.want+": ") {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// put returns the version with what the injector wants, or the errors.
func put(t *testing.T, app, seen, spec string) string {
	t.Helper()
	const head = "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: x}, spec: {"
	in, problems := injector.Read(document(t, head+spec+"}}"))
	if finding.HasError(problems) {
		t.Fatalf("%s: %v", spec, problems)
	}
	before := document(t, seen)
	p := beside(document(t, app), before, stamp.Joined{
		Variable:  stamp.InSpec("containers", "web").Child("env").Child("J"),
		Separator: " ",
		Part:      joined.Part{Text: "other"},
	})
	findings := apply.Apply(p, in[0].Plan(), nil, nil)
	target := before
	if !finding.HasError(findings) {
		s := version.Difference(node.Fresh(p.Node), node.Fresh(before)).Stamp(stamp.Hashes{}, p.AppView, nil)
		run := inRun{file: before, others: []stamp.Owner{{Stamp: s}}}
		target, findings = run.write(p)
	}
	if err := finding.Err(findings); err != nil {
		return err.Error()
	}
	return flow(target)
}
