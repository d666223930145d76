package injector

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/schema"
	apirules "pillion.dev/pillion/internal/pods/check"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

func (c checker) checkPayload() {
	isNeeded := c.spec.Action != v1alpha1.Remove && !c.isForPod() // a removal depends on the stamps alone
	if isNeeded && c.isEmpty() {
		c.Missing(schema.InSpec("containers"),
			"there is nothing to inject; write at least one of "+strings.Join(schema.PayloadFields, ", "))
	}
	names := schema.FirstUses{}
	for _, container := range c.containers() {
		at := c.pathOf(container)
		c.checkPayloadName(at, container.Name, "container", names)
		if !c.isChanged(container.list, container.index) {
			continue
		}
		body := c.written(container)
		c.checkContainer(at, container.Container)
		c.checkHandlers(at, body, container.Ports)
		c.checkPlacement(at, container.Name, container.Placement)
		c.checkFromApp(at, container.Container, &container.FromApp)
		c.checkRestarts(at, container)
		c.checkAPIRules(at, container.list, body)
		c.checkOverrides(at, container)
	}
	c.checkVolumes()
	c.checkImagePullSecrets()
}

// isEmpty reports whether there is no payload.
func (c checker) isEmpty() bool {
	return !slices.ContainsFunc(schema.PayloadFields, func(field string) bool {
		value := node.Get(c.fields, field)
		return value != nil && len(value.Content) > 0
	})
}

// checkRestarts reports native sidecars and restart policies that the cluster does not have, and restart policies that
// a native sidecar cannot have.
func (c checker) checkRestarts(at schema.Path, container payloadContainer) {
	policy := ""
	isInit := container.list == pod.Init
	if container.RestartPolicy != nil {
		policy = string(*container.RestartPolicy)
	}
	isAlways := policy == string(corev1.ContainerRestartPolicyAlways)
	hasNative := schema.IsAtLeast(c.spec.KubernetesVersion, schema.FirstNative)
	mayBeNative := isInit && isAlways || !isInit && container.mode != v1alpha1.ModeContainer && hasNative
	switch {
	case c.modeOf(container) == v1alpha1.ModeNative:
		c.needVersion(schema.FirstNative, at.Key("mode"), string(container.mode),
			"native sidecars", "write mode: Container")
	case isInit && isAlways:
		c.needVersion(schema.FirstNative, at.Key("restartPolicy"), policy, "native sidecars", "remove it")
	case policy != "":
		c.needVersion(schema.FirstRestartRules, at.Key("restartPolicy"), policy,
			"restart policies of containers", "remove it")
	}
	for i, rule := range container.RestartPolicyRules {
		needed := schema.FirstRestartRules
		what := "restart rules"
		if mayBeNative || rule.Action == corev1.ContainerRestartRuleActionRestartAllContainers {
			needed = schema.FirstRestartAll
			what = "restart rules of native sidecars, and RestartAllContainers,"
		}
		ruleAt := at.Key("restartPolicyRules").Index(i)
		c.needVersion(needed, ruleAt, "", what, "remove it")
		if !slices.Contains(restartActions, rule.Action) && !schema.IsNewerThanTypes(c.spec.KubernetesVersion) {
			c.Refusef(ruleAt.Key("action"), string(rule.Action), "%q is not one of %s",
				schema.Shown(string(rule.Action)),
				strings.Join(v1alpha1.Words(restartActions...), ", "))
		}
	}
	if mayBeNative && policy != "" && !isAlways {
		remedy := "remove it, or write mode: Container"
		if c.Literal {
			remedy = "remove it" // other tools' configs have no modes
		}
		c.Refusef(at.Key("restartPolicy"), policy,
			"a sidecar that becomes a native one has the restart policy Always; %s", remedy)
	}
}

var restartActions = []corev1.ContainerRestartRuleAction{
	corev1.ContainerRestartRuleActionRestart, corev1.ContainerRestartRuleActionRestartAllContainers,
}

// needVersion reports a value for which the cluster is too old.
func (c checker) needVersion(minor int, at schema.Path, value, what, remedy string) {
	if version := c.spec.KubernetesVersion; !schema.IsAtLeast(version, minor) {
		c.Refusef(at, value, "%s need Kubernetes 1.%d, and kubernetesVersion is %s; %s or raise the version",
			what, minor, version, remedy)
	}
}

