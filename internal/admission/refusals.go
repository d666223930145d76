package admission

import (
	"fmt"

	"pillion.dev/pillion/finding"
)

// refusal is a reason why Pillion refuses a pod before it adds anything to it: a variable without a value that fits.
type refusal struct {
	code      finding.Code
	comment   string // what holds if the pod is not refused
	list      string // the expression for the containers that are refused one by one, each as c; empty if it is the pod
	condition string
	text      string // an expression for the message
	source    source
}

// holds returns the condition that the pod is refused.
func (r refusal) holds() string {
	if r.list == "" {
		return r.condition
	}
	return fmt.Sprintf("%s.exists(c, %s)", r.list, r.condition)
}

// leaveRefused lets injectors leave alone the pods that Pillion refuses before it adds anything to them.
func (c *compiler) leaveRefused() {
	for i := range c.injectors {
		in := &c.injectors[i]
		if len(in.refusals) == 0 {
			continue
		}
		parts, lengths := []part{{"", in.selected}}, sizes{}
		for _, r := range in.refusals {
			parts = append(parts, part{r.comment, "!(" + r.holds() + ")"})
			lengths[r.source] += len(r.condition)
		}
		c.source = lengths.largest()
		in.selected = c.add(in.id+"_complete", "whether the injector "+in.Name+" selects the pod, and has all values that it needs",
			conjunction(parts))
	}
}

// refuseValues refuses pods without values that fit. The values in a pod that Pillion injected may be those of an older config.
func (v *validator) refuseValues() {
	for _, r := range v.in.refusals {
		v.source = r.source
		if r.list == "" {
			v.problem(r.code, r.text, "!"+v.stamped, r.condition)
		} else {
			v.each(r.code, r.list, all([]string{"!" + v.stamped, r.condition}), r.text)
		}
	}
	of := " of " + v.in.Name
	v.refuse(finding.VariableUnset, "variables"+of+" without a value", "all variables"+of+" have values",
		"a variable of the payload has no value for this pod; add it, or give a default")
	v.refuse(finding.VariableInvalid, "values of variables"+of+" that do not fit", "the values of all variables"+of+" fit",
		"the value of a variable does not fit its field; correct it in the pod")
}
