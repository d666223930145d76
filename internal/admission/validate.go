package admission

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// validating returns the policy that refuses pods that lack what injectors declare, or that Pillion would refuse. It uses only what
// Kubernetes 1.30 has.
func (c *compiler) validating() *policy {
	c.add("running", "the containers that keep running and share one network: the pod's containers and its native sidecars",
		`object.spec.containers + object.spec.?initContainers.orValue([]).filter(c, c.?restartPolicy.orValue("") == "Always")`)
	for i := range c.injectors {
		v := newValidator(c, &c.injectors[i])
		v.checkContainers(initContainersList)
		v.checkContainers(containersList)
		v.checkVolumes()
		v.checkPullSecrets()
		v.checkAppContainers(containersList)
		v.checkAppContainers(initContainersList)
		v.checkPodSpec()
		v.checkMetadata()
		v.addValidations()
	}
	return &c.policy
}

// validator writes the validations of one injector. Each problem is an expression for a list of texts, which is empty if the problem does
// not exist in a pod.
type validator struct {
	*compiler

	in       *compiled
	stamped  string // the variable that is true if the pod has the injector's stamp
	problems map[finding.Code][]string
}

func newValidator(c *compiler, in *compiled) *validator {
	v := &validator{compiler: c, in: in, problems: map[finding.Code][]string{}}
	v.stamped = c.add(in.id+"_stamped",
		"whether Pillion injected "+in.Name+" into the manifest, maybe by an older config: then the values of what it added may differ",
		fmt.Sprintf("%s in %s", quote(stamp.Key(in.Name)), podAnnotations))
	return v
}

// problem adds a problem that a pod has if all conditions hold. The text is an expression.
func (v *validator) problem(code finding.Code, text string, conditions ...string) {
	v.problems[code] = append(v.problems[code], fmt.Sprintf("(%s ? [%s] : [])", all(conditions), text))
}

// each adds a problem for each container c of a list that meets a condition. The text is an expression that may use c.
func (v *validator) each(code finding.Code, list, condition, text string) {
	v.problems[code] = append(v.problems[code], fmt.Sprintf("%s.filter(c, %s).map(c, %s)", list, condition, text))
}

// lacks adds something that an injection would add or change.
func (v *validator) lacks(what string, conditions ...string) {
	v.problem(finding.OutOfDate, quote(what), conditions...)
}

// concerns are the codes in the order of the validations: the API server's answer has the first one that fails.
var concerns = []struct {
	code          finding.Code
	comment, text string
}{
	{finding.ContainerConflict, "names of containers", "a container of the pod has the name of one of the injector's and differs; rename it"},
	{finding.VolumeConflict, "names of volumes", "a volume of the pod has the name of one of the injector's and differs; rename it"},
	{finding.PortConflict, "ports", "a container of the pod has a port of the injector's container; change it"},
	{finding.EnvConflict, "variables", "a variable of the app's containers differs from the injector's; make them equal"},
	{finding.MountConflict, "mount paths", "a mount path of the app's containers differs from the injector's; make them equal"},
}

