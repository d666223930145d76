package auditreport

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/live"
)

// advice is what to do about pods in a state.
type advice struct {
	state   audit.State
	text    string
	command string // to paste; empty if there is none
}

func (a advice) words() string {
	if a.command == "" {
		return a.text
	}
	return a.text + ": " + a.command
}

// adviceOf returns one advice for each state that needs one, for the cause that most of its pods have.
func adviceOf(all []line) []advice {
	var out []advice
	for _, state := range States {
		pods, firsts := map[cause]int{}, map[cause]*line{}
		var most cause
		for i := range all {
			if all[i].state != state {
				continue
			}
			c := causeOf(&all[i])
			pods[c] += len(all[i].rows)
			if firsts[c] == nil {
				firsts[c] = &all[i]
			}
			if pods[c] > pods[most] {
				most = c
			}
		}
		if first := firsts[most]; first != nil && state != audit.Current {
			out = append(out, most.advice(first))
		}
	}
	return out
}

// cause is why pods are in a state, as far as advice depends on it.
type cause int

const (
	noCause          cause = iota
	notDeclared            // pods have a sidecar that is not for them
	refusal                // Pillion would refuse the pods
	noController           // nothing creates the pods anew
	unknownTemplate        // the workload is not in the input
	outdatedTemplate       // the template of the workload has not what is declared
	outdatedPods           // the template is as declared
)

func causeOf(l *line) cause {
	switch {
	case l.state == audit.Current, l.state == audit.Skipped:
		return noCause
	case l.state == audit.Unexpected:
		return notDeclared
	case l.state == audit.Refused:
		return refusal
	case l.Owner.Kind == "Pod":
		return noController
	case l.Template == "":
		return unknownTemplate
	case l.Template == audit.Current:
		return outdatedPods
	default:
		return outdatedTemplate
	}
}

// advice returns what to do about the pods of a line, and of others with the same cause.
func (c cause) advice(l *line) advice {
	a := advice{state: l.state}
	switch c {
	case notDeclared:
		a.text = "the injector is not for these pods any more; run pillion remove on their manifests and apply them"
	case refusal:
		a.text = "Pillion would not inject into these pods; settle what the reason says, or opt them out"
	case noController:
		a.text = "no controller creates these pods anew; inject into their manifests, delete them and apply the manifests"
	case unknownTemplate:
		a.text = "to see whether this is a rollout or manifests that were not applied, add the workloads to the input"
		a.command = "kubectl get deploy,rs,sts,ds,job,cronjob,pods -A -o json"
	case outdatedTemplate:
		a.text = "the workloads in the cluster are not as declared; run pillion inject on their manifests and apply them"
	case outdatedPods:
		a.text = "the workloads are as declared, and their pods are older; if they stay so"
		a.command = restart(l.Owner)
	}
	if c == outdatedPods && a.command == "" {
		a.text = "the workloads are as declared, and their pods are older; if they stay so, delete the pods"
	}
	return a
}

// restart returns the command that replaces the pods of a workload, or "" if there is none. Names are those of strangers, and are pasted
// into a shell, so they must be valid names.
func restart(o live.Owner) string {
	isRestartable := strings.HasPrefix(o.APIVersion, "apps/") && (o.Kind == "Deployment" || o.Kind == "StatefulSet" || o.Kind == "DaemonSet")
	if !isRestartable || !isName(o.Name) || !isName(o.Namespace) {
		return ""
	}
	return fmt.Sprintf("kubectl rollout restart %s -n %s", nameOf(o), o.Namespace)
}

// isName reports whether Kubernetes accepts a text as the name of an object.
func isName(text string) bool {
	isOther := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.' }
	return text != "" && len(text) <= 253 && text[0] != '-' && !strings.ContainsFunc(text, isOther)
}
