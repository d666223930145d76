package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// source makes choices that are the same for the same seed.
type source struct{ *rand.Rand }

func newSource(seed uint64) source { return source{rand.New(rand.NewPCG(seed, 5))} }

func (s source) of(choices ...string) string { return choices[s.IntN(len(choices))] }

func (s source) chance(percent int) bool { return s.IntN(100) < percent }

// marked and optedOut are the values of the marker in generated workloads.
const marked, optedOut = `pillion.dev/inject: "true"`, `pillion.dev/inject: "false"`

// workload is a generated workload, written as people write them.
func (s source) workload() string { return respelled(strings.TrimRight(s.object(), "\n") + "\n") }

// file is a file with a workload, or with two that look alike, that may end without a line end.
func (s source) file() string {
	text := s.workload()
	if s.chance(20) {
		text += "---\n" + strings.ReplaceAll(text, "name: web\n", "name: other\n")
	}
	if s.chance(20) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if s.chance(20) {
		text = strings.TrimRight(text, "\r\n")
	}
	return text
}

func (s source) object() string {
	spec := "spec:\n" + indent(s.podSpec(), "  ")
	if s.chance(15) {
		return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web # its name\n" + indent(s.podMetadata(), "  ") + spec
	}
	if s.chance(15) {
		return s.bareObject()
	}
	template := spec
	switch metadata := s.podMetadata(); {
	case metadata != "":
		template = "metadata:\n" + indent(metadata, "  ") + template
	default:
		template = s.of("", "metadata:\n", "metadata: {}\n", "metadata: # nothing yet\n", "metadata: null\n") + template
	}
	if s.chance(15) {
		template = spec + strings.TrimSuffix(template, spec)
	}
	under := "  template:\n" + indent(template, "    ")
	head := "metadata:\n  name: web\nspec:\n"
	switch s.IntN(5) {
	case 0:
		return "apiVersion: batch/v1\nkind: CronJob\n" + head + "  schedule: '@daily'\n  jobTemplate:\n    spec:\n" + indent(under, "    ")
	case 1:
		return "apiVersion: batch/v1\nkind: Job\n" + head + under
	case 2:
		return "# a header\n\napiVersion: apps/v1\nkind: StatefulSet\n" + head + "  serviceName: web\n" + under
	default:
		return "apiVersion: apps/v1\nkind: Deployment\n" + head + under + s.of("", "  replicas: 2\n", "\n# the end\n")
	}
}

// bareObject is an object with pod specs that have no templates. They are the same, because an injector indents its lists
// like those around them.
func (s source) bareObject() string {
	text := "apiVersion: grove.io/v1alpha1\nkind: PodCliqueSet\nmetadata:\n  name: web\n" + indent(s.podMetadata(), "  ") +
		"spec:\n  template:\n    cliques:\n"
	spec := indent(s.podSpec(), "          ")
	for _, name := range []string{"leader", "workers", "others"}[:1+s.IntN(3)] {
		text += "    - name: " + name + s.of("", " # a clique") + "\n      spec:\n        podSpec:\n" + spec
	}
	return text
}

// podMetadata is empty where the pod template has no metadata, or empty metadata.
func (s source) podMetadata() string {
	labels := s.of("", "", "labels:\n", "labels: {}\n", "labels:\n  {}\n", "labels: {app: web}\n",
		"labels:\n  app: web # the app\n  team: 'shop' # the owner\n")
	annotations := s.of("", "", "annotations:\n", "annotations: {}\n", "annotations: {} # none\n",
		"annotations:\n  {}\n", "annotations: { }\n", "annotations: &notes\n", "annotations:\n  # none yet\n",
		"annotations:\n  owner: |\n    two\n    lines\n\n  other: x\n", "annotations:\n  owner: >- # who\n    two\n    lines\n",
		"annotations:\n  owner:\n    shop # the shop\n",
		"annotations: {owner: shop}\n", "annotations:\n    owner: \"shop\"\n",
		"annotations:\n  # who\n  owner: shop # asks\n\n  other: |\n    two\n    lines\n",
		"annotations: {"+marked+"}\n", "annotations:\n  "+marked+"\n", "annotations:\n  "+marked+" # in\n  owner: shop\n")
	if s.chance(30) {
		return annotations + labels
	}
	return labels + annotations
}