// addValidations adds the validations of the problems, refusals before what is missing.
func (v *validator) addValidations() {
	v.refuseByPolicy()
	for _, concern := range concerns {
		problems := v.problems[concern.code]
		if len(problems) == 0 {
			continue
		}
		found := v.add(v.in.id+"_"+string(concern.code), "conflicts of the pod with "+v.in.Name+": "+concern.comment, chain(problems))
		v.validations = append(v.validations, validation{
			comment:    concern.comment + " of " + v.in.Name + " are free, or have the same content",
			expression: fmt.Sprintf("!%s || size(%s) == 0", v.in.selected, found),
			message:    string(concern.code) + ": " + concern.text + v.origin(),
			messageExpression: fmt.Sprintf("%[1]s + %[2]s[0] +\n"+
				"(size(%[2]s) == 1 ? \"\" : \" (and \" + string(size(%[2]s) - 1) + \" more)\") + %[3]s",
				quote(string(concern.code)+": "), found, quote(v.origin())),
		})
	}
	if len(v.problems[finding.OutOfDate]) == 0 {
		return
	}
	missing := v.add(v.in.id+"_missing", "what an injection of "+v.in.Name+" would change in the pod", chain(v.problems[finding.OutOfDate]))
	remedy := fmt.Sprintf("; run pillion inject on the manifest that the pod comes from, or set the pod's annotation %s to \"false\" to "+
		"do without%s", v.in.Spec.Marker, v.origin())
	const begin = string(finding.OutOfDate) + ": an injection would change the pod"
	v.validations = append(v.validations, validation{
		comment:           "everything that " + v.in.Name + " declares is there",
		expression:        fmt.Sprintf("!%s || size(%s) == 0", v.in.selected, missing),
		message:           begin + remedy,
		messageExpression: fmt.Sprintf("%s + %s.join(\", \") + %s", quote(begin+": "), missing, quote(remedy)),
	})
}

// origin returns which injector a message is about.
func (v *validator) origin() string { return " (injector " + v.in.Name + ")" }

// refuseByPolicy refuses what the fields hostNetwork and jobs say to refuse.
func (v *validator) refuseByPolicy() {
	const problem = "%s: %s, and %s is Error; set it to Skip or %s, or keep this workload out%s"
	if v.in.Spec.HostNetwork == v1alpha1.PodError {
		v.validations = append(v.validations, validation{
			comment:    v.in.Name + " is not for pods on the host's network",
			expression: fmt.Sprintf("!%s || !%s", v.in.matched, usesHostNetwork),
			message:    fmt.Sprintf(problem, finding.HostNetwork, "it uses the host's network", "spec.hostNetwork", "Inject", v.origin()),
		})
	}
	if v.in.Spec.Jobs == v1alpha1.JobsError {
		v.validations = append(v.validations, validation{
			comment:    v.in.Name + " is not for pods that are meant to finish",
			expression: fmt.Sprintf("!%s || !variables.finishes", v.in.matched),
			message:    fmt.Sprintf(problem, finding.JobSkipped, "its pods are meant to finish", "spec.jobs", "Native", v.origin()),
		})
	}
}

// checkContainers checks the containers that the injector adds to a list.
func (v *validator) checkContainers(list podList) {
	for _, ins := range v.insertionsInto(list) {
		if ins.in != v.in {
			continue
		}
		var when []string // nothing, or whether the pod finishes
		if ins.when != "" {
			when = []string{ins.when}
		}
		if ports := node.List(ins.body, "ports"); keepsRunning(list, ins.body) {
			for _, port := range ports {
				v.checkPort(ins, port, when)
			}
		}
		v.checkContainer(list, ins, when)
	}
}

// checkContainer checks that a container is there, in its list and with its declared fields.
func (v *validator) checkContainer(list podList, ins insertion, when []string) {
	name, other := ins.container.Name, containersList
	if list == containersList {
		other = initContainersList
	}
	hasName := func(l podList) string { return fmt.Sprintf("%s in %s", quote(name), l.names()) }
	given := func(more ...string) []string { return append(append([]string{}, when...), more...) }
	quoted := fmt.Sprintf("container %q", name)

	v.problem(finding.ContainerConflict, quote(fmt.Sprintf("an ephemeral container is already called %q; rename one of them, or remove "+
		"ephemeralContainers from the manifest", name)),
		given(fmt.Sprintf("object.spec.?ephemeralContainers.orValue([]).exists(c, c.name == %s)", quote(name)))...)
	v.lacks(quoted+" is missing", given("!("+hasName(containersList)+")", "!("+hasName(initContainersList)+")")...)
	v.problem(finding.ContainerConflict, quote(fmt.Sprintf("%s is already in %s, and the injector adds one of that name to %s; "+
		"rename it, or set spec.onConflict.container to Keep", quoted, other.name, list.name)), given("!"+v.stamped, hasName(other))...)

	differs := v.add(fmt.Sprintf("%s_%s_%s_differs", v.in.id, identifier(name), list.name),
		fmt.Sprintf("the fields in which the pod's container %s in %s differs from the injector's", name, list.name),
		v.differing(list, ins))
	isDifferent := given("!"+v.stamped, hasName(list), fmt.Sprintf("size(%s) > 0", differs))
	v.problem(finding.ContainerConflict, fmt.Sprintf("%s + %s.join(\", \") + %s", quote(quoted+" is already there and differs in "), differs,
		quote("; rename it, or set spec.onConflict.container to Keep, Merge or Replace")), isDifferent...)
}

