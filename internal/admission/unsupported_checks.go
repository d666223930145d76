package admission

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/check"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// addChecks adds a finding for each check that might refuse a pod. Policies run no checks, so that only those can be exported that the
// payload passes in every pod.
func (l *limits) addChecks() {
	l.addPodSecurity()
	spec := l.in.Spec
	checks := &spec.Checks
	if checks.RequireDigest == v1alpha1.CheckError && l.canVary(func(field string) bool { return field == "image" }) {
		l.add("checks.requireDigest", "policies do not run this check, and a variable can change an image; "+
			"write the image with its digest, or remove the check from the config for admission")
		checks.RequireDigest = v1alpha1.CheckOff
	}
	fields := map[finding.Code]string{finding.NoResources: "checks.requireResources", finding.NoDigest: "checks.requireDigest"}
	for _, f := range check.Required(l.payloadPod(nil), isAny, &spec) {
		l.addIf(f.Severity == finding.Error, fields[f.Code], "policies do not run this check, which refuses every pod: %s", f.Message)
	}
}

func isAny(string) bool { return true }

// addPodSecurity adds a finding if the payload might lower the level of a pod. The standards check each container, volume and field of a
// pod for itself, and a container's own fields count before those of the pod. So a payload that keeps the level of a pod without fields
// for all of its containers keeps that of every pod.
func (l *limits) addPodSecurity() {
	upTo := l.in.Spec.Checks.PodSecurity
	if upTo == "" {
		return
	}
	const instead = "label the namespaces for Pod Security admission, and remove the check from the config for admission"
	if l.canVary(isSecurity) || l.setsPodSecurity() {
		l.add("checks.podSecurity", "policies do not run this check, and its result depends on the pod because podSpec, patchPodMetadata, "+
			"or a variable sets what it checks; set it in the containers, or "+instead)
		return
	}
	app := parseSample(restrictedContainer)
	before := pod.Template{Node: newPod(map[string][]*node.Node{pod.Main: {app}})}
	major, minor := l.in.Version()
	for _, f := range check.PodSecurity(before, l.payloadPod(app), upTo, major, minor) {
		l.add("checks.podSecurity", "policies do not run this check, which can refuse pods: %s; or %s", f.Message, instead)
	}
}

// restrictedContainer complies with the highest standard by its own fields.
const restrictedContainer = `{name: app, image: app, securityContext: {runAsNonRoot: true, allowPrivilegeEscalation: false,
  capabilities: {drop: [ALL]}, seccompProfile: {type: RuntimeDefault}}}`

func parseSample(text string) *node.Node {
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		panic(err) // it is a constant
	}
	return document.Content[0]
}

// payloadPod returns a pod with the injector's payload and a container of the app, unless that is nil.
func (l *limits) payloadPod(app *node.Node) pod.Template {
	lists := map[string][]*node.Node{}
	if app != nil {
		lists[pod.Main] = append(lists[pod.Main], app)
	}
	for _, c := range l.in.Containers {
		lists[pod.Main] = append(lists[pod.Main], c.Body)
	}
	for _, c := range l.in.InitContainers {
		lists[pod.Init] = append(lists[pod.Init], c.Body)
	}
	for _, v := range l.in.Volumes {
		lists["volumes"] = append(lists["volumes"], v.Body)
	}
	return pod.Template{Node: newPod(lists)}
}

// newPod returns a pod with lists in its spec.
func newPod(lists map[string][]*node.Node) *node.Node {
	spec := node.Mapping()
	for _, list := range []string{pod.Main, pod.Init, "volumes"} {
		if len(lists[list]) > 0 {
			node.Set(spec, list, node.Sequence(lists[list]...))
		}
	}
	return node.Mapping(node.String("spec"), spec)
}

// canVary reports whether a variable can set one of the fields of containers that a function selects.
func (l *limits) canVary(isSelected func(field string) bool) bool {
	for _, text := range l.in.Texts() {
		list, field, _ := strings.Cut(fieldOf(l.in, text), ".")
		if (list == pod.Main || list == pod.Init) && isSelected(field) {
			return true
		}
	}
	return false
}

// isSecurity reports whether the standards may check a field of a container.
func isSecurity(field string) bool {
	first, _, _ := strings.Cut(field, ".")
	return !slices.Contains([]string{"image", "command", "args", "workingDir", "env", "envFrom", "resources", "volumeMounts"}, first)
}

// setsPodSecurity reports whether the injector sets fields or annotations of the pod that the standards check.
func (l *limits) setsPodSecurity() bool {
	checked := []string{"securityContext", "hostNetwork", "hostPID", "hostIPC", "hostUsers", "os"}
	for _, field := range node.Keys(l.in.PodSpec) {
		if slices.Contains(checked, field) {
			return true
		}
	}
	for _, patch := range l.in.PodMetadata {
		for _, key := range node.Keys(patch.Annotations) {
			if strings.Contains(key, ".security.") { // such as container.apparmor.security.beta.kubernetes.io/NAME
				return true
			}
		}
	}
	return false
}