func (c checker) checkPlacement(at schema.Path, name string, placement v1alpha1.Placement) {
	c.NotBoth(placement.Before != "" && placement.After != "", at, "before", "after")
	check := func(field, neighbour string) {
		if neighbour == "" {
			return
		}
		if neighbour == name {
			c.Refusef(at.Key(field), name, "a container cannot be put %s itself; name another", field)
		}
		c.CheckValid(at.Key(field), neighbour, "container name", validation.IsDNS1123Label)
	}
	check("before", placement.Before)
	check("after", placement.After)
}

// checkAPIRules reports a container that the API server refuses in every pod. Fields with variables are checked
// for each pod, and nothing is checked if something in the config could not be decoded.
func (c checker) checkAPIRules(at schema.Path, list string, body *node.Node) {
	if body == nil || len(c.Malformed) > 0 {
		return
	}
	varies := func(field string) bool { return c.variables.AreIn(node.Get(body, field)) }
	for _, f := range apirules.ContainerViolations(body, list, varies) {
		c.Refusef(at+schema.Path("."+f.Field.Path), "", "%s", f.Message)
	}
}

func (c checker) checkVolumes() {
	names := schema.FirstUses{}
	for i := range c.spec.Volumes {
		volume := &c.spec.Volumes[i]
		at := schema.InSpec("volumes").Index(i)
		c.checkPayloadName(at, volume.Name, "volume", names)
		if sources := schema.PresentFields(volume.VolumeSource); len(sources) > 1 {
			c.Refusef(at.Key(sources[1]), "",
				"the volume has %s already, and a volume has one source; remove one", sources[0])
		}
	}
}

func (c checker) checkImagePullSecrets() {
	names := schema.FirstUses{}
	for i, secret := range c.spec.ImagePullSecrets {
		at := schema.InSpec("imagePullSecrets").Index(i)
		c.checkReference(at, "Secret", secret.Name)
		c.CheckUnique(at, secret.Name, names)
	}
}

// checkPayloadName reports a missing, an invalid or a repeated name of a container or a volume.
func (c checker) checkPayloadName(at schema.Path, name, what string, names schema.FirstUses) {
	if c.Require(name != "", at, "name", "a "+what+" needs a name; write one") {
		c.CheckValid(at.Key("name"), name, what+" name", validation.IsDNS1123Label)
		c.CheckUnique(at, name, names)
	}
}

// checkPodSpec reports pod fields that have a place of their own in the spec, and lists with repeated entries.
func (c checker) checkPodSpec() {
	at := schema.InSpec("podSpec")
	for field, value := range node.Fields(node.Get(c.fields, "podSpec")) {
		if remedy := pod.InSpec(field).Move; remedy != "" {
			c.Refusef(at.Key(field), field, "%s", remedy)
		} else {
			c.checkRepeats(at.Key(field), pod.InSpec(field), value)
		}
	}
}

// checkRepeats reports entries of a list, and of the lists inside it, that have the key of an earlier one, or are the
// same if they have no key. In the pod, such entries could not be told apart.
func (c checker) checkRepeats(at schema.Path, row *pod.Row, value *node.Node) {
	for field, inner := range node.Fields(value) {
		c.checkRepeats(at.Key(field), row.Child(field), inner)
	}
	if value == nil || value.Kind != node.SequenceNode {
		return
	}
	entries := schema.FirstUses{}
	for i, entry := range value.Content {
		entryAt := at.Index(i)
		key := row.Key(entry)
		problem := "%s has the same key, " + strconv.Quote(schema.Shown(key)) + "; make one entry of both"
		if key == "" {
			key = string(node.AppendCanonical(nil, entry))
			problem = "%s is the same; remove one of them"
		}
		if first, again := entries[key]; again {
			c.Refusef(entryAt, "", problem, first)
		} else {
			entries[key] = c.Positions.Of(entryAt)
		}
		c.checkRepeats(entryAt, row.Child(key), entry)
	}
}
