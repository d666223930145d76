package injector

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/yaml/node"
)

func (c checker) checkContainer(at schema.Path, container *corev1.Container) {
	c.Require(strings.TrimSpace(container.Image) != "", at, "image",
		"a container needs an image; write one, such as envoyproxy/envoy:v1.33.0")
	if strings.ContainsFunc(container.Image, unicode.IsSpace) {
		c.Warnf(at.Key("image"), container.Image, "%q has a space, so that no node can pull it; remove the space",
			schema.Shown(container.Image))
	}
	c.checkPorts(at.Key("ports"), container.Ports)
	c.checkEnv(at.Key("env"), container.Env)
	c.checkEnvFrom(at.Key("envFrom"), container.EnvFrom)
	c.checkMounts(at.Key("volumeMounts"), container.VolumeMounts)
	paths := schema.FirstUses{}
	for i, device := range container.VolumeDevices {
		c.checkMount(at.Key("volumeDevices").Index(i), device.Name, "devicePath", device.DevicePath, paths)
	}
}

func (c checker) checkPorts(list schema.Path, ports []corev1.ContainerPort) {
	const notAPort = "%d is not a port; write a number from 1 to 65535"
	names := schema.FirstUses{}
	for i, port := range ports {
		at := list.Index(i)
		isPort := port.ContainerPort >= 1 && port.ContainerPort <= 65535
		c.Require(isPort, at, "containerPort", fmt.Sprintf(notAPort, port.ContainerPort))
		if port.HostPort < 0 || port.HostPort > 65535 {
			c.Refusef(at.Key("hostPort"), strconv.Itoa(int(port.HostPort)), notAPort, port.HostPort)
		}
		if port.Name != "" {
			c.CheckValid(at.Key("name"), port.Name, "port name", validation.IsValidPortName)
			c.CheckUnique(at, port.Name, names)
		}
	}
}

// checkHandlers warns of probes and hooks of a named port that their container does not have: the API server accepts
// them.
func (c checker) checkHandlers(at schema.Path, body *node.Node, ports []corev1.ContainerPort) {
	probes := []string{"livenessProbe", "readinessProbe", "startupProbe"}
	for _, handler := range append(probes, "lifecycle.postStart", "lifecycle.preStop") {
		for _, action := range []string{"httpGet", "tcpSocket"} {
			field := handler + "." + action + ".port"
			port := node.Get(body, strings.Split(field, ".")...)
			if port == nil || port.Tag != node.StrTag {
				continue
			}
			mayBe := func(p corev1.ContainerPort) bool { return p.Name == port.Value || strings.Contains(p.Name, "${") }
			if !slices.ContainsFunc(ports, mayBe) {
				c.Warnf(at+schema.Path("."+field), port.Value,
					"no port of the container is called %q, so that no node finds it; "+
						"add the name to one of its ports, or write a number", schema.Shown(port.Value))
			}
		}
	}
}

func (c checker) checkEnv(list schema.Path, env []corev1.EnvVar) {
	names := schema.FirstUses{}
	for i := range env {
		if at := list.Index(i); c.checkVariable(at, &env[i]) {
			c.checkEnvOnce(at, env[i].Name, names)
		}
	}
}

// checkVariable checks one variable, and reports whether it has a name.
func (c checker) checkVariable(at schema.Path, variable *corev1.EnvVar) bool {
	if !c.Require(variable.Name != "", at, "name", "an environment variable needs a name; write one") {
		return false
	}
	if !c.NotBoth(variable.Value != "" && variable.ValueFrom != nil, at, "value", "valueFrom") {
		c.checkValueFrom(at.Key("valueFrom"), variable.ValueFrom)
	}
	c.checkEnvName(at.Key("name"), variable.Name)
	return true
}

func (c checker) checkEnvOnce(at schema.Path, name string, names schema.FirstUses) {
	c.CheckOnce(names, name, at, at.Key("name"),
		"%[1]s sets %[2]q already; Kubernetes takes the last one, so remove the first")
}

// checkEnvName checks the name of a variable, or the prefix of such names.
func (c checker) checkEnvName(at schema.Path, name string) {
	c.CheckValid(at, name, "environment variable name", validation.IsRelaxedEnvVarName)
}

// checkValueFrom reports a variable that does not have exactly one source.
func (c checker) checkValueFrom(at schema.Path, from *corev1.EnvVarSource) {
	if from == nil {
		return
	}
	switch sources := schema.PresentFields(*from); len(sources) {
	case 0:
		known := jsonfield.Of(reflect.TypeFor[corev1.EnvVarSource]()).Names()
		c.Missing(at.Key("fieldRef"), "valueFrom needs a source; write one of "+schema.Listed(known))
	case 1:
	default:
		c.Refusef(at, "", "valueFrom has %d sources, and a variable has one value; keep one of them", len(sources))
	}
}

func (c checker) checkEnvFrom(list schema.Path, sources []corev1.EnvFromSource) {
	for i, source := range sources {
		at := list.Index(i)
		if source.Prefix != "" {
			c.checkEnvName(at.Key("prefix"), source.Prefix)
		}
		switch {
		case source.ConfigMapRef != nil && source.SecretRef != nil:
			c.Refusef(at.Key("secretRef"), "",
				"configMapRef and secretRef cannot both be given; make two entries of them")
		case source.ConfigMapRef == nil && source.SecretRef == nil:
			c.Missing(at.Key("configMapRef"), "an entry of envFrom needs a configMapRef or a secretRef; write one")
		case source.ConfigMapRef != nil:
			c.checkReference(at.Key("configMapRef"), "ConfigMap", source.ConfigMapRef.Name)
		default:
			c.checkReference(at.Key("secretRef"), "Secret", source.SecretRef.Name)
		}
	}
}

func (c checker) checkReference(at schema.Path, kind, name string) {
	if c.Require(name != "", at, "name", "the reference needs the name of a "+kind+"; write it") {
		c.CheckValid(at.Key("name"), name, kind+" name", validation.IsDNS1123Subdomain)
	}
}

func (c checker) checkMounts(list schema.Path, mounts []corev1.VolumeMount) {
	paths := schema.FirstUses{}
	for i, mount := range mounts {
		c.checkMount(list.Index(i), mount.Name, "mountPath", mount.MountPath, paths)
	}
}

// checkMount reports a mount or a device without a volume or a path, and paths that are used twice.
func (c checker) checkMount(at schema.Path, volume, pathField, mountPath string, paths schema.FirstUses) {
	what := "mount"
	example := "/etc/envoy"
	if pathField == "devicePath" {
		what = "volume device"
		example = "/dev/block"
	}
	c.Require(volume != "", at, "name", "a "+what+" needs the name of its volume; write it")
	c.Require(mountPath != "", at, pathField, "a "+what+" needs a "+pathField+"; write one, such as "+example)
	c.CheckOnce(paths, mountPath, at, at.Key(pathField), "%[1]s has the path %[2]q already; use each path once")
}
