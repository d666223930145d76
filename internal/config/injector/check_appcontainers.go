package injector

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/yaml/node"
)

func (c checker) checkAppContainers() {
	if len(c.spec.AppContainers) == 0 {
		return
	}
	injected := map[string]bool{}
	for _, container := range c.containers() {
		injected[container.Name] = true
	}
	written := node.List(c.fields, "appContainers")
	joined := joinedEnv{map[string]string{}, map[[2]string]bool{}}
	for i := range c.spec.AppContainers {
		at := schema.InSpec("appContainers").Index(i)
		each, isForEach := c.forEach[i]
		if !isForEach {
			c.checkAppEntry(at, &c.spec.AppContainers[i], written[i], injected, joined)
		}
		for _, one := range each {
			before := len(c.Findings)
			entry := v1alpha1.AppContainers{}
			(&schema.Decoder{Problems: c.Problems, Version: c.spec.KubernetesVersion}).Decode(one.entry, &entry, at)
			entry.Default()
			c.checkAppEntry(at, &entry, one.entry, injected, joined)
			for n, f := range c.Findings[before:] {
				c.Findings[before+n].Message = fmt.Sprintf("for container %q: %s",
					schema.Shown(one.container), f.Message)
			}
		}
	}
}

func (c checker) checkAppEntry(
	at schema.Path, entry *v1alpha1.AppContainers, written *node.Node, injected map[string]bool, joined joinedEnv,
) {
	c.Require(len(entry.Env)+len(entry.EnvFrom)+len(entry.VolumeMounts) > 0, at, "env",
		"there is nothing here for the app's containers; write at least one of env, envFrom and volumeMounts")
	c.checkAppNames(at.Key("containers"), entry.Containers, injected)
	c.checkAppEnv(at.Key("env"), entry.Env, node.List(written, "env"), joined)
	c.checkEnvFrom(at.Key("envFrom"), entry.EnvFrom)
	c.checkMounts(at.Key("volumeMounts"), entry.VolumeMounts)
}

func (c checker) checkAppNames(list schema.Path, names []string, injected map[string]bool) {
	if len(names) == 0 {
		c.Refusef(list, "",
			`the list is empty, so no container gets this; name containers, or leave it out for all of them`)
	}
	if len(names) > 1 && slices.Contains(names, v1alpha1.AllContainers) {
		c.Refusef(list, "", `"*" means all of the app's containers; remove the other names`)
	}
	for i, name := range names {
		if name == v1alpha1.AllContainers {
			continue
		}
		c.CheckValid(list.Index(i), name, "container name", validation.IsDNS1123Label)
		if injected[name] {
			c.Refusef(list.Index(i), name,
				"%q is a container of this injector and not of the app; "+
					"move this to its entry in containers or initContainers", name)
		}
	}
}

// joinedEnv is the variables of an injector that are joined to those of the app.
type joinedEnv struct {
	separators map[string]string  // by name
	isBefore   map[[2]string]bool // by name and value
}

// checkAppEnv checks variables for containers of the app. Several may have one name if all of them are joined.
func (c checker) checkAppEnv(list schema.Path, env []v1alpha1.AppEnvVar, written []*node.Node, joined joinedEnv) {
	names := schema.FirstUses{}
	isJoined := map[string]bool{}
	for i := range env {
		variable := &env[i]
		at := list.Index(i)
		if !c.checkVariable(at, &variable.EnvVar) {
			continue
		}
		if variable.Join == "" || !isJoined[variable.Name] {
			c.checkEnvOnce(at, variable.Name, names)
		}
		isJoined[variable.Name] = variable.Join != ""
		if variable.Join != "" {
			c.checkJoin(at, variable, joined)
		} else if isWritten := i < len(written) && node.Get(written[i], "join") != nil; isWritten {
			c.Refusef(at.Key("join"), "",
				`the separator is empty; write the text between two values of the variable, such as join: " "`)
		} else if variable.JoinOrder != "" {
			c.Refusef(at.Key("joinOrder"), string(variable.JoinOrder),
				"joinOrder has no effect without join; "+
					`write join with a separator, such as join: " ", or remove joinOrder`)
		}
	}
}

// checkJoin checks how the value of a variable is joined to that of the app.
func (c checker) checkJoin(at schema.Path, variable *v1alpha1.AppEnvVar, joined joinedEnv) {
	separator := variable.Join
	if first := joined.separators[variable.Name]; first != "" && first != separator {
		c.Refusef(at.Key("join"), separator,
			"%s is joined with the separator %q elsewhere in this injector; use the same one",
			variable.Name, first)
	}
	joined.separators[variable.Name] = separator
	part := [2]string{variable.Name, variable.Value}
	isBefore := variable.JoinOrder == v1alpha1.JoinBefore
	if first, isKnown := joined.isBefore[part]; isKnown && first != isBefore {
		c.Refusef(at.Key("joinOrder"), string(variable.JoinOrder),
			"the same value is joined to %s on the other side elsewhere in this injector; keep one of the two",
			variable.Name)
	}
	joined.isBefore[part] = isBefore
	switch value := variable.Value; {
	case variable.ValueFrom != nil:
		c.Refusef(at.Key("valueFrom"), "",
			"only a value can be joined to the app's, because what valueFrom gives is not known before "+
				"the pod runs; set another variable from it, and join $(NAME) with the name of that one")
	case value == "":
		c.Missing(at.Key("value"), "there is nothing to join to the app's value; write a value, or remove join")
	case strings.Contains(value, "$("+variable.Name+")"):
		c.Refusef(at.Key("value"), value,
			"the value uses the variable itself; remove $(%s), because join keeps the app's value", variable.Name)
	case strings.HasPrefix(value, separator), strings.HasSuffix(value, separator):
		c.Refusef(at.Key("value"), value,
			"the value begins or ends with the separator %q, which is added where it is needed; remove it",
			separator)
	}
}
