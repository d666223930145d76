package policy

import (
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// textRule is a rule of the text of a policy, with an example. The config is the spec of an injector called x.
type textRule struct {
	claim, config string
	part          string // as partsOf names it
	want          string // nothing if there is no such part
}

func checkRules(t *testing.T, rules []textRule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.claim, func(t *testing.T) {
			all := partsOf(t, export(t, inject(r.config), options))
			if got := all[r.part]; got != r.want {
				t.Errorf("got\n%s\nwant\n%s\nof %q", got, r.want, all)
			}
		})
	}
}

func inject(spec string) string {
	return "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: x}, spec: {" + spec + "}}"
}

// partsOf returns the parts of exported policies, each on one line. They are in the mutating policy, except for those
// that begin with "check": the comment of a block, "create" for the first one, "condition NAME", "variable NAME",
// "labels" and "namespaces" for the selectors, and "check MESSAGE" for a validation, without what all messages have.
func partsOf(t *testing.T, text string) map[string]string {
	t.Helper()
	parts := map[string]string{}
	for document := range strings.SplitSeq(text, "\n---\n") {
		var read node.Node
		if err := yamlread.Into([]byte(document), &read); err != nil {
			t.Fatal(err)
		}
		spec := node.Get(read.Content[0], "spec")
		for _, v := range node.List(spec, "validations") {
			message, _, _ := strings.Cut(strings.TrimPrefix(node.Text(v, "message"), "Outdated: "), ", declared by")
			parts["check "+message] = oneSpace(node.Text(v, "expression"))
		}
		prefix := ""
		if node.Text(read.Content[0], "kind") == "ValidatingAdmissionPolicy" {
			prefix = "check "
		}
		for _, c := range node.List(spec, "matchConditions") {
			parts[prefix+"condition "+node.Text(c, "name")] = oneSpace(node.Text(c, "expression"))
		}
		for _, v := range node.List(spec, "variables") {
			parts[prefix+"variable "+node.Text(v, "name")] = oneSpace(node.Text(v, "expression"))
		}
		for _, m := range node.List(spec, "mutations") {
			for block := range strings.SplitSeq("\n"+node.Text(m, "jsonPatch", "expression"), "\n// ") {
				comment, expression, _ := strings.Cut(block, "\n")
				parts[comment] = strings.TrimSuffix(oneSpace(expression), " +")
			}
			parts["create"] = parts["lists and mappings that the pod may lack"]
		}
		for name, field := range map[string]string{"labels": "objectSelector", "namespaces": "namespaceSelector"} {
			if selector := node.Get(spec, "matchConstraints", field); selector != nil && prefix == "" {
				parts[name] = node.Brief(selector)
			}
		}
	}
	return parts
}

// oneSpace returns an expression on one line.
func oneSpace(text string) string {
	return strings.NewReplacer("{ ", "{", "[ ", "[", "( ", "(").Replace(strings.Join(strings.Fields(text), " "))
}

const (
	volume  = "volumes: [{name: v, emptyDir: {}}]"
	sidecar = "containers: [{name: a, image: i, mode: Container}]"
)