// differing returns the expression for the names of the declared fields in which a container of the pod differs.
func (v *validator) differing(list podList, ins insertion) string {
	at := fmt.Sprintf("object.spec.?%s.orValue([]).exists(c, c.name == %s && %%s)", list.name, quote(ins.container.Name))
	var fields []string
	for key, value := range node.Fields(ins.body) {
		if key == "name" {
			continue
		}
		conditions := equalField(key, value, reflect.TypeFor[corev1.Container](), "c")
		if len(conditions) == 0 {
			continue
		}
		fields = append(fields, fmt.Sprintf("("+at+" ? [] : [%s])", strings.Join(conditions, " &&\n    "), quote(key)))
	}
	if len(fields) == 0 {
		return "[].map(f, string(f))"
	}
	return chain(fields)
}

// keepsRunning reports whether a container does not end and free its ports, as init containers do.
func keepsRunning(list podList, body *yaml.Node) bool {
	return list == containersList || node.Text(body, "restartPolicy") == "Always"
}

// checkPort checks that no other container has a port of a container.
func (v *validator) checkPort(ins insertion, port *yaml.Node, when []string) {
	described := podtemplate.PortKey(port)
	name := node.Text(port, "name")
	if name != "" {
		described += " (" + name + ")"
	}
	ports := "c.?ports.orValue([])"
	same := fmt.Sprintf(`%s.exists(p, %s) ? "number" : "host port"`, ports, sameNumber(port))
	if name != "" {
		same = fmt.Sprintf(`%s.exists(p, %s) ? "name" : %s`, ports, sameName(port), same)
	}
	conditions := append([]string{"!" + v.stamped}, when...)
	conditions = append(conditions,
		fmt.Sprintf("c.name != %s", quote(ins.container.Name)), fmt.Sprintf("%s.exists(p, %s)", ports, clashes(port)))
	v.each(finding.PortConflict, "variables.running", all(conditions), fmt.Sprintf(
		"%s + (%s) + %s + c.name + %s", quote(fmt.Sprintf("port %s of container %q has the same ", described, ins.container.Name)), same,
		quote(` as one of container "`), quote(`"; change it, or set spec.onConflict.port to Keep to leave it out`)))
}

func sameName(port *yaml.Node) string {
	return fmt.Sprintf(`p.?name.orValue("") == %s`, quote(node.Text(port, "name")))
}

func sameNumber(port *yaml.Node) string {
	return fmt.Sprintf(`p.?protocol.orValue("TCP") == %s && p.containerPort == %s`,
		quote(podtemplate.Protocol(port)), node.Number(port, "containerPort"))
}

// clashes returns the condition that the port p excludes another one, as [podtemplate.PortsClash] does.
func clashes(port *yaml.Node) string {
	conditions := []string{sameNumber(port)}
	if node.Text(port, "name") != "" {
		conditions = append(conditions, sameName(port))
	}
	if hostPort := node.Number(port, "hostPort"); hostPort != "" && hostPort != "0" {
		same := fmt.Sprintf(`p.?protocol.orValue("TCP") == %s && p.?hostPort.orValue(0) == %s`, quote(podtemplate.Protocol(port)), hostPort)
		if ip := node.Text(port, "hostIP"); ip != "" && ip != "0.0.0.0" && ip != "::" {
			same += fmt.Sprintf(` && p.?hostIP.orValue("") in ["", "0.0.0.0", "::", %s]`, quote(ip))
		}
		conditions = append(conditions, same)
	}
	return strings.Join(conditions, " || ")
}

