package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	kjson "sigs.k8s.io/json"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// PodSecurity is whether the pod keeps the level of the Pod Security Standards that it had, up
// to the level that is asked for. The standards are those of the cluster's version, such as 1, 33;
// 0, 0 is the newest.
func PodSecurity(before, after podtemplate.Template, asked v1alpha1.PodSecurityLevel, major, minor int) []finding.Finding {
	version := versionOf(major, minor)
	had, _ := levelOf(before, asked, version)
	has, broken := levelOf(after, asked, version)
	if slices.Index(levels, has) >= slices.Index(levels, had) {
		return nil
	}
	return []finding.Finding{{
		Severity: finding.Error,
		Code:     finding.PodSecurity,
		Field:    &finding.Field{Path: after.At("spec")},
		Message: fmt.Sprintf("with the sidecar the pod falls from pod security level %s to %s: %s; correct the injector's payload, or lower spec.checks.podSecurity",
			had, has, strings.Join(reasonsFor(had, broken), ", ")),
	}}
}

func versionOf(major, minor int) api.Version {
	if major > 0 {
		return api.MajorMinorVersion(major, minor)
	}
	return api.LatestVersion()
}

// reasonsFor are those why a pod does not meet a level. What breaks a higher one is not our finding.
func reasonsFor(level api.Level, broken []breach) []string {
	at := slices.IndexFunc(broken, func(b breach) bool { return b.level == level })
	return broken[at].reasons
}

// levels are from the lowest to the highest.
var levels = []api.Level{api.LevelPrivileged, api.LevelBaseline, api.LevelRestricted}

// breach is a level that a pod does not meet, and why.
type breach struct {
	level   api.Level
	reasons []string
}

// levelOf is the highest level that the pod meets, of those up to the one asked for, and why
// it does not meet the higher ones, the highest first.
func levelOf(template podtemplate.Template, asked v1alpha1.PodSecurityLevel, version api.Version) (api.Level, []breach) {
	metadata, spec := typed(template)
	var broken []breach
	for i := slices.Index(levels, api.Level(asked)); i > 0; i-- {
		results := evaluator().EvaluatePod(api.LevelVersion{Level: levels[i], Version: version}, &metadata, &spec)
		var reasons []string
		for _, r := range results {
			if !r.Allowed {
				reasons = append(reasons, fmt.Sprintf("%s (%s)", r.ForbiddenReason, r.ForbiddenDetail))
			}
		}
		if len(reasons) == 0 {
			return levels[i], broken
		}
		broken = append(broken, breach{levels[i], reasons})
	}
	return api.LevelPrivileged, broken
}

// evaluator is made when it is needed first: most runs do not ask.
var evaluator = sync.OnceValue(func() policy.Evaluator {
	e, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		panic(err) // the library's own checks do not fit together
	}
	return e
})

// typed reads a pod as the standards want it. A field of a wrong type is left out: the API
// server refuses it, whatever its security.
func typed(template podtemplate.Template) (metadata metav1.ObjectMeta, spec corev1.PodSpec) {
	read(node.Get(template.Node, "metadata"), &metadata)
	read(template.Spec(), &spec)
	for i := range spec.Volumes {
		if spec.Volumes[i].VolumeSource == (corev1.VolumeSource{}) { // the API server's own default
			spec.Volumes[i].EmptyDir = &corev1.EmptyDirVolumeSource{}
		}
	}
	return metadata, spec
}

func read(n *yaml.Node, into any) {
	if text, err := json.Marshal(value(n)); err == nil {
		_ = kjson.UnmarshalCaseSensitivePreserveInts(text, into) // goes on behind a field that does not fit
	}
}

// unread are fields of types that read themselves, where a wrong value would end the reading. No
// standard asks for them.
var unread = map[string]bool{"resources": true, "sizeLimit": true, "divisor": true, "overhead": true, "creationTimestamp": true, "deletionTimestamp": true}

// value is a node as plain Go values, aliases and merge keys followed.
func value(n *yaml.Node) any {
	if n = node.Resolve(n); node.IsNull(n) {
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		keys, valueOf := node.Keys(n), node.Values(n)
		values := make(map[string]any, len(keys))
		for _, key := range keys {
			if !unread[key] {
				values[key] = value(valueOf(key))
			}
		}
		return values
	case yaml.SequenceNode:
		values := make([]any, len(n.Content))
		for i, entry := range n.Content {
			values[i] = value(entry)
		}
		return values
	}
	switch scalar := node.Scalar(n).(type) {
	case bool, int, uint64: // a fraction is a quantity, and those may be strings
		return scalar
	}
	return n.Value
}