// TestWho has the rules about which pods a policy is for.
func TestWho(t *testing.T) {
	const (
		marker = `[object.metadata.?annotations[?"pillion.dev/inject"], ` +
			`object.metadata.?labels[?"pillion.dev/inject"]]`
		isForIt = marker + `.all(m, m.orValue("true").trim().lowerAscii() == "true" || ` +
			`m.orValue("").split(",").exists(v, v.trim() == "x"))`
		name = "{matchExpressions: [{key: kubernetes.io/metadata.name, operator: "
	)
	checkRules(t, []textRule{
		{
			"a static pod is left alone", volume, "condition not-a-static-pod",
			`!("kubernetes.io/config.mirror" in object.metadata.?annotations.orValue({}))`,
		},
		{"a pod can opt out by its marker", volume, "condition not-opted-out", isForIt},
		{
			"with policy Disabled it must opt in", volume + ", policy: Disabled", "condition opted-in",
			marker + ".exists(m, m.hasValue()) && " + isForIt,
		},
		{"then opting out is no condition of its own", volume + ", policy: Disabled", "condition not-opted-out", ""},
		{
			"the selector is the API server's",
			volume + ", selector: {matchLabels: {tier: web}, matchExpressions: [{key: k, operator: Exists}]}",
			"labels", "{matchLabels: {tier: web}, matchExpressions: [{key: k, operator: Exists}]}",
		},
		{
			"labels that must not match are the opposite of a selector", volume + ", neverInjectSelector: " +
				"[{matchLabels: {never: web}}]",
			"labels", "{matchExpressions: [{key: never, operator: NotIn, values: [web]}]}",
		},
		{
			"a label that must not be there is the opposite as well",
			volume + ", neverInjectSelector: [{matchExpressions: [{key: k, operator: Exists}]}]",
			"labels", "{matchExpressions: [{key: k, operator: DoesNotExist}]}",
		},
		{
			"several labels that must not match together are a condition", volume + ", neverInjectSelector: " +
				"[{matchLabels: {a: b, c: d}}]",
			"condition not-never-inject-1",
			`!("a" in object.metadata.?labels.orValue({}) && object.metadata.?labels.orValue({})["a"] in ["b"] && ` +
				`"c" in object.metadata.?labels.orValue({}) && object.metadata.?labels.orValue({})["c"] in ["d"])`,
		},
		{
			"Kubernetes' own namespaces are left alone", volume,
			"namespaces", name + "NotIn, values: [kube-system, kube-public, kube-node-lease]}]}",
		},
		{
			"namespaces that are included by name are a selector", volume + ", namespaces: {include: [a, b]}",
			"namespaces", name + "In, values: [a, b]}]}",
		},
		{
			"one that is included by name may be Kubernetes' own", volume + ", namespaces: {include: " +
				"[kube-system, 'a*']}",
			"namespaces", name + "NotIn, values: [kube-public, kube-node-lease]}]}",
		},
		{
			"patterns of namespaces are a condition", volume + ", namespaces: {include: [a, 'b-*?']}",
			"condition in-a-namespace", `(request.namespace == "a" || request.namespace.matches("^b-.*.$"))`,
		},
		{
			"namespaces that are excluded by name are left out of the selector", volume + ", namespaces: " +
				"{exclude: [a]}",
			"namespaces", name + "NotIn, values: [kube-system, kube-public, kube-node-lease, a]}]}",
		},
		{
			"patterns that are excluded are a condition", volume + ", namespaces: {exclude: ['?z']}",
			"condition not-in-a-namespace", `!(request.namespace.matches("^.z$"))`,
		},
		{"all namespaces are no condition", volume + ", namespaces: {include: ['*']}", "condition in-a-namespace", ""},
		{
			"pods on the host's network are left alone", volume + ", hostNetwork: Skip",
			"condition not-on-the-host-network", "!object.spec.?hostNetwork.orValue(false)",
		},
		{
			"so are pods that end", volume + ", jobs: Skip",
			"condition not-meant-to-finish", `object.spec.?restartPolicy.orValue("Always") == "Always"`,
		},
		{
			"so are those without the value of a variable", "containers: [{name: a, image: \"${pod.labels['tier']}\"}]",
			"condition has-value-1", `"tier" in object.metadata.?labels.orValue({})`,
		},
		{
			"a default is a value", "containers: [{name: a, image: \"${pod.labels['tier']:-i}\"}]",
			"condition has-value-1", "",
		},
	})
}