// hasVolume returns the condition that an optional list has a volume. Unlike a container, it has no other fields: an emptyDir in memory is
// another volume than one on disk.
func hasVolume(volume *yaml.Node, list string) string {
	t := reflect.TypeFor[corev1.Volume]()
	conditions := equalEntry("volumes", volume, t)
	for key, source := range node.Fields(volume) {
		if source.Kind != yaml.MappingNode {
			continue
		}
		of := fieldType(t, key)
		for _, field := range jsonfield.Of(pointed(of)).Names() {
			if node.Get(source, field) == nil && !defaulted[field] && !defaultedInVolumes[field] {
				conditions = append(conditions, "!e"+selector(key)+selector(field)+".hasValue()")
			}
		}
	}
	return fmt.Sprintf("%s.orValue([]).exists(e, %s)", list, all(conditions))
}

// defaultedInVolumes are the fields of volumes that are pointers and get a default.
var defaultedInVolumes = map[string]bool{"defaultMode": true, "type": true, "cachingMode": true, "kind": true, "readOnly": true}

// checkVolumes checks that the volumes are there.
func (v *validator) checkVolumes() {
	const list = "object.spec.?volumes"
	for _, volume := range v.in.Volumes {
		missing := fmt.Sprintf("!%s.orValue([]).exists(e, e.name == %s)", list, quote(volume.Name))
		v.lacks(fmt.Sprintf("volume %q is missing", volume.Name), missing)
		differs := []string{
			"!" + v.stamped, strings.TrimPrefix(missing, "!"),
			"!" + hasVolume(volume.Body, list),
		}
		v.problem(finding.VolumeConflict, quote(fmt.Sprintf("volume %q is already there and is different; rename one of them, "+
			"or set spec.onConflict.volume to Keep or Replace", volume.Name)), differs...)
	}
}

// checkPullSecrets checks that the imagePullSecrets are there.
func (v *validator) checkPullSecrets() {
	for _, secret := range v.in.ImagePullSecrets {
		v.lacks(fmt.Sprintf("imagePullSecret %q is missing", secret.Name),
			fmt.Sprintf("!object.spec.?imagePullSecrets.orValue([]).exists(e, e.?name.orValue(\"\") == %s)", quote(secret.Name)))
	}
}

// checkMetadata checks labels and annotations.
func (v *validator) checkMetadata() {
	for _, patch := range v.in.PodMetadata {
		v.checkKeys("labels", patch.Labels, patch.Policy)
		v.checkKeys("annotations", patch.Annotations, patch.Policy)
	}
}

func (v *validator) checkKeys(field string, keys *yaml.Node, policy v1alpha1.PatchPolicy) {
	for key, value := range node.Fields(keys) {
		if node.IsNull(value) {
			continue
		}
		what, at := fmt.Sprintf("%s %q", strings.TrimSuffix(field, "s"), key), fmt.Sprintf("object.metadata.?%s[?%s]", field, quote(key))
		v.lacks(what+" is missing", fmt.Sprintf("!%s.hasValue()", at))
		if policy == v1alpha1.PatchOverwrite {
			v.lacks(what+" differs", "!"+v.stamped, at+".hasValue()", fmt.Sprintf("%s != optional.of(%s)", at, quote(value.Value)))
		}
	}
}

// checkPodSpec checks that the pod sets what the injector sets in pods that do not: any value will do.
func (v *validator) checkPodSpec() {
	v.checkFields(v.in.PodSpec, reflect.TypeFor[corev1.PodSpec](), "object.spec", "spec")
}

