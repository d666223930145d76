package injector

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
)

func (c checker) checkAppContainers() {
	if len(c.spec.AppContainers) == 0 {
		return
	}
	injected := map[string]bool{}
	for _, container := range c.containers() {
		injected[container.Name] = true
	}
	for i := range c.spec.AppContainers {
		entry, at := &c.spec.AppContainers[i], c.at("appContainers").index(i)
		c.require(len(entry.Env)+len(entry.EnvFrom)+len(entry.VolumeMounts) > 0, at, "env",
			"there is nothing here for the app's containers; write at least one of env, envFrom and volumeMounts")
		c.checkAppNames(at.key("containers"), entry.Containers, injected)
		c.checkEnv(at.key("env"), entry.Env)
		c.checkEnvFrom(at.key("envFrom"), entry.EnvFrom)
		c.checkMounts(at.key("volumeMounts"), entry.VolumeMounts)
	}
}

func (c checker) checkAppNames(list path, names []string, injected map[string]bool) {
	if len(names) == 0 {
		c.refusef(list, "", `the list is empty, so no container gets this; name containers, or leave it out for all of them`)
	}
	if len(names) > 1 && slices.Contains(names, v1alpha1.AllContainers) {
		c.refusef(list, "", `"*" means all of the app's containers; remove the other names`)
	}
	for i, name := range names {
		if name == v1alpha1.AllContainers {
			continue
		}
		c.checkValid(list.index(i), name, "container name", validation.IsDNS1123Label)
		if injected[name] {
			c.refusef(list.index(i), name,
				"%q is a container of this injector and not of the app; move this to its entry in containers or initContainers", name)
		}
	}
}
