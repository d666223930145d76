package injector

import (
	"math/big"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/form"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/expression"
)

// Resources is a resourcesPolicy with its expressions parsed.
type Resources struct {
	Mode   v1alpha1.TargetContainersMode
	Names  *Pattern
	Fields []ResourceField

	// AsOpenKruise computes as a SidecarSet does: native sidecars count, a limit is left out if
	// a container has none, and a pod in which no container counts is refused.
	AsOpenKruise bool
}

// ResourceField is a field of a container's resources, with the expression that computes it.
type ResourceField struct {
	List string // requests or limits
	Name string // cpu or memory, which is also the expression's variable
	Expr *expression.Expression
}

// newResources parses a checked policy.
func (d *declaration) newResources(policy *v1alpha1.ResourcesPolicy) *Resources {
	if policy == nil {
		return nil
	}
	r := &Resources{
		Mode:         policy.TargetContainersMode,
		Names:        d.patterns.compiled[policy.TargetContainersNameRegex],
		AsOpenKruise: d.Kind == form.SidecarSetKind,
	}
	for _, field := range writtenExpressions(policy.ResourcesExpr) {
		if parsed, err := expression.Parse(field.text, field.name); err == nil {
			r.Fields = append(r.Fields, ResourceField{List: field.list, Name: field.name, Expr: parsed})
		}
	}
	return r
}

// writtenExpression is an expression as it was written, and the field that it computes.
type writtenExpression struct{ list, name, text string }

// writtenExpressions returns the expressions of a policy, in the order in which they are computed.
func writtenExpressions(written v1alpha1.ResourcesExpr) []writtenExpression {
	var all []writtenExpression
	add := func(list string, e *v1alpha1.ComputeExpr) {
		if e != nil {
			all = append(all, writtenExpression{list, "cpu", e.CPU}, writtenExpression{list, "memory", e.Memory})
		}
	}
	add("requests", written.Requests)
	add("limits", written.Limits)
	return slices.DeleteFunc(all, func(e writtenExpression) bool { return e.text == "" })
}

// checkFromApp checks what a container takes over from containers of the app.
func (c checker) checkFromApp(at schema.Path, container *corev1.Container, from *v1alpha1.FromApp) {
	c.checkShare(at.Key("shareVolumePolicy"), container.Name, from.ShareVolumePolicy)
	c.checkShare(at.Key("shareVolumeDevicePolicy"), container.Name, from.ShareVolumeDevicePolicy)
	for i := range from.TransferEnv {
		c.checkTransfer(at.Key("transferEnv").Index(i), container.Name, &from.TransferEnv[i])
	}
	c.checkResourcesPolicy(at, container, from.ResourcesPolicy)
}

func (c checker) checkShare(at schema.Path, own string, policy *v1alpha1.ShareVolumePolicy) {
	if policy == nil {
		return
	}
	if policy.Type == v1alpha1.ShareDisabled &&
		(len(policy.Containers)+len(policy.ExcludePaths) > 0 || policy.IncludeInjected) {
		c.Warn(schema.Problem{
			At: at.Key("type"), Current: string(policy.Type), Proposed: string(v1alpha1.ShareEnabled),
			Message: "nothing is shared, because the type is Disabled, which is the default; " +
				"write type: Enabled, or remove the rest",
		})
	}
	if policy.Containers != nil && len(policy.Containers) == 0 {
		c.Refusef(at.Key("containers"), "",
			"the list is empty; name containers, or leave it out to share with all of the app's")
	}
	for i, name := range policy.Containers {
		c.checkSource(at.Key("containers").Index(i), own, name)
	}
	for i, excluded := range policy.ExcludePaths {
		if !strings.HasPrefix(excluded, "/") {
			c.Refusef(at.Key("excludePaths").Index(i), excluded,
				"%q is not a path; write it as it is mounted, such as /var/log", schema.Shown(excluded))
		}
	}
}

// checkSource checks the name of a container from which something is taken over.
func (c checker) checkSource(at schema.Path, own, name string) {
	if name != "" && name == own {
		c.Refusef(at, name, "a container cannot take anything over from itself; name another")
		return
	}
	c.CheckValid(at, name, "container name", validation.IsDNS1123Label)
}

func (c checker) checkTransfer(at schema.Path, own string, transfer *v1alpha1.TransferEnv) {
	named := transfer.SourceContainerName
	from := transfer.SourceContainerNameFrom
	switch {
	case c.NotBoth(named != "" && from != nil, at, "sourceContainerName", "sourceContainerNameFrom"):
	case named != "":
		c.checkSource(at.Key("sourceContainerName"), own, named)
	case from != nil:
		c.checkFieldRef(at.Key("sourceContainerNameFrom").Key("fieldRef"), from.FieldRef)
	default:
		c.Missing(at.Key("sourceContainerName"),
			"a transfer needs the container to take variables from; "+
				"write sourceContainerName or sourceContainerNameFrom")
	}
	c.NotBoth(transfer.EnvName != "" && transfer.EnvNames != nil, at, "envName", "envNames")
	if transfer.EnvNames != nil && len(transfer.EnvNames) == 0 {
		c.Refusef(at.Key("envNames"), "", "the list is empty; name variables, or leave it out to take all of them")
	}
	for i, name := range transfer.EnvNames {
		if name == "" {
			c.Refusef(at.Key("envNames").Index(i), "", "an environment variable needs a name; write one")
		}
	}
}

func (c checker) checkFieldRef(at schema.Path, ref *corev1.ObjectFieldSelector) {
	if ref == nil {
		c.Missing(at,
			`sourceContainerNameFrom needs a fieldRef; write one, such as {fieldPath: "metadata.labels['app']"}`)
		return
	}
	if ref.APIVersion != "" && ref.APIVersion != "v1" {
		c.Refusef(at.Key("apiVersion"), ref.APIVersion,
			"%q is not the version of a pod; write v1 or leave it out", schema.Shown(ref.APIVersion))
	}
	_, _, ok := schema.MetadataKey(ref.FieldPath)
	c.Require(ok, at, "fieldPath",
		"a label or an annotation names the source container; "+
			"write metadata.labels['KEY'] or metadata.annotations['KEY']")
}

func (c checker) checkResourcesPolicy(container schema.Path, body *corev1.Container, policy *v1alpha1.ResourcesPolicy) {
	if policy == nil {
		return
	}
	at := container.Key("resourcesPolicy")
	c.checkPattern(at.Key("targetContainersNameRegex"), policy.TargetContainersNameRegex)
	expressions := writtenExpressions(policy.ResourcesExpr)
	c.Require(len(expressions) > 0, at, "resourcesExpr",
		`there is nothing to compute; write an expression, such as {requests: {cpu: "max(cpu*10%, 50m)"}}`)
	for _, written := range expressions {
		expressionAt := at.Key("resourcesExpr").Key(written.list).Key(written.name)
		parsed, err := expression.Parse(written.text, written.name)
		if err != nil {
			c.Refusef(expressionAt, written.text, "%q is not an expression: %s", schema.Shown(written.text), err)
		} else if _, err := parsed.Evaluate(big.NewRat(1, 1)); err != nil {
			c.Refusef(expressionAt, written.text,
				"%q cannot be computed for any app: %s", schema.Shown(written.text), err)
		}
		amounts := body.Resources.Requests
		if written.list == "limits" {
			amounts = body.Resources.Limits
		}
		if _, both := amounts[corev1.ResourceName(written.name)]; both {
			c.Refusef(expressionAt, written.text, "%s gives this field already; keep one of them",
				c.Positions.Of(container.Key("resources").Key(written.list).Key(written.name)))
		}
	}
}