func (s source) podSpec() string {
	var containers []string
	for _, name := range []string{"app", "helper", "third"}[:1+s.IntN(3)] {
		containers = append(containers, s.container(name))
	}
	parts := []string{
		s.list("containers", containers...),
		s.maybeList("initContainers", s.container("prepare")),
		s.maybeList("volumes", s.of("- name: data\n  emptyDir: {}\n", "- {name: data, emptyDir: {}} # ours\n",
			"- name: data # the data\n  emptyDir:\n    medium: Memory\n")),
		s.maybeList("imagePullSecrets", s.of("- name: registry\n", "- {name: own}\n", "- name: own # a comment\n")),
		s.maybeList("tolerations", "- {key: own, operator: Exists}\n"),
		s.of("", "", "serviceAccountName: web\n", "terminationGracePeriodSeconds: 30 # enough\n"),
		s.of("", "securityContext: {}\n", "securityContext:\n", "securityContext:\n  runAsNonRoot: false # why\n"),
	}
	s.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return strings.Join(parts, s.of("", "", "# between\n", "\n"))
}

func (s source) container(name string) string {
	styles := []string{
		"- name: NAME\n  image: app:1\n",
		"- name: NAME # the app\n  image: app:1 # kpt-set: ${app-image}\n  env:\n  - name: LEVEL\n    value: debug # loud\n  - {name: OTHER, " +
			"value: \"1\"}\n",
		"- {name: NAME, image: app:1, env: [{name: LEVEL, value: debug}]}\n",
		"- {name: NAME, image: app:1}\n",
		"- image: app:1\n  env: []\n  name: NAME\n",
		"- image: app:1\n  env: [\n  ] # none\n  name: NAME\n",
		"- image: app:1\n  env:\n    []\n  name: NAME\n",
		"- image: app:1\n  env: &env\n  name: NAME\n",
		"- name: NAME\n  image: app:1\n  env:\n    # none of NAME\n",
		"-   name: NAME\n    image: app:1\n    env:\n    -   name: LEVEL # how loud\n        value: debug\n    - name: OTHER\n      value: x\n",
		"- name: NAME\n  image: app:1\n  env:\n  -\n    name: LEVEL\n    value: debug\n  - name: OTHER # other\n    value: x\n    # below " +
			"OTHER\n",
		"- name: NAME\n  image: app:1\n  \n  env:\n  - name: LEVEL\n    \n    # what for\n    value: debug\n\n",
		"-   name: NAME\n    image: app:1 # far from the dash\n",
		"- image: app:1\n  name: NAME\n  env:\n  ports:\n  - containerPort: PORT # http\n",
		"# above NAME\n- name: NAME\n  image: app:1\n  args: [\n    a, # first\n    b\n  ]\n",
		"- name: NAME\n  image: app:1\n  command:\n    - sh\n    - -c\n    - |\n      echo hi\n\n      sleep 1\n",
		"- name: NAME\n  image: app:1\n\n  env:\n    - name: FIRST\n      value: \"\"\n\n    # the level\n    - name: LEVEL\n      value: " +
			"'info'\n\n  resources: {}\n",
		"- name: NAME\n  env: [\n    {name: FIRST, value: a}, # one\n    {name: LEVEL, value: b} # two\n  ]\n  image: app:1\n",
	}
	return strings.NewReplacer("NAME", name, "PORT", fmt.Sprint(8000+len(name))).Replace(s.of(styles...))
}

// maybeList is a list that may be missing or empty.
func (s source) maybeList(key string, entries ...string) string {
	return s.of("", "", key+":\n", key+":\n  []\n", key+": [\n]\n", key+": &"+key+"\n", key+":\n  # no "+key+"\n", key+": []\n",
		key+": [] # none\n", key+": null\n", s.list(key, entries...), s.list(key, entries...))
}

func (s source) list(key string, entries ...string) string {
	text := strings.Join(entries, s.of("", "", "\n"))
	if s.chance(40) {
		text = indent(text, "  ")
	}
	return key + s.of(":\n", ":\n", ": # all of them\n") + text
}

// wish is what one injector wants.
type wish struct {
	name                                 string
	sidecars, inits                      []sidecar
	volumes, secrets                     []string
	env                                  []string // NAME: value, for the app's containers
	joins                                []string // the same for variables that are joined to the app's, as fields
	envPosition                          string
	withInit, mount                      bool
	labels, annotations                  []string // key: value
	patchPolicy                          string
	podSpec                              []string
	container, volume, variable, deploys string // what onConflict says, and whom the injector is for
}