func (v *validator) checkFields(fields *yaml.Node, t reflect.Type, at, path string) {
	for key, value := range node.Fields(fields) {
		value = node.Resolve(value)
		field, here, where := fieldType(t, key), at+selector(key), path+"."+key
		isPointer := field != nil && field.Kind() == reflect.Pointer
		switch {
		case node.IsNull(value):
		case value.Kind == yaml.MappingNode && len(value.Content) > 0 && !podtemplate.IsOneChoice(key):
			v.checkFields(value, field, here, where)
		case value.Kind == yaml.SequenceNode:
			v.checkEntries(key, value, field, here, where)
		case value.Kind == yaml.ScalarNode && !isPointer && isZero(value, field), value.Kind == yaml.MappingNode && !isPointer:
		default:
			v.lacks(where+" is not set", "!"+here+".hasValue()")
		}
	}
}

// isZero reports whether the API server leaves out a value unless the field is a pointer.
func isZero(value *yaml.Node, t reflect.Type) bool {
	literal := typedScalar(value, t)
	return literal == zeroOf(literal)
}

// checkEntries checks that a list of the pod spec has the entries of the payload, or others with their keys.
func (v *validator) checkEntries(list string, entries *yaml.Node, t reflect.Type, at, path string) {
	var element reflect.Type
	if t != nil && t.Kind() == reflect.Slice {
		element = t.Elem()
	}
	for _, entry := range entries.Content {
		entry = node.Resolve(entry)
		what := path + " lacks " + node.Brief(entry)
		if entry.Kind == yaml.ScalarNode {
			v.lacks(what, fmt.Sprintf("!(%s in %s.orValue([]))", typedScalar(entry, element), at))
			continue
		}
		keyed := entry
		if keys := keyFields[list]; keys != nil {
			keyed = node.Mapping()
			for _, key := range keys {
				if value := node.Get(entry, key); value != nil {
					node.Set(keyed, key, value)
				}
			}
		}
		v.lacks(what, fmt.Sprintf("!%s.orValue([]).exists(e, %s)", at, all(equalFields(keyed, element, "e"))))
	}
}

// keyFields are the fields by which Pillion tells the entries of lists of the pod spec apart.
var keyFields = map[string][]string{
	"resourceClaims": {"name"}, "schedulingGates": {"name"}, "options": {"name"}, "sysctls": {"name"}, "hostAliases": {"ip"},
	"topologySpreadConstraints": {"topologyKey", "whenUnsatisfiable"},
}

// checkAppContainers checks what the injector adds to the app's containers of a list.
func (v *validator) checkAppContainers(list podList) {
	for _, field := range []string{"env", "envFrom", "volumeMounts"} {
		var before []appEntry
		for r := range v.in.AppContainers {
			rule := &v.in.AppContainers[r]
			for _, entry := range entriesOf(rule, list, field) {
				e := appEntry{field: field, key: podtemplate.EntryKey(field, entry), body: entry, rule: rule}
				_, e.isJoined = rule.Joins[entry]
				v.checkAppEntry(list, e, before)
				before = append(before, e)
			}
		}
	}
}

// appEntry is an entry that a rule adds to a list of the app's containers.
type appEntry struct {
	field, key string
	body       *yaml.Node
	rule       *injector.AppContainers
	isJoined   bool
}

// isFor returns the condition that the container c gets the entry: an earlier rule with the same key counts instead, unless both are
// joined.
func (e appEntry) isFor(before []appEntry) string {
	conditions := []string{"!(c.name in variables.declared)"}
	if names := e.named(); names != "" {
		conditions = append(conditions, names)
	}
	for _, earlier := range before {
		if earlier.key != e.key || e.key == "" || earlier.isJoined && e.isJoined {
			continue
		}
		names := earlier.named()
		if names == "" {
			return "false"
		}
		conditions = append(conditions, "!("+names+")")
	}
	return all(conditions)
}

// named returns the condition that the rule is for the container c, or "" if it is for all.
func (e appEntry) named() string {
	for _, name := range e.rule.Names {
		if name == v1alpha1.AllContainers {
			return ""
		}
	}
	return "c.name in " + stringList(e.rule.Names)
}

