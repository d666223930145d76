package admission

import (
	"fmt"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// transferredEnv returns the variable with the env of a container that takes variables of others: those, and behind them its own, as
// [payload.recipient] does.
func (c *compiler) transferredEnv(ins *insertion) string {
	own := c.ownEnv(ins)
	taken := c.takenEnv(ins, own, func(list, names, isTaken, variable string) string {
		return fmt.Sprintf("%s.transformList(i, v, %s && %s.lastIndexOf(v.name) == i, %s)", list, isTaken, names, variable)
	})
	return c.add(envID(ins), "the variables of "+ins.container.Name, taken+" + "+own)
}

// expectedEnv returns the variable with the variables that a container takes from others, in the expressions of Kubernetes 1.30.
func (c *compiler) expectedEnv(ins *insertion) string {
	return c.takenEnv(ins, c.ownEnv(ins), func(list, names, isTaken, variable string) string {
		return fmt.Sprintf("%s.filter(v, %s && v == %[1]s[%[3]s.lastIndexOf(v.name)]).map(v, %[4]s)", list, isTaken, names, variable)
	})
}

func envID(ins *insertion) string { return ins.in.id + "_" + identifier(ins.container.Name) + "_env" }

// ownEnv returns the variable with the variables that a container declares.
func (c *compiler) ownEnv(ins *insertion) string {
	own := "[]"
	if env := node.Get(ins.body, "env"); len(node.List(ins.body, "env")) > 0 {
		own = literal(env)
	}
	return c.add(envID(ins)+"_own", "the variables that "+ins.container.Name+" declares", own)
}

// takenEnv returns the variable with what a container takes from others. Choose returns the expression for those of a list that meet a
// condition on the variable v and are the last of their name, which is the one that counts, each as an expression.
func (c *compiler) takenEnv(ins *insertion, own string, choose func(list, names, isTaken, variable string) string) string {
	taken := ""
	for i, transfer := range ins.container.TransferEnv {
		id, source := fmt.Sprintf("%s_%d", envID(ins), i+1), sourceOf(transfer)
		list := c.add(id+"_source", "the variables of the container that "+ins.container.Name+" takes them from", fmt.Sprintf(
			"(%s.filter(c, c.name == %s && !(c.name in variables.declared))\n  .map(c, c.?env.orValue([])) + [[]])[0]", bothLists(), source))
		names := c.add(id+"_names", "their names", list+".map(v, v.name)")
		isTaken := fmt.Sprintf("!%s.exists(o, o.name == v.name)", own)
		if taken != "" {
			isTaken += fmt.Sprintf(" && !%s.exists(o, o.name == v.name)", taken)
		}
		if wanted := wantedEnv(transfer); wanted != nil {
			isTaken = fmt.Sprintf("v.name in %s && %s", stringList(wanted), isTaken)
		}
		chosen := choose(list, names, isTaken, variableOf(source))
		if taken != "" {
			chosen = taken + " + " + chosen
		}
		taken = c.add(id, fmt.Sprintf("what it takes by transferEnv[%d]", i), chosen)
	}
	return taken
}

// wantedEnv returns the names of the variables that a transfer takes, or nil for all.
func wantedEnv(transfer v1alpha1.TransferEnv) []string {
	if transfer.EnvName != "" {
		return []string{transfer.EnvName}
	}
	return transfer.EnvNames
}

// sourceOf returns the expression for the name of the container that a transfer takes variables from.
func sourceOf(transfer v1alpha1.TransferEnv) string {
	from := transfer.SourceContainerNameFrom
	if from == nil {
		return quote(transfer.SourceContainerName)
	}
	mapping, key, _ := injector.MetadataKey(from.FieldRef.FieldPath)
	return fmt.Sprintf(`object.metadata.?%s[?%s].orValue("")`, mapping, quote(key))
}

// variableOf returns the expression for the variable v of a container as another one must have it to get the same value: a reference to
// resources is to those of its own container unless it names one.
func variableOf(source string) string {
	const ref = "v.valueFrom.resourceFieldRef"
	return fmt.Sprintf(`v.?valueFrom.resourceFieldRef.hasValue() && %[1]s.?containerName.orValue("") == "" ?
  dyn({"name": dyn(v.name), "valueFrom": dyn({"resourceFieldRef":
    {"containerName": dyn(%[2]s), "resource": dyn(%[1]s.resource), ?"divisor": %[1]s.?divisor}})}) : dyn(v)`, ref, source)
}
