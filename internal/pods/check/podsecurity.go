package check

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	kjson "sigs.k8s.io/json"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// PodSecurity reports a pod that loses a level of the Pod Security Standards. Higher levels than upTo do not count. The
// standards are those of the cluster's version, such as 1, 33; 0, 0 is the newest.
func PodSecurity(before, after pod.Template, upTo v1alpha1.PodSecurityLevel, major, minor int) []finding.Finding {
	version := standardsOf(major, minor)
	had, has := levelOf(before, upTo, version), levelOf(after, upTo, version)
	if !has.isBelow(had) {
		return nil
	}
	return fall(after, had, has, "the sidecar", "correct the injector's payload")
}

// PodSecurity reports a level of the Pod Security Standards that the pod has in its file, and loses because stamps are
// undone.
func (v Versions) PodSecurity(upTo v1alpha1.PodSecurityLevel, major, minor int) []finding.Finding {
	version := standardsOf(major, minor)
	has, had := levelOf(v.Result, upTo, version), levelOf(v.InFile, upTo, version)
	if !has.isBelow(had) || !levelOf(v.Undone, upTo, version).isBelow(had) { // else PodSecurity reports the payload
		return nil
	}
	return fall(v.Result, had, has, "undoing stamps", "correct what the stamps record")
}

// fall reports that something lowers the level of a pod, and why the pod does not comply with the higher one any more.
func fall(of pod.Template, from, to level, what, remedy string) []finding.Finding {
	return []finding.Finding{{
		Severity: finding.Error, Code: finding.PodSecurity, Field: &finding.Field{Path: of.At("spec")},
		Message: fmt.Sprintf("%s lowers the pod security level of the pod from %s to %s: %s; %s, or lower spec.checks.podSecurity",
			what, from.Level, to.Level, strings.Join(to.reasons[from.Level], ", "), remedy),
	}}
}

func standardsOf(major, minor int) api.Version {
	if major > 0 {
		return api.MajorMinorVersion(major, minor)
	}
	return api.LatestVersion()
}

// levels are from the lowest to the highest.
var levels = []api.Level{api.LevelPrivileged, api.LevelBaseline, api.LevelRestricted}

// level is the highest level that a pod complies with, and why it does not comply with the higher ones.
type level struct {
	api.Level
	reasons map[api.Level][]string
}

func (l level) isBelow(other level) bool {
	return slices.Index(levels, l.Level) < slices.Index(levels, other.Level)
}

// levelOf returns the level of a pod, which is at most upTo.
func levelOf(template pod.Template, upTo v1alpha1.PodSecurityLevel, version api.Version) level {
	metadata, spec := typed(template)
	failed := map[api.Level][]string{}
	for i := slices.Index(levels, api.Level(upTo)); i > 0; i-- {
		for _, r := range evaluator().EvaluatePod(api.LevelVersion{Level: levels[i], Version: version}, &metadata, &spec) {
			if !r.Allowed {
				failed[levels[i]] = append(failed[levels[i]], fmt.Sprintf("%s (%s)", r.ForbiddenReason, r.ForbiddenDetail))
			}
		}
		if len(failed[levels[i]]) == 0 {
			return level{levels[i], failed}
		}
	}
	return level{api.LevelPrivileged, failed}
}

// evaluator is created on first use, because most runs do not need it.
var evaluator = sync.OnceValue(func() policy.Evaluator {
	e, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		panic(err) // the library's own checks contradict each other
	}
	return e
})

// typed decodes a pod for the evaluator. It leaves out fields of a wrong type, which the API server refuses anyway.
func typed(template pod.Template) (metadata metav1.ObjectMeta, spec corev1.PodSpec) {
	read(node.Get(template.Node, "metadata"), &metadata)
	read(template.Spec(), &spec)
	for i := range spec.Volumes {
		if spec.Volumes[i].VolumeSource == (corev1.VolumeSource{}) { // the API server's own default
			spec.Volumes[i].EmptyDir = &corev1.EmptyDirVolumeSource{}
		}
	}
	return metadata, spec
}

func read(n *node.Node, into any) {
	if n == nil {
		return
	}
	if text, err := manifest.JSON(withoutUnread(n)); err == nil {
		_ = kjson.UnmarshalCaseSensitivePreserveInts(text, into) // continues after a field of a wrong type
	}
}

// unread are fields that no standard uses. Their types decode themselves, so that a wrong value would stop the decoder.
var unread = []string{"resources", "sizeLimit", "divisor", "overhead", "creationTimestamp", "deletionTimestamp"}

// withoutUnread returns a copy of a node without these fields.
func withoutUnread(n *node.Node) *node.Node {
	fresh := node.Fresh(n)
	node.Visit(fresh, func(n *node.Node) {
		for _, field := range unread {
			if n.Kind == node.MappingNode {
				node.Delete(n, field)
			}
		}
	})
	return fresh
}
