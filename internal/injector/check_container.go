package injector

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

func (c checker) checkContainer(at path, container *corev1.Container, names firstUses) {
	c.checkPayloadName(at, container.Name, "container", names)
	if strings.TrimSpace(container.Image) == "" {
		c.require(at.key("image"), "a container needs an image; write one, such as envoyproxy/envoy:v1.33.0")
	}
	c.checkPorts(at.key("ports"), container.Ports)
	c.checkEnv(at.key("env"), container.Env)
	c.checkEnvFrom(at.key("envFrom"), container.EnvFrom)
	c.checkMounts(at.key("volumeMounts"), container.VolumeMounts)
	c.checkDevices(at.key("volumeDevices"), container.VolumeDevices)
}

func (c checker) checkPorts(list path, ports []corev1.ContainerPort) {
	names := firstUses{}
	for i, port := range ports {
		at := list.index(i)
		if port.ContainerPort < 1 || port.ContainerPort > 65535 {
			c.require(at.key("containerPort"), fmt.Sprintf("%d is not a port; write a number from 1 to 65535", port.ContainerPort))
		}
		if port.HostPort < 0 || port.HostPort > 65535 {
			c.refusef(at.key("hostPort"), fmt.Sprint(port.HostPort), "%d is not a port; write a number from 1 to 65535", port.HostPort)
		}
		if port.Name != "" {
			c.checkWord(at.key("name"), port.Name, "port", validation.IsValidPortName)
			c.checkUnique(at, port.Name, names)
		}
	}
}

func (c checker) checkEnv(list path, env []corev1.EnvVar) {
	names := firstUses{}
	for i, variable := range env {
		at := list.index(i)
		if variable.Name == "" {
			c.require(at.key("name"), "an environment variable needs a name; write one")
			continue
		}
		if variable.Value != "" && variable.ValueFrom != nil {
			c.refusef(at.key("valueFrom"), "", "value and valueFrom cannot both be given; keep one")
		} else {
			c.checkValueFrom(at.key("valueFrom"), variable.ValueFrom)
		}
		c.checkEnvName(at.key("name"), variable.Name)
		if first, again := names.add(variable.Name, at); again {
			c.refusef(at.key("name"), variable.Name, "%s sets %q already; Kubernetes takes the last one, so remove the first", first, variable.Name)
		}
	}
}

func (c checker) checkMounts(list path, mounts []corev1.VolumeMount) {
	paths := firstUses{}
	for i, mount := range mounts {
		at := list.index(i)
		if mount.Name == "" {
			c.require(at.key("name"), "a mount needs the name of its volume; write it")
		}
		if mount.MountPath == "" {
			c.require(at.key("mountPath"), "a mount needs a mountPath; write one, such as /etc/envoy")
		}
		if first, again := paths.add(mount.MountPath, at); again {
			c.refusef(at.key("mountPath"), mount.MountPath, "%s mounts %q already; mount each path once", first, mount.MountPath)
		}
	}
}

func (c checker) checkDevices(list path, devices []corev1.VolumeDevice) {
	paths := firstUses{}
	for i, device := range devices {
		at := list.index(i)
		if device.Name == "" {
			c.require(at.key("name"), "a volume device needs the name of its volume; write it")
		}
		if device.DevicePath == "" {
			c.require(at.key("devicePath"), "a volume device needs a devicePath; write one, such as /dev/block")
		}
		if first, again := paths.add(device.DevicePath, at); again {
			c.refusef(at.key("devicePath"), device.DevicePath, "%s has the path %q already; use each once", first, device.DevicePath)
		}
	}
}
