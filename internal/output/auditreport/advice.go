package auditreport

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/pods/live"
)

// adviceOf returns what to do about the pods of lines, for each state and cause. A line of it may end with a command to
// paste.
func adviceOf(all []line) []page.Line {
	type key struct {
		state audit.State
		cause audit.Cause
	}
	var out []page.Line
	for _, same := range page.By(all, func(l *line) key { return key{l.state, l.cause()} }) {
		if same.Key.cause != "" {
			out = append(out, newAdvice(same.Key.cause, same.Rows))
		}
	}
	return out
}

// Causes that only advice depends on.
const (
	notDeclared     audit.Cause = "notDeclared"     // pods have a sidecar that is not for them
	refusal         audit.Cause = "refusal"         // Pillion would refuse the pods
	unknownTemplate audit.Cause = "unknownTemplate" // the workload is not in the input
	unknown         audit.Cause = "unknown"
)

// cause returns why the pods of the line are in their state, or "" if that is no problem.
func (l *line) cause() audit.Cause {
	switch {
	case l.state == audit.Current, l.state == audit.Skipped:
		return ""
	case l.state == audit.Refused:
		return refusal
	case l.state == audit.Unexpected && slices.Contains([]audit.Cause{"", audit.NotApplied, audit.Unmanaged}, l.Cause):
		return notDeclared
	case l.Cause != "":
		return l.Cause
	case l.Template == "":
		return unknownTemplate
	default:
		return unknown
	}
}

// explanation is what is known about a cause, for all workloads that have it.
type explanation struct {
	short   string // why pods are in their state, in few words
	remedy  string // what to do
	command string // one for a rollout is completed with a workload
}

var explanations = map[audit.Cause]explanation{
	audit.RollingOut: {
		"rolling out", "new pods are as declared, and replace these; to follow a rollout", "kubectl rollout status",
	},
	audit.Paused: {
		"the rollout is paused",
		"new pods are as declared, and the rollout is paused; to go on",
		"kubectl rollout resume",
	},
	audit.OnDelete: {
		"waiting for pods to be deleted", "new pods are as declared, and replace only pods that somebody deletes", "",
	},
	audit.Partition: {
		"held back by the partition",
		"new pods are as declared, and the partition keeps these; lower it in the manifests and apply them", "",
	},
	audit.NextRun: {"the next run is as declared", "there is nothing to do, because the next run is as declared", ""},
	audit.Removed: {
		"its template is as declared",
		"the workloads are as declared, and these pods are not; a webhook has probably changed them; to list webhooks",
		"kubectl get mutatingwebhookconfigurations",
	},
	audit.NotAdded: {
		"other pods of its template have it",
		"the sidecar is probably added at admission, and was not when these pods were created; to create them anew",
		"kubectl rollout restart",
	},
	audit.NotApplied: {
		"its workload is not as declared",
		"the workloads in the cluster are not as declared; run pillion inject on their manifests and apply them", "",
	},
	audit.Unmanaged: {
		"nothing replaces the pod", "nothing replaces these pods; delete them and apply their injected manifests", "",
	},
	audit.Dropped: {
		"probably dropped by an old webhook",
		"a native sidecar has no restartPolicy; if the manifests have it, an old webhook has probably dropped it, " +
			"or Kubernetes before 1.29, and applying again does not help: update the webhook, " +
			"keep it away from these pods, or set mode: Container; to list webhooks",
		"kubectl get mutatingwebhookconfigurations",
	},
	notDeclared: {
		"", "the injector is not for these pods any more; run pillion remove on their manifests and apply them", "",
	},
	refusal: {
		"", "Pillion would not inject into these pods; correct what the reason names, or opt them out", "",
	},
	unknown: {"", "compare the workloads in the cluster with their manifests, and apply the injected ones", ""},
	unknownTemplate: {
		"", "to see why, add the workloads to the input",
		"kubectl get deploy,rs,sts,ds,job,cronjob,ns,pods -A -o json",
	},
}

// newAdvice returns what to do about the pods of lines with the same state and cause. The first workload for which
// there is a command is the example.
func newAdvice(c audit.Cause, same []line) page.Line {
	known := explanations[c]
	if verb, isRollout := strings.CutPrefix(known.command, "kubectl rollout "); isRollout {
		known.command = ""
		for i := 0; i < len(same) && known.command == ""; i++ {
			known.command = rollout(verb, same[i].Creator)
		}
	}
	if known.command == "" {
		known.remedy, _, _ = strings.Cut(known.remedy, "; to ") // without an example
	} else {
		known.remedy += ":"
	}
	state := string(same[0].state)
	return page.Line{Class: state, Label: state, Text: names(same) + ": " + known.remedy, End: known.command}
}

// names returns the first owners of lines, with their namespaces, and how many there are besides.
func names(lines []line) string {
	const most = 3
	var all []string
	for _, owners := range page.By(lines, func(l *line) live.Creator { return l.Creator }) {
		owner := finding.Object{Kind: owners.Key.Kind, Name: owners.Key.Name, Namespace: owners.Key.Namespace}
		all = append(all, cut(owner.String()))
	}
	return strings.Join(page.Few(all, most, "and %d more"), ", ")
}

// rollout returns a command for the rollout of a workload, or "" if there is none. Names are those of strangers, and
// are pasted into a shell, so they must be valid names.
func rollout(verb string, o live.Creator) string {
	hasRollouts := o.Kind == "Deployment" || verb != "resume" && (o.Kind == "StatefulSet" || o.Kind == "DaemonSet")
	if !strings.HasPrefix(o.APIVersion, "apps/") || !hasRollouts || !isName(o.Name) || !isName(o.Namespace) {
		return ""
	}
	return fmt.Sprintf("kubectl rollout %s %s -n %s", verb, o, o.Namespace)
}

// isName reports whether Kubernetes accepts a text as the name of an object.
func isName(text string) bool {
	return len(validation.IsDNS1123Subdomain(text)) == 0
}