// TestMutations has the rules about what a new pod gets.
func TestMutations(t *testing.T) {
	const front = "containers: [{name: a, image: i, mode: Container, podInjectPolicy: BeforeAppContainer}, " +
		"{name: b, image: i, mode: Container, podInjectPolicy: BeforeAppContainer}]"
	add := func(path, value string) string {
		return `JSONPatch{op: "add", path: ` + path + ", value: " + value + "}"
	}
	unless := func(condition, patch string) string { return "(" + condition + " ? [] : [" + patch + "])" }
	a := `Object.spec.containers{name: "a", image: "i"}`
	beside := func(neighbour string) string {
		return "containers: [{name: a, image: i, mode: Container, " + neighbour + ": web}]"
	}
	checkRules(t, []textRule{
		{
			"a list that the pod may lack is created first", volume,
			"create", unless("has(object.spec.volumes)", add(`"/spec/volumes"`, "[]")),
		},
		{
			"a volume is added unless there is one of its name", volume, "volume v",
			unless(`"v" in variables.volumes`, add(`"/spec/volumes/-"`, `Object.spec.volumes{name: "v", emptyDir: `+
				`Object.spec.volumes.emptyDir{}}`)),
		},
		{
			"so is a pull secret", "imagePullSecrets: [{name: s}]", "imagePullSecret s",
			unless(`object.spec.?imagePullSecrets.orValue([]).exists(s, s.name == "s")`,
				add(`"/spec/imagePullSecrets/-"`, `Object.spec.imagePullSecrets{name: "s"}`)),
		},
		{
			"a field of the pod spec is set unless it is", "podSpec: {hostname: h}", "spec.hostname, unless it is set",
			unless("object.spec.?hostname.hasValue()", add(`"/spec/hostname"`, `"h"`)),
		},
		{
			"of a mapping, each field is", "podSpec: {securityContext: {fsGroup: 1}}",
			"spec.securityContext.fsGroup, unless it is set",
			unless("object.spec.?securityContext.?fsGroup.hasValue()", add(`"/spec/securityContext/fsGroup"`, "1")),
		},
		{
			"a mapping that means something as a whole is one value",
			"podSpec: {securityContext: {seccompProfile: {type: " +
				"RuntimeDefault}}}", "spec.securityContext.seccompProfile, unless it is set",
			unless("object.spec.?securityContext.?seccompProfile.hasValue()",
				add(`"/spec/securityContext/seccompProfile"`,
					`Object.spec.securityContext.seccompProfile{type: "RuntimeDefault"}`)),
		},
		{
			"a label is set unless it is", "patchPodMetadata: [{labels: {a/b: c}}]", "label a/b",
			unless(`"a/b" in object.metadata.?labels.orValue({})`, add(`"/metadata/labels/a~1b"`, `"c"`)),
		},
		{
			"Overwrite sets it in any case", "patchPodMetadata: [{annotations: {c: d}, patchPolicy: Overwrite}]",
			"annotation c",
			"[" + add(`"/metadata/annotations/c"`, `"d"`) + "]",
		},
		{
			"a container is added at the end, unless any list has its name", sidecar, "container a",
			unless(`"a" in variables.names`, add(`"/spec/containers/-"`, a)),
		},
		{
			"names are those of all containers", sidecar, "variable names",
			"object.spec.containers.map(c, c.name) + object.spec.?initContainers.orValue([]).map(c, c.name)",
		},
		{
			"one that goes in front is the first", front, "container a",
			unless(`"a" in variables.names`, add(`"/spec/containers/0"`, a)),
		},
		{
			"the next goes behind it, if it is there", front, "container b",
			unless(`"b" in variables.names`, add(`"/spec/containers/" + string(variables.containers.indexOf("a") + 1)`,
				`Object.spec.containers{name: "b", image: "i"}`)),
		},
		{
			"then the app's first container stays that of kubectl", front,
			"the app's first container stays that of kubectl logs and exec",
			unless(`["kubectl.kubernetes.io/default-container", `+
				`"kubectl.kubernetes.io/default-logs-container"].exists(k, k in `+
				`object.metadata.?annotations.orValue({})) || size(variables.apps) == 0 || "a" in variables.names || `+
				`"b" in variables.names`,
				add(`"/metadata/annotations/kubectl.kubernetes.io~1default-container"`, "variables.apps[0].c.name")),
		},
		{"at the end it does anyhow", sidecar, "the app's first container stays that of kubectl logs and exec", ""},
		{
			"one before another takes its place, or the end", beside("before"), "container a",
			unless(`"a" in variables.names`, add(
				`"/spec/containers/" + ("web" in variables.containers ? `+
					`string(variables.containers.indexOf("web")) : "-")`, a)),
		},
		{
			"one after another takes the next", beside("after"), "container a",
			unless(`"a" in variables.names`, add(
				`"/spec/containers/" + ("web" in variables.containers ? string(variables.containers.indexOf("web") + `+
					`1) : "-")`, a)),
		},
		{
			"a native sidecar is an init container in front", "containers: [{name: a, image: i}]", "native sidecar a",
			unless(`"a" in variables.names`, add(`"/spec/initContainers/0"`,
				`Object.spec.initContainers{name: "a", image: "i", restartPolicy: "Always"}`)),
		},
		{
			"an init container goes to the end", "initContainers: [{name: a, image: i}]", "init container a",
			unless(`"a" in variables.names`, add(`"/spec/initContainers/-"`, `Object.spec.initContainers{name: "a", `+
				`image: "i"}`)),
		},
	})
}

