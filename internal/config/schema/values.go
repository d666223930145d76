package schema

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// valueRule returns what is wrong with the value of a field, or "". The API server refuses such a value whatever else
// the pod has. The value is the zero value if the field is not set.
type valueRule func(value reflect.Value) (fault string)

// valueRules are the API server's rules for single values, by the type that has the field. testdata/values.yaml has a
// value that is accepted and one that is refused for each of them. What the reader checks elsewhere is not here.
var valueRules = sync.OnceValue(func() map[reflect.Type]map[string]valueRule {
	return map[reflect.Type]map[string]valueRule{
		reflect.TypeFor[corev1.HTTPGetAction]():   {"port": portOrName},
		reflect.TypeFor[corev1.TCPSocketAction](): {"port": portOrName},
		reflect.TypeFor[corev1.GRPCAction]():      {"port": within(1, math.MaxUint16, "port")},
		reflect.TypeFor[corev1.ExecAction]():      {"command": needed},
		reflect.TypeFor[corev1.HTTPHeader]():      {"name": validText("header name", validation.IsHTTPHeaderName)},
		reflect.TypeFor[corev1.Probe](): {
			"initialDelaySeconds":           notNegative,
			"timeoutSeconds":                notNegative,
			"periodSeconds":                 notNegative,
			"successThreshold":              notNegative,
			"failureThreshold":              notNegative,
			"terminationGracePeriodSeconds": ifSet(within(1, math.MaxInt64, "number of seconds")),
		},
		reflect.TypeFor[corev1.SecurityContext](): {"runAsUser": identity, "runAsGroup": identity},
		reflect.TypeFor[corev1.PodSecurityContext](): {
			"runAsUser":          identity,
			"runAsGroup":         identity,
			"fsGroup":            identity,
			"supplementalGroups": identities,
		},
		reflect.TypeFor[corev1.PodSpec](): {
			"activeDeadlineSeconds": ifSet(within(1, math.MaxInt32, "number of seconds")),
			"hostname":              ifSet(validText("host name", validation.IsDNS1123Label)),
			"subdomain":             ifSet(validText("subdomain", validation.IsDNS1123Label)),
			"serviceAccountName":    ifSet(validText("ServiceAccount name", validation.IsDNS1123Subdomain)),
			"priorityClassName":     ifSet(validText("PriorityClass name", validation.IsDNS1123Subdomain)),
			"runtimeClassName":      ifSet(validText("RuntimeClass name", validation.IsDNS1123Subdomain)),
		},

		reflect.TypeFor[corev1.EnvVarSource](): {"fieldRef": fieldRef("spec.nodeName", "spec.serviceAccountName",
			"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs")},
		reflect.TypeFor[corev1.DownwardAPIVolumeFile](): {
			"fieldRef":         fieldRef("metadata.labels", "metadata.annotations"),
			"resourceFieldRef": ofContainer,
			"path":             fileName,
			"mode":             fileMode,
		},
		reflect.TypeFor[corev1.ResourceFieldSelector](): {"resource": resourceField},
		reflect.TypeFor[corev1.ConfigMapKeySelector]():  {"name": objectName, "key": objectKey},
		reflect.TypeFor[corev1.SecretKeySelector]():     {"name": objectName, "key": objectKey},

		reflect.TypeFor[corev1.HostPathVolumeSource]():    {"path": hostPath},
		reflect.TypeFor[corev1.ConfigMapVolumeSource]():   {"name": needed, "defaultMode": fileMode},
		reflect.TypeFor[corev1.SecretVolumeSource]():      {"secretName": needed, "defaultMode": fileMode},
		reflect.TypeFor[corev1.DownwardAPIVolumeSource](): {"defaultMode": fileMode},
		reflect.TypeFor[corev1.ProjectedVolumeSource]():   {"defaultMode": fileMode},
		reflect.TypeFor[corev1.ConfigMapProjection]():     {"name": needed},
		reflect.TypeFor[corev1.SecretProjection]():        {"name": needed},
		reflect.TypeFor[corev1.ServiceAccountTokenProjection](): {
			"path":              fileName,
			"expirationSeconds": tokenSeconds,
		},
		reflect.TypeFor[corev1.KeyToPath](): {
			"key":  needed,
			"path": fileName,
			"mode": fileMode,
		},
		reflect.TypeFor[corev1.PersistentVolumeClaimVolumeSource](): {"claimName": needed},
		reflect.TypeFor[corev1.CSIVolumeSource]():                   {"driver": needed},
		reflect.TypeFor[corev1.ImageVolumeSource]():                 {"reference": needed},
		reflect.TypeFor[corev1.EmptyDirVolumeSource]():              {"sizeLimit": ifSet(size)},
	}
})

