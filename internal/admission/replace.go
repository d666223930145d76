package admission

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// Pillion replaces a container or volume unless its manifest is equal to the declared one. A policy sees the pod with its defaults, so it
// cannot tell whether the manifest was equal or had more. It replaces both: the result is the declared one with its defaults in any case.
// What admission plugins have added to the pod's container is lost as well. The API server runs them again after the policy, and not the
// policy after them.

// replacesContainers reports whether a container of the pod may be replaced.
func (c *compiler) replacesContainers() bool {
	return slices.ContainsFunc(c.insertions(), func(ins insertion) bool { return ins.replaces() })
}

// replaces reports whether the container replaces one of its name.
func (ins *insertion) replaces() bool {
	return ins.in.Spec.OnConflict.Container == v1alpha1.ContainerReplace
}

// isReplaced returns the condition that the container replaces one of the pod in the same list. Pillion refuses a pod in which that one
// has a port of another container that is added before it is replaced; it stays, so that the validating policy finds it.
func (c *compiler) isReplaced(ins *insertion, all []insertion) string {
	conditions := []string{ins.in.selected, "!" + isStamped(ins.in), fmt.Sprintf("%s in %s", quote(ins.container.Name), ins.list.names())}
	for i := range all {
		other := &all[i]
		if other.container.Name == ins.container.Name || other.in == ins.in && other.turn > ins.turn {
			continue
		}
		for _, port := range other.runningPorts() {
			checked := []string{other.in.selected}
			if other.in.Spec.OnConflict.Container == v1alpha1.ContainerKeep {
				checked = append(checked, "!"+other.isInPod())
			}
			c.addRunning()
			conditions = append(conditions, fmt.Sprintf("!(%s && variables.running.exists(c, c.name == %s && c.?ports.orValue([]).exists(p, %s)))",
				strings.Join(checked, " && "), quote(ins.container.Name), clashes(port)))
		}
	}
	return strings.Join(conditions, " && ")
}

// keepToken gives a container that replaces one of the pod the mount of the ServiceAccount's token of that one, unless it has its own.
func (c *compiler) keepToken(ins *insertion, at, path string) {
	mounts := node.List(ins.body, "volumeMounts")
	if pod.InContainer("volumeMounts").Find(mounts, node.Mapping(node.String("mountPath"), node.String(tokenPath))) >= 0 {
		return
	}
	end, value := "/volumeMounts", "[m]"
	if len(mounts) > 0 {
		end, value = "/volumeMounts/-", "m"
	}
	token := c.add(ins.id()+"_token", "the mount of the ServiceAccount's token in the container that is replaced", fmt.Sprintf(
		"(%s.filter(c, c.name == %s).map(c, c.?volumeMounts.orValue([]).filter(m,\n"+
			"  m.mountPath == %s && m.name.startsWith(%s))) + [[]])[0]",
		ins.list.entries(), quote(ins.container.Name), quote(tokenPath), quote(pod.TokenVolume)))
	c.operate("the ServiceAccount's token of "+ins.container.Name,
		"(%s < 0 ? [] : %s.map(m, JSONPatch{op: \"add\", path: %s + %s, value: %s}))", at, token, path, quote(end), value)
}

// tokenPath is where the API server mounts the token of the ServiceAccount.
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"