// TestMutationsOfTheApp has the rules about what the app's containers get.
func TestMutationsOfTheApp(t *testing.T) {
	app := func(fields string) string { return "appContainers: [{" + fields + "}]" }
	add := func(path, value string) string {
		return `JSONPatch{op: "add", path: a.at + ` + path + ", value: " + value + "})"
	}
	env := func(name, value string) string {
		return `Object.spec.containers.env{name: "` + name + `", value: "` + value + `"}`
	}
	const mount = `Object.spec.containers.volumeMounts{name: "v", mountPath: "/v"}`
	const isMounted = `a.c.?volumeMounts.orValue([]).exists(e, e.mountPath in ["/v", "/v/"])`
	checkRules(t, []textRule{
		{
			"a list that a container may lack is created first", app("env: [{name: A, value: a}]"), "create",
			`variables.apps.map(a, !has(a.c.env), ` + add(`"/env"`, "[]"),
		},
		{
			"a variable goes in front, unless there is one of its name", app("env: [{name: A, value: a}]"),
			"env variable A of the app's containers, in front",
			`variables.apps.map(a, !("A" in a.env), ` + add(`"/env/0"`, env("A", "a")),
		},
		{
			"or behind the app's", app("envPosition: Append, env: [{name: A, value: a}]"),
			"env variable A of the app's containers",
			`variables.apps.map(a, !("A" in a.env), ` + add(`"/env/-"`, env("A", "a")),
		},
		{
			"one that uses others goes behind the last of them", app("env: [{name: A, value: $(B)$(C)}]"),
			"env variable A of the app's containers, in front",
			`variables.apps.map(a, !("A" in a.env), ` + add(`"/env/" + string(["B", "C"].map(u, `+
				`a.env.indexOf(u)).max() + 1)`, env("A", "$(B)$(C)")),
		},
		{
			"Replace replaces the last of its name", app("env: [{name: A, value: a}]") + ", onConflict: {env: Replace}",
			"env variable A of the app's containers, in place of the app's",
			`variables.apps.map(a, "A" in a.env, JSONPatch{op: "replace", path: a.at + "/env/" + ` +
				`string(a.env.lastIndexOf("A")), value: ` +
				env("A", "a") + "})",
		},
		{"Keep replaces nothing", app("env: [{name: A, value: a}]"), "env variable A of the app's containers, " +
			"in place of the app's", ""},
		{
			"a value is joined to one that has it not, unless it is known later or set twice",
			app("env: [{name: J, value: j, join: ':'}]"),
			`env variable J of the app's containers, joined by ":"`,
			`variables.apps.map(a, a.c.?env.orValue([]).filter(e, e.name == "J").map(e, ` +
				`has(e.valueFrom)) == [false], ` +
				add(`"/env/" + string(a.env.indexOf("J")) + "/value"`,
					`a.c.env.filter(e, e.name == "J").map(e, e.?value.orValue("")).map(v, ([v].filter(p, p != "") + `+
						`["j"].filter(p, !(":" + v + ":").contains(":" + p + ":"))).join(":"))[0]`),
		},
		{
			"a mount is added unless its path is taken, with or without a slash at its end",
			app("volumeMounts: [{name: v, mountPath: /v}]"),
			"mount /v of the app's containers",
			"variables.apps.map(a, !" + isMounted + ", " + add(`"/volumeMounts/-"`, mount),
		},
		{
			"Replace replaces it where it is", app("volumeMounts: [{name: v, "+
				"mountPath: /v}]") + ", onConflict: {mountPath: Replace}",
			"mount /v of the app's containers, in place of the app's",
			"variables.apps.map(a, " + isMounted + `, JSONPatch{op: "replace", path: a.at + "/volumeMounts/" + ` +
				`string(a.c.volumeMounts.map(e, e.mountPath in ["/v", "/v/"]).indexOf(true)), value: ` + mount + "})",
		},
		{
			"a source of variables is told by its kind, name and prefix",
			app("envFrom: [{prefix: P_, secretRef: {name: s}}]"),
			"envFrom source secretRef s P_ of the app's containers",
			`variables.apps.map(a, !a.c.?envFrom.orValue([]).exists(e, e.?secretRef.name.orValue("") == "s" && ` +
				`e.?prefix.orValue("") == "P_"), ` +
				add(`"/envFrom/-"`, `Object.spec.containers.envFrom{prefix: "P_", secretRef: `+
					`Object.spec.containers.envFrom.secretRef{name: "s"}}`),
		},
		{
			"only containers that are named get it", app("containers: [web, db], env: [{name: A, value: a}]"),
			"env variable A of the app's containers, in front",
			`variables.apps.map(a, a.c.name in ["web", "db"] && !("A" in a.env), ` + add(`"/env/0"`, env("A", "a")),
		},
		{
			"init containers get it if they are included", app("includeInit: true, env: [{name: A, value: a}]"),
			"env variable A of the app's containers, in front",
			`(variables.apps + variables.appInits).map(a, !("A" in a.env), ` + add(`"/env/0"`, env("A", "a")),
		},
		{
			"containers of injectors and well-known webhooks are not the app's", app("env: [{name: A, "+
				"value: a}]") + ", " + sidecar,
			"variable injected",
			`["a", "istio-proxy", "istio-init", "istio-validation", "linkerd-proxy", "linkerd-init", ` +
				`"linkerd-network-validator", "daprd", "vault-agent", "vault-agent-init"]`,
		},
		{
			"one that is named is the app's", app("containers: [daprd, istio-proxy], env: [{name: A, value: a}]"),
			"variable injected", `["istio-init", "istio-validation", "linkerd-proxy", "linkerd-init", ` +
				`"linkerd-network-validator", "vault-agent", "vault-agent-init"]`,
		},
	})
}