type sidecar struct {
	name, knobs string
	fields      []string
}

// wish is a generated config. Wishes of several injectors go together except for what they take
// over of the app's.
func (s source) wish(name string) wish {
	w := wish{name: name, patchPolicy: s.of("Retain", "Overwrite")}
	w.container, w.volume, w.variable = s.of("Keep", "Merge", "Replace"), s.of("Keep", "Replace"), s.of("Keep", "Replace")
	for range 1 + s.IntN(4) {
		s.change(&w)
	}
	if len(w.sidecars) == 0 {
		w.sidecars = append(w.sidecars, s.sidecar(name+"-proxy"))
	}
	return w
}

func (s source) sidecar(name string) sidecar {
	made := sidecar{name: name, knobs: s.knobs(), fields: []string{"image: " + s.of("proxy:1", "proxy:2 # pinned", "'proxy:3'")}}
	for _, field := range []string{
		s.of("args: [a, b]\n", "args:\n- a\n- c # a comment\n", "args: [b]\n"),
		s.of("env: [{name: LEVEL, value: info}]\n", "env:\n- name: LEVEL\n  value: warn\n- {name: MODE, value: x}\n",
			"env:\n- {name: MODE, value: x}\n"),
		s.of("resources: {limits: {cpu: 1, memory: 64Mi}}\n", "resources:\n  limits:\n    cpu: 500m\n"),
		s.of("workingDir: /\n", "tty: true\n", "command: [sh, -c, \"sleep 1; true\"]\n", "workingDir: /${container.name:-none}\n",
			"command: [\"${container.image:-none}\", \"${container.port:-none}\"]\n"),
	} {
		if s.chance(50) {
			made.fields = append(made.fields, strings.TrimSuffix(field, "\n"))
		}
	}
	return made
}

func (s source) knobs() string {
	return s.of("", "", "", "podInjectPolicy: BeforeAppContainer", "podInjectPolicy: AfterAppContainer", "mode: Native", "mode: Container",
		"after: app", "mode: Container\nafter: app", "mode: Container\nbefore: app", "shareVolumePolicy: {type: Enabled}")
}

// change changes one thing about a wish.
func (s source) change(w *wish) {
	own := func(name string) string { return w.name + "-" + name }
	toggle := func(list *[]string, entry string) {
		if at := slices.Index(*list, entry); at >= 0 {
			*list = slices.Delete(slices.Clone(*list), at, at+1)
			return
		}
		*list = append(slices.Clone(*list), entry)
	}
	w.sidecars, w.inits = slices.Clone(w.sidecars), slices.Clone(w.inits)
	switch s.IntN(17) {
	case 0, 1:
		w.sidecars = s.toggleSidecar(w.sidecars, s.of(own("proxy"), own("logs"), own("logs")))
	case 2:
		w.inits = s.toggleSidecar(w.inits, own("setup"))
		for i := range w.inits {
			w.inits[i].knobs = s.of("", "podInjectPolicy: BeforeAppContainer", "podInjectPolicy: AfterAppContainer")
		}
	case 3:
		w.sidecars = s.toggleSidecar(w.sidecars, "helper") // the app may have one
	case 4, 5:
		if len(w.sidecars) > 0 {
			at := s.IntN(len(w.sidecars))
			w.sidecars[at] = s.sidecar(w.sidecars[at].name)
		}
	case 6:
		slices.Reverse(w.sidecars)
		w.volumes = slices.Clone(w.volumes)
		slices.Reverse(w.volumes)
	case 7:
		for i := range w.sidecars {
			w.sidecars[i].knobs = s.knobs()
		}
	case 8:
		toggle(&w.volumes, s.of("{name: "+own("conf")+", emptyDir: {}}", "{name: shared, emptyDir: {}}", "{name: data, configMap: {name: data}}"))
	case 9:
		toggle(&w.secrets, s.of("registry", own("secret")))
	case 10, 11:
		toggle(&w.env, s.of("SHARED: one", strings.ToUpper(w.name)+": $(SHARED)", "LEVEL: quiet", strings.ToUpper(w.name)+"_PORT: x",
			"SHARED_NAME: \"${container.name}\"", strings.ToUpper(w.name)+"_APP: \"${container.image} ${container.port:-none}\""))
	case 12:
		w.envPosition, w.withInit, w.mount = s.of("Prepend", "Append"), s.chance(30), s.chance(30)
	case 13:
		toggle(&w.labels, s.of("mesh: \"on\"", "team: mesh", own("in")+": x"))
	case 14:
		toggle(&w.annotations, s.of("owner: mesh", own("note")+": x", "shared: y"))
		w.patchPolicy = s.of("Retain", "Overwrite")
	case 15:
		toggle(&w.podSpec, s.of("hostAliases: [{ip: 10.0.0.1, hostnames: [proxy.local]}]", "tolerations: [{key: mesh, operator: Exists}]",
			"shareProcessNamespace: true", "securityContext: {fsGroup: 1337}", "hostname: \"${container.name:-none}\""))
	default:
		w.container, w.volume, w.variable = s.of("Keep", "Merge", "Replace"), s.of("Keep", "Replace"), s.of("Keep", "Replace")
	}
}

