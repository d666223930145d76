package apiserver

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Arrive returns the pod as admission finds it: with the defaults that the API server sets when it decodes a pod. It
// has the defaults of the fields that pods commonly use; a real API server has more. It does not change the given pod.
//
// Policies cannot distinguish a default from the same value in the manifest.
func Arrive(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	spec := &pod.Spec
	setDefault(&spec.DNSPolicy, corev1.DNSClusterFirst)
	setDefault(&spec.RestartPolicy, corev1.RestartPolicyAlways)
	setDefault(&spec.SchedulerName, corev1.DefaultSchedulerName)
	setPointer(&spec.SecurityContext, corev1.PodSecurityContext{})
	setPointer(&spec.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
	setPointer(&spec.EnableServiceLinks, corev1.DefaultEnableServiceLinks)
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			setContainerDefaults(&containers[i], spec.HostNetwork)
		}
	}
	for i := range spec.Volumes {
		setVolumeDefaults(&spec.Volumes[i].VolumeSource)
	}
	return pod
}

func setDefault[T comparable](field *T, value T) {
	var unset T
	if *field == unset {
		*field = value
	}
}

func setPointer[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

func setContainerDefaults(c *corev1.Container, hostNetwork bool) {
	setDefault(&c.ImagePullPolicy, pullPolicy(c.Image))
	setDefault(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	setDefault(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	for i := range c.Ports {
		setDefault(&c.Ports[i].Protocol, corev1.ProtocolTCP)
		if hostNetwork {
			setDefault(&c.Ports[i].HostPort, c.Ports[i].ContainerPort)
		}
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil {
			setFieldRefDefault(from.FieldRef)
		}
	}
	for name, limit := range c.Resources.Limits {
		if c.Resources.Requests == nil {
			c.Resources.Requests = corev1.ResourceList{}
		}
		if _, set := c.Resources.Requests[name]; !set {
			c.Resources.Requests[name] = limit.DeepCopy()
		}
	}
	for _, probe := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		setProbeDefaults(probe)
	}
	if c.Lifecycle != nil {
		for _, handler := range []*corev1.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
			if handler != nil {
				setHTTPDefaults(handler.HTTPGet)
			}
		}
	}
}

func pullPolicy(image string) corev1.PullPolicy {
	name := image[strings.LastIndex(image, "/")+1:]
	if strings.HasSuffix(name, ":latest") || !strings.ContainsAny(name, ":@") {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

func setFieldRefDefault(ref *corev1.ObjectFieldSelector) {
	if ref != nil {
		setDefault(&ref.APIVersion, "v1")
	}
}

func setProbeDefaults(probe *corev1.Probe) {
	if probe == nil {
		return
	}
	setDefault(&probe.TimeoutSeconds, 1)
	setDefault(&probe.PeriodSeconds, 10)
	setDefault(&probe.SuccessThreshold, 1)
	setDefault(&probe.FailureThreshold, 3)
	setHTTPDefaults(probe.HTTPGet)
	if probe.GRPC != nil {
		setPointer(&probe.GRPC.Service, "")
	}
}

func setHTTPDefaults(get *corev1.HTTPGetAction) {
	if get != nil {
		setDefault(&get.Path, "/")
		setDefault(&get.Scheme, corev1.URISchemeHTTP)
	}
}

func setVolumeDefaults(source *corev1.VolumeSource) {
	if *source == (corev1.VolumeSource{}) {
		source.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	if source.Secret != nil {
		setPointer(&source.Secret.DefaultMode, corev1.SecretVolumeSourceDefaultMode)
	}
	if source.ConfigMap != nil {
		setPointer(&source.ConfigMap.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
	}
	if source.HostPath != nil {
		setPointer(&source.HostPath.Type, corev1.HostPathUnset)
	}
	if source.DownwardAPI != nil {
		setPointer(&source.DownwardAPI.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		setItemDefaults(source.DownwardAPI.Items)
	}
	if source.Projected != nil {
		setProjectedDefaults(source.Projected)
	}
}

func setProjectedDefaults(projected *corev1.ProjectedVolumeSource) {
	setPointer(&projected.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
	for _, source := range projected.Sources {
		if source.DownwardAPI != nil {
			setItemDefaults(source.DownwardAPI.Items)
		}
		if source.ServiceAccountToken != nil {
			setPointer(&source.ServiceAccountToken.ExpirationSeconds, 60*60)
		}
	}
}

func setItemDefaults(items []corev1.DownwardAPIVolumeFile) {
	for i := range items {
		setFieldRefDefault(items[i].FieldRef)
	}
}