// checkValues reports the values of a mapping that the API server refuses. Those with variables are checked for each
// pod.
func (d *Decoder) checkValues(n *node.Node, v reflect.Value, at Path) {
	rules := valueRules()[v.Type()]
	if rules == nil || IsNewerThanTypes(d.Version) { // which may accept more
		return
	}
	for _, field := range jsonfield.Of(v.Type()) {
		rule := rules[field.Name]
		written := node.Get(n, field.Name)
		if _, varies := d.Variables[written]; rule == nil || varies {
			continue
		}
		fault := rule(v.FieldByIndex(field.Index))
		if fault == "" {
			continue
		}
		isMissing := node.IsNull(written)
		if isMissing {
			fault = "a " + field.Name + " is missing; write it"
		}
		fieldAt := at.Key(field.Name)
		place := d.Positions.Of(fieldAt)
		isReported := func(bad Path) bool {
			isMisspelt := isMissing && bad.parent() == place.parent() // probably
			return isMisspelt || bad.Within(place)
		}
		if !slices.ContainsFunc(d.Malformed, isReported) {
			d.Malformf(fieldAt, "", "%s", fault)
		}
	}
}

// inBytes are the ends of the paths of quantities that are numbers of bytes.
var inBytes = []string{".memory", ".ephemeral-storage", ".storage", ".sizeLimit"}

// warnOfBytes reports a number of bytes in thousandths, which Kubernetes accepts and nobody means.
func (d *Decoder) warnOfBytes(text string, quantity *resource.Quantity, at Path) {
	isOfBytes := slices.ContainsFunc(inBytes, func(end string) bool { return strings.HasSuffix(string(at), end) })
	if number, isInThousandths := strings.CutSuffix(text, "m"); isOfBytes && isInThousandths {
		d.Warnf(at, text, "%s is %d B, because m stands for thousandths; did you mean %sMi?",
			Shown(text), quantity.Value(), Shown(number))
	}
}

// ifSet returns a rule for a field that need not have a value.
func ifSet(rule valueRule) valueRule {
	return func(value reflect.Value) string {
		if value.IsZero() {
			return ""
		}
		return rule(reflect.Indirect(value))
	}
}

// needed is the rule for a field that must have a value.
func needed(value reflect.Value) string {
	isEmpty := value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0
	if isEmpty {
		return "it is empty; write a value"
	}
	return ""
}

// within returns a rule for a number.
func within(least, most int64, what string) valueRule {
	return func(value reflect.Value) string {
		number := value.Int()
		switch {
		case number >= least && number <= most:
			return ""
		case most == math.MaxInt64:
			return fmt.Sprintf("%d is not a %s; write %d or more", number, what, least)
		}
		return fmt.Sprintf("%d is not a %s; write a number from %d to %d", number, what, least, most)
	}
}

// validText returns one of Kubernetes' rules for texts.
func validText(what string, rule func(string) []string) valueRule {
	return func(value reflect.Value) string { return faultOf(value.String(), what, rule) }
}