func (s source) toggleSidecar(list []sidecar, name string) []sidecar {
	if at := slices.IndexFunc(list, func(c sidecar) bool { return c.name == name }); at >= 0 {
		return slices.Delete(list, at, at+1)
	}
	return append(list, s.sidecar(name))
}

// spec is a wish as the spec of an injector.
func (w wish) spec(action string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "action: %s\nonConflict: {container: %s, volume: %s, env: %s, mountPath: Keep, port: Keep}\n", action, w.container,
		w.volume, w.variable)
	if w.deploys != "" {
		b.WriteString("names: [" + w.deploys + "]\n")
	}
	writeSidecars(&b, "containers", w.sidecars)
	writeSidecars(&b, "initContainers", w.inits)
	writeAll(&b, "volumes:\n", "- ", w.volumes)
	writeAll(&b, "imagePullSecrets:\n", "- name: ", w.secrets)
	if len(w.env)+len(w.joins) > 0 || w.mount && len(w.volumes) > 0 {
		fmt.Fprintf(&b, "appContainers:\n- includeInit: %t\n", w.withInit)
		if w.envPosition != "" {
			b.WriteString("  envPosition: " + w.envPosition + "\n")
		}
		if len(w.env)+len(w.joins) > 0 {
			b.WriteString("  env:\n")
			writeAll(&b, "", "  - ", w.joins)
			for _, variable := range w.env {
				name, value, _ := strings.Cut(variable, ": ")
				fmt.Fprintf(&b, "  - {name: %s, value: %s}\n", name, value)
			}
		}
		if w.mount && len(w.volumes) > 0 {
			name, _, _ := strings.Cut(strings.TrimPrefix(w.volumes[0], "{name: "), ",")
			fmt.Fprintf(&b, "  volumeMounts: [{name: %s, mountPath: /mnt/%[1]s}]\n", name)
		}
	}
	if len(w.labels)+len(w.annotations) > 0 {
		b.WriteString("patchPodMetadata:\n- patchPolicy: " + w.patchPolicy + "\n")
		writeAll(&b, "  labels:\n", "    ", w.labels)
		writeAll(&b, "  annotations:\n", "    ", w.annotations)
	}
	writeAll(&b, "podSpec:\n", "  ", w.podSpec)
	return b.String()
}

func writeSidecars(b *strings.Builder, key string, list []sidecar) {
	if len(list) == 0 {
		return
	}
	b.WriteString(key + ":\n")
	for _, c := range list {
		b.WriteString("- name: " + c.name + "\n")
		for _, field := range append([]string{c.knobs}, c.fields...) {
			if field != "" {
				b.WriteString(indent(field+"\n", "  "))
			}
		}
	}
}

func writeAll(b *strings.Builder, head, before string, entries []string) {
	if len(entries) == 0 {
		return
	}
	b.WriteString(head)
	for _, entry := range entries {
		b.WriteString(before + entry + "\n")
	}
}

// single is a config of one injector.
func single(w wish, action string) string {
	return "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata:\n  name: " + w.name + "\nspec:\n" + indent(w.spec(action), "  ")
}

// listed is a config of several.
func listed(wishes []wish, action string) string {
	var b strings.Builder
	b.WriteString("apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n")
	for _, w := range wishes {
		b.WriteString("- metadata: {name: " + w.name + "}\n  spec:\n" + indent(w.spec(action), "    "))
	}
	return b.String()
}
