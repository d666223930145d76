package injector

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
)

func (c checker) checkAppContainers() {
	for i := range c.spec.AppContainers {
		entry, at := &c.spec.AppContainers[i], c.at("appContainers").index(i)
		if len(entry.Env)+len(entry.EnvFrom)+len(entry.VolumeMounts) == 0 {
			c.require(at.key("env"), "there is nothing here for the app's containers; write at least one of env, envFrom and volumeMounts")
		}
		c.checkAppNames(at.key("containers"), entry.Containers)
		c.checkEnv(at.key("env"), entry.Env)
		c.checkEnvFrom(at.key("envFrom"), entry.EnvFrom)
		c.checkMounts(at.key("volumeMounts"), entry.VolumeMounts)
	}
}

func (c checker) checkAppNames(list path, names []string) {
	if len(names) == 0 {
		c.refusef(list, "", `no container is named, so that none gets it; name some, or write ["*"] or nothing for all`)
	}
	if len(names) > 1 && slices.Contains(names, v1alpha1.AllContainers) {
		c.refusef(list, "", `"*" is all of the app's containers; name no others beside it`)
	}
	for i, name := range names {
		if name == v1alpha1.AllContainers {
			continue
		}
		at := list.index(i)
		c.checkWord(at, name, "container", validation.IsDNS1123Label)
		if c.brings(name) {
			c.refusef(at, name, "%q is a container of this injector and none of the app's; write its env and mounts where it stands", name)
		}
	}
}

// brings tells whether the payload has a container of the name.
func (c checker) brings(name string) bool {
	return slices.ContainsFunc(c.spec.Containers, func(own v1alpha1.Container) bool { return own.Name == name }) ||
		slices.ContainsFunc(c.spec.InitContainers, func(own v1alpha1.InitContainer) bool { return own.Name == name })
}

func (c checker) checkEnvFrom(list path, sources []corev1.EnvFromSource) {
	for i, source := range sources {
		at := list.index(i)
		if source.Prefix != "" {
			c.checkEnvName(at.key("prefix"), source.Prefix)
		}
		switch {
		case source.ConfigMapRef != nil && source.SecretRef != nil:
			c.refusef(at.key("secretRef"), "", "configMapRef and secretRef cannot both be given; make two entries of them")
		case source.ConfigMapRef == nil && source.SecretRef == nil:
			c.require(at.key("configMapRef"), "an entry of envFrom needs a configMapRef or a secretRef; write one")
		case source.ConfigMapRef != nil:
			c.checkReference(at.key("configMapRef"), "ConfigMap", source.ConfigMapRef.Name)
		default:
			c.checkReference(at.key("secretRef"), "Secret", source.SecretRef.Name)
		}
	}
}

func (c checker) checkReference(at path, what, name string) {
	if name == "" {
		c.require(at.key("name"), fmt.Sprintf("the reference needs the name of a %s; write it", what))
		return
	}
	c.checkWord(at.key("name"), name, what, validation.IsDNS1123Subdomain)
}
