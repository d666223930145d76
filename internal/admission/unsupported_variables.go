package admission

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

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
	}
	if reason := l.needsFixed(text); reason != "" {
		l.addAt(text.Path, reason)
	}
}

// needsFixed returns why a field cannot depend on the pod, or "" if it can.
func (l *limits) needsFixed(text injector.Text) string {
	field := fieldOf(l.in, text)
	for _, f := range fixedFields {
		if field == f.name || strings.HasSuffix(f.name, ".") && strings.HasPrefix(field, f.name) {
			return f.reason
		}
	}
	isQuantity := text.Type == reflect.TypeFor[resource.Quantity]()
	switch {
	case strings.HasPrefix(field, "podSpec") && indexes().MatchString(strings.TrimPrefix(text.Path, l.in.At("podSpec"))):
		return fixedEntries
	case isQuantity && !strings.HasPrefix(field, "containers.resources.") && !strings.HasPrefix(field, "initContainers.resources."):
		return "policies need a fixed quantity here; write it instead of the variable"
	case text.Rule >= 0 && l.isJoined(text):
		return "policies join fixed values only; give the variable to an environment variable of its own, in an entry above this one, and " +
			"refer to that as $(NAME)"
	default:
		return ""
	}
}

var indexes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\d+\]`) })

// fieldOf returns the path of a text of the payload without indexes, such as containers.env.value.
func fieldOf(in *injector.Injector, text injector.Text) string {
	for _, list := range injector.PayloadFields {
		if rest, isWithin := strings.CutPrefix(text.Path, in.At(list)); isWithin {
			return list + indexes().ReplaceAllString(rest, "")
		}
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

const (
	fixedName    = "policies need a fixed name here, because it tells what the pod has; write the name instead of the variable"
	fixedPolicy  = "it decides where the container goes, so that policies need a fixed one; write Always, or remove it"
	fixedEntries = "policies add fixed entries to the lists of a pod; write the value instead of the variable"
	fixedPorts   = "policies compare ports with those of the pod, so that they need fixed ones; write the value instead of the variable"
)

// fixedFields are the fields by which a policy tells the parts of a pod apart, or decides where they go. A dot at the end stands for all
// fields below.
var fixedFields = []struct{ name, reason string }{
	{"containers.name", fixedName},
	{"containers.env.name", fixedName},
	{"containers.ports.", fixedPorts},
	{"initContainers.name", fixedName},
	{"initContainers.env.name", fixedName},
	{"initContainers.ports.", fixedPorts},
	{"initContainers.restartPolicy", fixedPolicy},
	{"volumes.name", fixedName},
	{"imagePullSecrets.", fixedName},
	{"appContainers.env.name", fixedName},
	{"appContainers.envFrom.", fixedName},
	{"appContainers.volumeMounts.mountPath", fixedName},
}
