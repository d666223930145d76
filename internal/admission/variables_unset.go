package admission

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/variable"
)

// refuseUnset refuses pods in which a variable without a default has no value.
func (f *filler) refuseUnset(text injector.Text, s variable.Segment, value string) {
	known := ruleSegment{text.Rule, s}
	if s.HasDefault || s.Name == variable.WorkloadNamespace || f.unset[known] {
		return
	}
	f.unset[known] = true
	_, isOfContainer := containerValue(s.Name)
	comment := s.Written() + " has a value"
	switch {
	case s.Name == variable.ContainerName && text.Rule >= 0: // every container has a name
	case s.Name == variable.PodLabels, s.Name == variable.PodAnnotations:
		metadata := podLabels
		if s.Name == variable.PodAnnotations {
			metadata = podAnnotations
		}
		f.refuse(text, finding.VariableUnset, comment, fmt.Sprintf("!(%s in %s)", quote(s.Key), metadata),
			quote(text.Path+": "+s.Unset(variable.Lack{}).Message()))
	case isOfContainer && text.Rule >= 0:
		f.refuse(text, finding.VariableUnset, comment, value+` == ""`, lackingMessage(text, s))
	default:
		apps := f.defaultContainer()
		const none = "the pod template has no container except those that injectors add"
		message := fmt.Sprintf("(size(%[1]s) == 0 ? %[2]s : %[1]s.map(c, %[3]s)[0])", apps,
			quote(text.Path+": "+s.Unset(variable.Lack{Why: none, Remedy: "add one, exclude the workload"}).Message()),
			lackingMessage(text, s))
		f.refuse(text, finding.VariableUnset, comment, value+` == ""`, message)
	}
}

// lackingMessage returns the expression for the message about the container c, which has no value for a variable.
func lackingMessage(text injector.Text, s variable.Segment) string {
	const why, remedy = "\x00", "\x01" // found again in the message
	message := text.Path + ": " + s.Unset(variable.Lack{Why: why, Remedy: remedy}).Message()
	before, rest, _ := strings.Cut(message, why)
	between, after, _ := strings.Cut(rest, remedy)
	whose := fmt.Sprintf(`%s + c.name + %s`, quote(before+`container "`), quote(`" of the app`))
	if s.Name != variable.ContainerPort {
		return fmt.Sprintf("%s + %s", whose, quote(" has no image"+between+"add it"+after))
	}
	const otherwise = ", write the number in the config, exclude the workload"
	return fmt.Sprintf("%s + (size(%s) == 0 ? %s :\n  size(%s) == 0 ? %s + %s + %s :\n  %s + %s + %s)", whose,
		allPorts, quote(" declares no port"+between+"declare it"+otherwise+after),
		tcpPorts, quote(" declares no TCP port, only "), listedPorts(allPorts), quote(between+"declare it"+otherwise+after),
		quote(" declares several TCP ports, "), listedPorts(tcpPorts),
		quote(", and none of them is named http"+between+"name one of them http"+otherwise+after))
}

// listedPorts returns the expression for the text that lists ports: 8080 "web", 53/UDP.
func listedPorts(ports string) string {
	return ports + `.map(p, string(p.containerPort) + (p.?protocol.orValue("TCP") == "TCP" ? "" : "/" + p.protocol) +
    (p.?name.orValue("") == "" ? "" : " \"" + p.name + "\"")).join(", ")`
}