// TestValidations has the rules about what a new pod must have.
func TestValidations(t *testing.T) {
	app := func(fields string) string { return "appContainers: [{" + fields + "}]" }
	differs := func(list, name, fields string) string {
		return list + `.filter(c, c.name == "` + name + `").map(c, [` + fields + `].filter(f, f != ""))`
	}
	const image = `c.?image == optional.of("i") ? "" : "image"`
	field := func(declared string) string {
		return "containers: [{name: a, image: i, mode: Container, " + declared + "}]"
	}
	checkRules(t, []textRule{
		{
			"a container must be there as it is declared", sidecar, "check container a",
			"variables.differing_a.exists(fields, fields == [])",
		},
		{
			"what differs is named by its fields", sidecar, "check variable differing_a",
			differs("object.spec.containers", "a", image),
		},
		{
			"the entries of a list with keys are fields of their own",
			field("ports: [{containerPort: 80}], volumeMounts: [{name: v, mountPath: /v}]"),
			"check variable differing_a", differs("object.spec.containers", "a", image+
				`, c.?ports.orValue([]).exists(e, e.containerPort == 80 && e.protocol == "TCP") ? "" : "ports[80/TCP]"`+
				`, c.?volumeMounts.orValue([]).exists(e, e.name == "v" && e.mountPath == "/v") ? "" : `+
				`"volumeMounts[/v]"`),
		},
		{
			"a list without keys is one value", field("args: [x, y]"),
			"check variable differing_a",
			differs("object.spec.containers", "a", image+`, c.?args.orValue([]) == ["x", "y"] ? "" : "args"`),
		},
		{
			"equal quantities may be written differently", field("resources: {limits: {cpu: 1}}"),
			"check variable differing_a", differs("object.spec.containers", "a", image+
				`, c.?resources.?limits.?cpu.optMap(q, quantity(q).compareTo(quantity("1")) == 0).orValue(false) ? `+
				`"" : "resources"`),
		},
		{
			"what the API server leaves out may be missing", field("stdin: false, tty: true"),
			"check variable differing_a", differs("object.spec.containers", "a", image+
				`, c.?stdin.orValue(false) == false ? "" : "stdin", c.?tty == optional.of(true) ? "" : "tty"`),
		},
		{
			"a pointer to nothing must be there", volume, "check variable differing_v",
			differs("object.spec.?volumes.orValue([])", "v", `c.?emptyDir.hasValue() ? "" : "emptyDir"`),
		},
		{
			"an entry of a name alone must be there", "imagePullSecrets: [{name: s}]", "check imagePullSecret s",
			`object.spec.?imagePullSecrets.orValue([]).exists(c, c.name == "s")`,
		},
		{"a field of the pod spec must be set to anything", "podSpec: {hostname: " +
			"h}", "check field spec.hostname", "object.spec.?hostname.hasValue()"},
		{"one that is zero may be missing", "podSpec: {hostIPC: false}", "check field spec.hostIPC", ""},
		{
			"a label must be there with any value", "patchPodMetadata: [{labels: {a: b}}]", "check label a",
			`object.metadata.?labels[?"a"].hasValue()`,
		},
		{
			"one that is overwritten, with its own", "patchPodMetadata: [{labels: {a: b}, patchPolicy: Overwrite}]",
			"check label a",
			`object.metadata.?labels[?"a"] == optional.of("b")`,
		},
		{
			"each container of the app must have a variable", app("env: [{name: A, value: a}]"),
			"check in the app's containers, env variable A",
			`variables.apps.all(a, a.?env.orValue([]).exists(e, e.name == "A"))`,
		},
		{
			"each that is named", app("containers: [web], env: [{name: A, value: a}]"),
			"check in the app's containers, env variable A",
			`variables.apps.all(a, !(a.name in ["web"]) || a.?env.orValue([]).exists(e, e.name == "A"))`,
		},
		{
			"with its value, if the app's does not stay", app("env: [{name: A, "+
				"value: a}]") + ", onConflict: {env: Replace}",
			"check in the app's containers, env variable A",
			`variables.apps.all(a, a.?env.orValue([]).exists(e, e.name == "A" && e.?value == optional.of("a")))`,
		},
		{
			"with the part that is joined to it", app("env: [{name: J, value: j, join: ':'}]"),
			"check in the app's containers, env variable J",
			`variables.apps.all(a, a.?env.orValue([]).exists(e, e.name == "J" && (":" + e.?value.orValue("") + ` +
				`":").contains(":" + "j" + ":")))`,
		},
		{
			"a variable of the config must have a value", "containers: [{name: a, image: \"${pod.labels['tier']}\"}]",
			"check VariableUnset: ${pod.labels['tier']} has no value in this pod",
			`"tier" in object.metadata.?labels.orValue({})`,
		},
	})
}

