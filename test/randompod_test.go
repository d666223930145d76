package test

import (
	"fmt"
	"math/rand"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// podMaker creates random pods and payloads. The same seed creates the same ones.
type podMaker struct{ *rand.Rand }

// Ports of apps and sidecars come from separate ranges, because a shared port is a conflict.
const (
	firstAppPort     = 8000
	firstSidecarPort = 9000
)

// payload returns a payload with unique names, so that a pod has parts of it only if pod added them.
func (r podMaker) payload() corev1.PodSpec {
	volumes := r.volumes("sidecar-volume")
	return corev1.PodSpec{
		Containers:       r.containers("sidecar", 1, firstSidecarPort, volumes),
		InitContainers:   r.containers("sidecar-init", 0, firstSidecarPort+100, volumes),
		Volumes:          volumes,
		ImagePullSecrets: r.secrets("sidecar-secret"),
	}
}

// pod returns a pod that may already have parts of the payload.
func (r podMaker) pod(name string, payload corev1.PodSpec) corev1.Pod {
	volumes := r.volumes("volume")
	return corev1.Pod{
		TypeMeta:   podType,
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": name}},
		Spec: corev1.PodSpec{
			Containers:         someOf(r, r.containers("app", 1, firstAppPort, volumes), payload.Containers),
			InitContainers:     someOf(r, r.containers("init", 0, firstAppPort+100, volumes), payload.InitContainers),
			Volumes:            someOf(r, volumes, payload.Volumes),
			ImagePullSecrets:   someOf(r, r.secrets("secret"), payload.ImagePullSecrets),
			ServiceAccountName: r.pick("", "web", "default"),
			NodeSelector:       map[string]string{"disk": r.pick("ssd", "hdd")},
		},
	}
}

func (r podMaker) containers(prefix string, least, firstPort int, volumes []corev1.Volume) []corev1.Container {
	var containers []corev1.Container
	for i := range least + r.Intn(3) {
		container := corev1.Container{
			Name:  fmt.Sprintf("%s-%d", prefix, i),
			Image: r.pick("nginx:1.27", "busybox", "registry.example.com/team/app@sha256:0123"),
			Args:  r.words(),
			Env:   r.env(),
			Ports: []corev1.ContainerPort{
				{ContainerPort: int32(firstPort + 2*i), Protocol: corev1.ProtocolTCP},
				{ContainerPort: int32(firstPort + 2*i + 1), Protocol: corev1.ProtocolUDP},
			},
			Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(r.pick("100m", "1", "0.5"))},
			},
		}
		for _, volume := range volumes {
			container.VolumeMounts = append(container.VolumeMounts,
				corev1.VolumeMount{Name: volume.Name, MountPath: "/mnt/" + volume.Name, ReadOnly: r.Intn(2) == 0})
		}
		containers = append(containers, container)
	}
	return containers
}

func (r podMaker) env() []corev1.EnvVar {
	var env []corev1.EnvVar
	for i := range r.Intn(3) {
		env = append(env, corev1.EnvVar{
			Name:  fmt.Sprintf("VARIABLE_%d", i),
			Value: r.pick("", "yes", "0x10", "a: b # c", "two\nlines\n", `"quoted"`, "$(VARIABLE_0)"),
		})
	}
	return env
}

func (r podMaker) words() []string {
	var words []string
	for range r.Intn(3) {
		words = append(words, r.pick("serve", "--level=3", "on", "- dash", "{}", "1e3", ""))
	}
	return words
}

func (r podMaker) volumes(prefix string) []corev1.Volume {
	var volumes []corev1.Volume
	for i := range r.Intn(3) {
		volume := corev1.Volume{Name: fmt.Sprintf("%s-%d", prefix, i)}
		if r.Intn(2) == 0 {
			volume.EmptyDir = &corev1.EmptyDirVolumeSource{}
		} else {
			volume.ConfigMap = &corev1.ConfigMapVolumeSource{
				LocalObjectReference: corev1.LocalObjectReference{Name: r.pick("settings", "other")},
			}
		}
		volumes = append(volumes, volume)
	}
	return volumes
}

func (r podMaker) secrets(prefix string) []corev1.LocalObjectReference {
	var secrets []corev1.LocalObjectReference
	for i := range r.Intn(3) {
		secrets = append(secrets, corev1.LocalObjectReference{Name: fmt.Sprintf("%s-%d", prefix, i)})
	}
	return secrets
}

func (r podMaker) pick(choices ...string) string {
	return choices[r.Intn(len(choices))]
}

// someOf adds each of the extras to a list one time in five.
func someOf[T any](r podMaker, list, extras []T) []T {
	for _, extra := range extras {
		if r.Intn(5) == 0 {
			list = append(list, extra)
		}
	}
	return list
}
