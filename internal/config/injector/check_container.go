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

	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/yaml/node"
)

func (c checker) checkContainer(at path, container *corev1.Container) {
	c.require(strings.TrimSpace(container.Image) != "", at, "image",
		"a container needs an image; write one, such as envoyproxy/envoy:v1.33.0")
	if strings.ContainsFunc(container.Image, unicode.IsSpace) {
		c.warnf(at.key("image"), container.Image, "%q has a space, so that no node can pull it; remove the space",
			clip(container.Image, maxShown))
	}
	c.checkPorts(at.key("ports"), container.Ports)
	c.checkEnv(at.key("env"), container.Env)
	c.checkEnvFrom(at.key("envFrom"), container.EnvFrom)
	c.checkMounts(at.key("volumeMounts"), container.VolumeMounts)
	paths := firstUses{}
	for i, device := range container.VolumeDevices {
		c.checkMount(at.key("volumeDevices").index(i), device.Name, "devicePath", device.DevicePath, paths)
	}
}

func (c checker) checkPorts(list path, ports []corev1.ContainerPort) {
	const notAPort = "%d is not a port; write a number from 1 to 65535"
	names := firstUses{}
	for i, port := range ports {
		at := list.index(i)
		isPort := port.ContainerPort >= 1 && port.ContainerPort <= 65535
		c.require(isPort, at, "containerPort", fmt.Sprintf(notAPort, port.ContainerPort))
		if port.HostPort < 0 || port.HostPort > 65535 {
			c.refusef(at.key("hostPort"), strconv.Itoa(int(port.HostPort)), notAPort, port.HostPort)
		}
		if port.Name != "" {
			c.checkValid(at.key("name"), port.Name, "port name", validation.IsValidPortName)
			c.checkUnique(at, port.Name, names)
		}
	}
}

// checkHandlers warns of probes and hooks of a named port that their container does not have: the API server accepts
// them.
func (c checker) checkHandlers(at path, body *node.Node, ports []corev1.ContainerPort) {
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
				c.warnf(at+path("."+field), port.Value,
					"no port of the container is called %q, so that no node finds it; "+
						"add the name to one of its ports, or write a number", clip(port.Value, maxShown))
			}
		}
	}
}

func (c checker) checkEnv(list path, env []corev1.EnvVar) {
	names := firstUses{}
	for i := range env {
		if at := list.index(i); c.checkVariable(at, &env[i]) {
			c.checkEnvOnce(at, env[i].Name, names)
		}
	}
}

// checkVariable checks one variable, and reports whether it has a name.
func (c checker) checkVariable(at path, variable *corev1.EnvVar) bool {
	if !c.require(variable.Name != "", at, "name", "an environment variable needs a name; write one") {
		return false
	}
	if !c.notBoth(variable.Value != "" && variable.ValueFrom != nil, at, "value", "valueFrom") {
		c.checkValueFrom(at.key("valueFrom"), variable.ValueFrom)
	}
	c.checkEnvName(at.key("name"), variable.Name)
	return true
}

func (c checker) checkEnvOnce(at path, name string, names firstUses) {
	c.checkOnce(names, name, at, at.key("name"),
		"%[1]s sets %[2]q already; Kubernetes takes the last one, so remove the first")
}

// checkEnvName checks the name of a variable, or the prefix of such names.
func (c checker) checkEnvName(at path, name string) {
	c.checkValid(at, name, "environment variable name", validation.IsRelaxedEnvVarName)
}

// checkValueFrom reports a variable that does not have exactly one source.
func (c checker) checkValueFrom(at path, from *corev1.EnvVarSource) {
	if from == nil {
		return
	}
	switch sources := presentFields(*from); len(sources) {
	case 0:
		known := jsonfield.Of(reflect.TypeFor[corev1.EnvVarSource]()).Names()
		c.missing(at.key("fieldRef"), "valueFrom needs a source; write one of "+listed(known))
	case 1:
	default:
		c.refusef(at, "", "valueFrom has %d sources, and a variable has one value; keep one of them", len(sources))
	}
}

func (c checker) checkEnvFrom(list path, sources []corev1.EnvFromSource) {
	for i, source := range sources {
		at := list.index(i)
		if source.Prefix != "" {
			c.checkEnvName(at.key("prefix"), source.Prefix)
		}
		switch {
		case source.ConfigMapRef != nil && source.SecretRef != nil:
			c.refusef(at.key("secretRef"), "",
				"configMapRef and secretRef cannot both be given; make two entries of them")
		case source.ConfigMapRef == nil && source.SecretRef == nil:
			c.missing(at.key("configMapRef"), "an entry of envFrom needs a configMapRef or a secretRef; write one")
		case source.ConfigMapRef != nil:
			c.checkReference(at.key("configMapRef"), "ConfigMap", source.ConfigMapRef.Name)
		default:
			c.checkReference(at.key("secretRef"), "Secret", source.SecretRef.Name)
		}
	}
}

func (c checker) checkReference(at path, kind, name string) {
	if c.require(name != "", at, "name", "the reference needs the name of a "+kind+"; write it") {
		c.checkValid(at.key("name"), name, kind+" name", validation.IsDNS1123Subdomain)
	}
}

func (c checker) checkMounts(list path, mounts []corev1.VolumeMount) {
	paths := firstUses{}
	for i, mount := range mounts {
		c.checkMount(list.index(i), mount.Name, "mountPath", mount.MountPath, paths)
	}
}

// checkMount reports a mount or a device without a volume or a path, and paths that are used twice.
func (c checker) checkMount(at path, volume, pathField, mountPath string, paths firstUses) {
	what := "mount"
	example := "/etc/envoy"
	if pathField == "devicePath" {
		what = "volume device"
		example = "/dev/block"
	}
	c.require(volume != "", at, "name", "a "+what+" needs the name of its volume; write it")
	c.require(mountPath != "", at, pathField, "a "+what+" needs a "+pathField+"; write one, such as "+example)
	c.checkOnce(paths, mountPath, at, at.key(pathField), "%[1]s has the path %[2]q already; use each path once")
}