// TestObjects has the rules about what is around the expressions.
func TestObjects(t *testing.T) {
	with := func(change func(*Options)) Options {
		changed := options
		change(&changed)
		return changed
	}
	long := strings.Repeat("n", 63)
	list := "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjectorList, items: ["
	for _, letter := range []string{"a", "b", "c", "d"} {
		list += "{metadata: {name: " + long[1:] + letter + "}, spec: {imagePullSecrets: [{name: s}]}}, "
	}
	for _, test := range []struct {
		claim, config string
		options       Options
		want          string
		isAbsent      bool
	}{
		{"mutating policies are stable in 1.36", inject(volume), options, "k8s.io/v1\nkind: " +
			"MutatingAdmissionPolicy\n", false},
		{
			"before, they are a beta", inject(volume), with(func(o *Options) { o.Minor = 35 }),
			"k8s.io/v1beta1\nkind: MutatingAdmissionPolicy\n", false,
		},
		{
			"validating ones are stable before", inject(volume), with(func(o *Options) { o.Minor = 35 }),
			"k8s.io/v1\nkind: ValidatingAdmissionPolicy\n", false,
		},
		{
			"there may be only the one", inject(volume), with(func(o *Options) { o.Mutate = false }), "kind: Mutating",
			true,
		},
		{
			"or the other", inject(volume), with(func(o *Options) { o.Validate = false }), "kind: Validating", true,
		},
		{"pods are reported by default", inject(volume), options, "# A new pod without what is declared is reported " +
			"(Warn, Audit), not refused.\n", false},
		{
			"Deny refuses them", inject(volume), with(func(o *Options) { o.Actions = []string{"Deny", "Audit"} }),
			"# A new pod without what is declared is refused.\n", false,
		},
		{
			"the binding has the actions", inject(volume),
			with(func(o *Options) { o.Actions = []string{"Deny", "Audit"} }),
			"  validationActions: [Deny, Audit]\n", false,
		},
		{
			"the API server may ignore failures", inject(volume), with(func(o *Options) { o.FailurePolicy = "Ignore" }),
			"  failurePolicy: Ignore\n", false,
		},
		{"an injector for all pods is pointed out", inject(volume), options, "# x selects all pods, " +
			"except in Kubernetes' own namespaces", false},
		{"not one with a selector", inject(volume + ", selector: {matchLabels: " +
			"{a: b}}"), options, "selects all pods", true},
		{"nor one with namespaces", inject(volume + ", namespaces: {include: [a]}"), options, "selects all pods", true},
		{"nor one to which pods opt in", inject(volume + ", policy: Disabled"), options, "selects all pods", true},
		{"the names of many injectors are " +
			"cut", list + "]}", options, "name: pillion-" + long[1:] + "a.and-3-more\n", false},
	} {
		t.Run(test.claim, func(t *testing.T) {
			text := export(t, test.config, test.options)
			if strings.Contains(text, test.want) == test.isAbsent {
				t.Errorf("%q is there: %t, in\n%s", test.want, !test.isAbsent, text)
			}
		})
	}
}

func TestTheLowestVersionOfAllCounts(t *testing.T) {
	version := func(minor string) string {
		return "{metadata: {name: x" + minor + "}, spec: {kubernetesVersion: '1." + minor + "', imagePullSecrets: " +
			"[{name: s}]}}"
	}
	injectors, _ := read(t, "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjectorList, items: ["+
		version("35")+", "+version("34")+", "+version("36")+"]}")
	if got := Minor(injectors); got != 34 {
		t.Errorf("got 1.%d", got)
	}
	if got := Minor(nil); got != 36 {
		t.Errorf("without injectors, got 1.%d", got)
	}
}

func TestTheDigestTellsConfigsApart(t *testing.T) {
	one := Digest([]byte("ab"), []byte("c"))
	if one != Digest([]byte("ab"), []byte("c")) || len(one) != 16 {
		t.Errorf("got %s", one)
	}
	if one == Digest([]byte("a"), []byte("bc")) || one == Digest([]byte("abc")) {
		t.Error("the same texts in other files have the same digest")
	}
}