// checkAppEntry checks that the app's containers have an entry, or another one with its key where that one is kept.
func (v *validator) checkAppEntry(list podList, e appEntry, before []appEntry) {
	containers, isFor := fmt.Sprintf("object.spec.?%s.orValue([])", list.name), e.isFor(before)
	if isFor == "false" {
		return
	}
	words := map[string]struct {
		noun, field string
		code        finding.Code
		choice      v1alpha1.Conflict
		t           reflect.Type
	}{
		"env":          {"env variable", "env", finding.EnvConflict, v.in.Spec.OnConflict.Env, reflect.TypeFor[corev1.EnvVar]()},
		"envFrom":      {"source of variables", "", "", v1alpha1.ConflictKeep, reflect.TypeFor[corev1.EnvFromSource]()},
		"volumeMounts": {"mount path", "mountPath", finding.MountConflict, v.in.Spec.OnConflict.MountPath, reflect.TypeFor[corev1.VolumeMount]()},
	}[e.field]
	at := "c.?" + e.field
	hasKey := at + ".orValue([])" + strings.TrimPrefix((&appList{field: e.field}).has(e.body), "e")
	subject := fmt.Sprintf("%s %q of the app's container \"", words.noun, e.key)
	text := func(rest string) string { return fmt.Sprintf(`%s + c.name + %s`, quote(subject), quote(`" `+rest)) }

	v.each(finding.OutOfDate, containers, fmt.Sprintf("%s && !%s", isFor, hasKey), text("is missing"))
	if e.isJoined {
		v.checkJoined(containers, isFor, e, text)
		return
	}
	differs := fmt.Sprintf("!%s && %s && %s && !%s", v.stamped, isFor, hasKey, hasEntry(e.field, e.body, words.t, at))
	switch words.choice {
	case v1alpha1.ConflictError:
		v.each(words.code, containers, differs, text(fmt.Sprintf(
			"differs from the injector's; make them equal, or set spec.onConflict.%s to Keep or Replace", words.field)))
	case v1alpha1.ConflictReplace:
		v.each(finding.OutOfDate, containers, differs, text("differs"))
	}
}

// checkJoined checks that a value is joined to a variable of the app's containers, and that the variable has a value to join it to.
func (v *validator) checkJoined(containers, isFor string, e appEntry, text func(string) string) {
	how, name := e.rule.Joins[e.body], node.Text(e.body, "name")
	variables := fmt.Sprintf("c.?env.orValue([]).filter(e, e.name == %s)", quote(name))
	v.each(finding.EnvConflict, containers, fmt.Sprintf("%s && %s.exists(e, has(e.valueFrom))", isFor, variables), text(fmt.Sprintf(
		"gets its value when the pod starts (valueFrom), so nothing can be joined to it; in the manifest, give it another "+
			"name, such as APP_%[1]s, and set %[1]s to $(APP_%[1]s) after it", name)))
	v.each(finding.EnvConflict, containers, fmt.Sprintf("%s && size(%s) > 1", isFor, variables), text(
		"is set twice, so it is not clear what to join to; remove one of the two from the manifest"))
	separator := quote(how.Separator)
	lacksPart := fmt.Sprintf(
		"!%s && %s && %s.exists(e, !has(e.valueFrom) && !(%s + e.?value.orValue(\"\") + %s).contains(%s))", v.stamped, isFor, variables,
		separator, separator, quote(how.Separator+node.Text(e.body, "value")+how.Separator))
	for _, used := range podtemplate.UsedVariables(node.Text(e.body, "value")) {
		const names = "c.?env.orValue([]).map(e, e.name)"
		v.each(finding.EnvConflict, containers, fmt.Sprintf("%s && %s.indexOf(%s) > %s.indexOf(%s)", lacksPart, names, quote(used),
			names, quote(name)), text(fmt.Sprintf("comes before %q, which the value that is joined to it uses; move %[1]q before %[2]q "+
			"in the manifest", used, name)))
	}
	v.each(finding.OutOfDate, containers, lacksPart, text("lacks what is joined to it"))
}