var (
	notNegative  = within(0, math.MaxInt64, "number of this kind")
	identity     = ifSet(within(0, math.MaxInt32, "user or group ID"))
	objectName   = validText("name", validation.IsDNS1123Subdomain)
	tokenSeconds = ifSet(within(600, 1<<32, "number of seconds"))
	objectKey    = validText("key", validation.IsConfigMapKey)
)

// identities is the rule for a list of groups.
func identities(value reflect.Value) string {
	for i := range value.Len() {
		if fault := identity(value.Index(i)); fault != "" {
			return fault
		}
	}
	return ""
}

// fileMode is the rule for permissions, which YAML reads as octal numbers if they begin with a 0.
func fileMode(value reflect.Value) string {
	if mode := reflect.Indirect(value); mode.IsValid() && (mode.Int() < 0 || mode.Int() > 0o777) {
		return fmt.Sprintf("%d (octal %#[1]o) is not a file mode; write an octal number from 0000 to 0777", mode.Int())
	}
	return ""
}

// portOrName is the rule for the port of a probe or a hook.
func portOrName(value reflect.Value) string {
	port := value.Interface().(intstr.IntOrString)
	if port.Type == intstr.Int {
		return within(1, math.MaxUint16, "port")(value.FieldByName("IntVal"))
	}
	return validText("name of a port", validation.IsValidPortName)(value.FieldByName("StrVal"))
}

func size(value reflect.Value) string {
	if quantity := value.Interface().(resource.Quantity); quantity.Sign() < 0 {
		return fmt.Sprintf("%s is not a size; write 0 or more", quantity.String())
	}
	return ""
}

// hostPath is the rule for a path on the node.
func hostPath(value reflect.Value) string {
	switch path := value.String(); {
	case path == "":
		return needed(value)
	case slices.Contains(strings.Split(path, "/"), ".."):
		return fmt.Sprintf(`%q must be a path without ".."; write where it leads to`, Shown(path))
	}
	return ""
}

// fileName is the rule for a file within a volume.
func fileName(value reflect.Value) string {
	if path := value.String(); strings.HasPrefix(path, "/") || strings.HasPrefix(path, "..") {
		return fmt.Sprintf(`%q must be a path within the volume; write it without "/" and ".." at its start`,
			Shown(path))
	}
	return hostPath(value)
}

// fieldRef returns the rule for a field of the pod. Variables and files can have some, and each can have others as
// well.
func fieldRef(others ...string) valueRule {
	known := append([]string{"metadata.name", "metadata.namespace", "metadata.uid"}, others...)
	return func(value reflect.Value) string {
		if value.IsNil() {
			return ""
		}
		field := value.Interface().(*corev1.ObjectFieldSelector).FieldPath
		_, key, hasKey := MetadataKey(field)
		isByKey := hasKey && len(IsAnnotationKey(key)) == 0
		if isByKey || slices.Contains(known, field) || strings.Contains(field, "${") {
			return ""
		}
		return fmt.Sprintf("%q is not a field of the pod that can be read here; write one of %s, "+
			"metadata.labels['KEY'] and metadata.annotations['KEY'] as fieldPath",
			Shown(field), strings.Join(known, ", "))
	}
}

// ofContainer is the rule for a file with the resources of a container, which it has to name.
func ofContainer(value reflect.Value) string {
	if !value.IsNil() && value.Interface().(*corev1.ResourceFieldSelector).ContainerName == "" {
		return "a containerName is missing; write the container whose resources the file has"
	}
	return ""
}

// resourceField is the rule for the name of a request or a limit.
func resourceField(value reflect.Value) string {
	list, name, _ := strings.Cut(value.String(), ".")
	isResource := slices.Contains([]string{"cpu", "memory", "ephemeral-storage"}, name)
	isHugePages := strings.HasPrefix(name, "hugepages-")
	if (isResource || isHugePages) && (list == "requests" || list == "limits") {
		return ""
	}
	return fmt.Sprintf("%q is not a resource of a container; write requests or limits, a dot, "+
		"and cpu, memory, ephemeral-storage or hugepages-SIZE", Shown(value.String()))
}
