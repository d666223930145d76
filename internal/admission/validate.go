package admission

import (
	"fmt"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/stamp"
)

// validating returns the policy that refuses pods that lack what injectors declare, or that Pillion would refuse. It uses only what
// Kubernetes 1.30 has.
func (c *compiler) validating() *policy {
	c.addRunning()
	for i := range c.injectors {
		v := newValidator(c, &c.injectors[i])
		v.checkContainers()
		v.checkVolumes()
		v.checkPullSecrets()
		v.checkAppContainers(containersList)
		v.checkAppContainers(initContainersList)
		v.checkPodSpec()
		v.checkMetadata()
		v.addValidations()
	}
	c.removeUnused()
	return &c.policy
}

// validator writes the validations of one injector. Each problem is an expression for a list of texts, which is empty if the problem does
// not exist in a pod.
type validator struct {
	*compiler

	in       *compiled
	stamped  string // the variable that is true if the pod has the injector's stamp
	problems map[finding.Code][]string
	sources  map[finding.Code]sizes // where the problems come from
	apart    int                    // the number of problems that have a variable of their own
}

func newValidator(c *compiler, in *compiled) *validator {
	v := &validator{compiler: c, in: in, problems: map[finding.Code][]string{}, sources: map[finding.Code]sizes{}}
	v.stamped = c.add(in.id+"_stamped",
		"whether Pillion injected "+in.Name+" into the manifest, maybe by an older config: then the values of what it added may differ",
		isStamped(in))
	return v
}

// isStamped returns the condition that the pod has the stamp of an injector.
func isStamped(in *compiled) string {
	return fmt.Sprintf("(%s in %s)", quote(stamp.Key(in.Name)), podAnnotations)
}

// problem adds a problem that a pod has if all conditions hold. The text is an expression.
func (v *validator) problem(code finding.Code, text string, conditions ...string) {
	v.addProblem(code, fmt.Sprintf("(%s ? [%s] : [])", all(conditions), text))
}

func (v *validator) addProblem(code finding.Code, expression string) {
	v.problems[code] = append(v.problems[code], expression)
	if v.sources[code] == nil {
		v.sources[code] = sizes{}
	}
	v.sources[code][v.source] += len(expression)
}

// each adds a problem for each container c of a list that meets a condition. The text is an expression that may use c.
func (v *validator) each(code finding.Code, list, condition, text string) {
	v.addProblem(code, fmt.Sprintf("%s.filter(c, %s).map(c, %s)", list, condition, text))
}

// lacks adds something that an injection would add or change.
func (v *validator) lacks(what string, conditions ...string) {
	v.problem(finding.OutOfDate, quote(what), conditions...)
}

// concerns are the codes in the order of the validations: the API server's answer has the first one that fails.
var concerns = []struct {
	code          finding.Code
	comment, text string
}{
	{finding.ContainerConflict, "names of containers", "a container of the pod has the name of one of the injector's and differs; rename it"},
	{finding.VolumeConflict, "names of volumes", "a volume of the pod has the name of one of the injector's and differs; rename it"},
	{finding.PortConflict, "ports", "a container of the pod has a port of the injector's container; change it"},
	{finding.EnvConflict, "variables", "a variable of the app's containers differs from the injector's; make them equal"},
	{finding.MountConflict, "mount paths", "a mount path of the app's containers differs from the injector's; make them equal"},
}

// addValidations adds the validations of the problems, refusals before what is missing.
func (v *validator) addValidations() {
	v.refuseByPolicy()
	v.refuseValues()
	for _, concern := range concerns {
		v.refuse(concern.code, "conflicts of the pod with "+v.in.Name+": "+concern.comment,
			concern.comment+" of "+v.in.Name+" are free, or have the same content", concern.text)
	}
	if len(v.problems[finding.OutOfDate]) == 0 {
		return
	}
	v.source = v.sources[finding.OutOfDate].largest()
	missing := v.add(v.in.id+"_missing", "what an injection of "+v.in.Name+" would change in the pod", chain(v.problems[finding.OutOfDate]))
	remedy := fmt.Sprintf("; run pillion inject on the manifest that the pod comes from, or set the pod's annotation %s to \"false\" to "+
		"do without%s", v.in.Spec.Marker, v.origin())
	const begin = string(finding.OutOfDate) + ": an injection would change the pod"
	v.validate(validation{
		comment:           "everything that " + v.in.Name + " declares is there",
		expression:        fmt.Sprintf("!%s || size(%s) == 0", v.in.selected, missing),
		message:           begin + remedy,
		messageExpression: fmt.Sprintf("%s + %s.join(\", \") + %s", quote(begin+": "), missing, quote(remedy)),
	})
}

// refuse adds the validation that a pod has no problem of a code. The text is the message if the API server cannot create a longer one.
func (v *validator) refuse(code finding.Code, found, comment, text string) {
	problems := v.problems[code]
	if len(problems) == 0 {
		return
	}
	v.source = v.sources[code].largest()
	list := v.add(v.in.id+"_"+string(code), found, chain(problems))
	v.validate(validation{
		comment:    comment,
		expression: fmt.Sprintf("!%s || size(%s) == 0", v.in.selected, list),
		message:    string(code) + ": " + text + v.origin(),
		messageExpression: fmt.Sprintf("%[1]s + %[2]s[0] +\n"+
			"(size(%[2]s) == 1 ? \"\" : \" (and \" + string(size(%[2]s) - 1) + \" more)\") + %[3]s",
			quote(string(code)+": "), list, quote(v.origin())),
	})
}

// origin returns which injector a message is about.
func (v *validator) origin() string { return " (injector " + v.in.Name + ")" }

// refuseByPolicy refuses what the fields hostNetwork and jobs say to refuse.
func (v *validator) refuseByPolicy() {
	const problem = "%s: %s, and %s is Error; set it to Skip or %s, or keep this workload out%s"
	if v.in.Spec.HostNetwork == v1alpha1.PodError {
		v.validate(validation{
			comment:    v.in.Name + " is not for pods on the host's network",
			expression: fmt.Sprintf("!%s || !%s", v.in.matched, usesHostNetwork),
			message:    fmt.Sprintf(problem, finding.HostNetwork, "it uses the host's network", "spec.hostNetwork", "Inject", v.origin()),
		})
	}
	if v.in.Spec.Jobs == v1alpha1.JobsError {
		v.validate(validation{
			comment:    v.in.Name + " is not for pods that are meant to finish",
			expression: fmt.Sprintf("!%s || !variables.finishes", v.in.matched),
			message:    fmt.Sprintf(problem, finding.JobSkipped, "its pods are meant to finish", "spec.jobs", "Native", v.origin()),
		})
	}
}
