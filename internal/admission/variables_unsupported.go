package admission

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/variable"
)

// addText adds a finding for a text with variables that policies cannot fill in.
func (l *limits) addText(text injector.Text) {
	isOfWorkload := func(s variable.Segment) bool {
		return s.Name == variable.WorkloadName || s.Name == variable.WorkloadKind
	}
	if segments := text.Segments(); slices.ContainsFunc(segments, isOfWorkload) {
		l.addAt(text.Path, "a pod does not know the name and the kind of its workload; use a label of the pod, such as ${pod.labels['app']}")
	} else if reason := l.needsFixed(text); reason != "" {
		l.addAt(text.Path, reason)
	}
}

// needsFixed returns why a field cannot depend on the pod, or "" if it can.
func (l *limits) needsFixed(text injector.Text) string {
	for _, f := range fixedFields {
		if rest, isWithin := strings.CutPrefix(text.Path, l.in.At(f.list)); isWithin && f.pattern.MatchString(rest) {
			return f.reason
		}
	}
	if text.Type == reflect.TypeFor[resource.Quantity]() && !containerResources.MatchString(text.Path) {
		return "policies need a fixed quantity here; write it instead of the variable"
	}
	if text.Rule >= 0 && l.isJoined(text) {
		return "policies join fixed values only; write the value instead of the variable"
	}
	return ""
}

// isJoined reports whether a text is the value of a variable that is joined to the app's.
func (l *limits) isJoined(text injector.Text) bool {
	for i, entry := range l.in.Spec.AppContainers[text.Rule].Env {
		if entry.Join != "" && text.Path == l.in.At("appContainers")+fmt.Sprintf("[%d].env[%d].value", text.Rule, i) {
			return true
		}
	}
	return false
}

// containerResources matches the paths of the quantities that Pillion reads in the same way as policies.
var containerResources = regexp.MustCompile(`[cC]ontainers\[\d+\]\.resources\.`)

const (
	fixedName    = "policies need a fixed name here, because it tells what the pod has; write the name instead of the variable"
	fixedPolicy  = "it decides where the container goes, so that policies need a fixed one; write Always, or remove it"
	fixedEntries = "policies add fixed entries to the lists of a pod; write the value instead of the variable"
	fixedPorts   = "policies compare ports with those of the pod, so that they need fixed ones; write the value instead of the variable"
)

// fixedFields are the fields by which a policy tells the parts of a pod apart, or decides where they go.
var fixedFields = []struct {
	list    string
	pattern *regexp.Regexp // for the path within the list
	reason  string
}{
	{"containers", regexp.MustCompile(`^\[\d+\](\.env\[\d+\])?\.name$`), fixedName},
	{"initContainers", regexp.MustCompile(`^\[\d+\](\.env\[\d+\])?\.name$`), fixedName},
	{"initContainers", regexp.MustCompile(`^\[\d+\]\.restartPolicy$`), fixedPolicy},
	{"containers", portField, fixedPorts},
	{"initContainers", portField, fixedPorts},
	{"volumes", regexp.MustCompile(`^\[\d+\]\.name$`), fixedName},
	{"imagePullSecrets", regexp.MustCompile(``), fixedName},
	{"appContainers", regexp.MustCompile(`^\[\d+\](\.env\[\d+\]\.name$|\.envFrom|\.volumeMounts\[\d+\]\.mountPath$)`), fixedName},
	{"podSpec", regexp.MustCompile(`\[\d+\]`), fixedEntries},
}

var portField = regexp.MustCompile(`^\[\d+\]\.ports\[`)
