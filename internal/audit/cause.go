package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/pods/live"
)

// Cause is why pods of a workload are not as declared, as far as the cluster shows it. Who changed a pod, or did not
// apply a manifest, is not in the cluster, so explanations say what was found, and call the rest probable.
type Cause string

// The causes.
const (
	RollingOut Cause = "RollingOut" // the template is current, and pods from before are being replaced
	Paused     Cause = "Paused"     // the same, and the workload is paused
	OnDelete   Cause = "OnDelete"   // the same, and pods are replaced only when somebody deletes them
	Partition  Cause = "Partition"  // the same, and the partition of a StatefulSet keeps pods from before
	NextRun    Cause = "NextRun"    // the template is current, and the next Job of a CronJob has it
	Removed    Cause = "Removed"    // the template is current, and pods of it are not
	NotAdded   Cause = "NotAdded"   // the template does not have it, and other pods of it do: it is added at admission
	NotApplied Cause = "NotApplied" // the template is not current
	Unmanaged  Cause = "Unmanaged"  // nothing replaces the pod
	Dropped    Cause = "Dropped"    // something that does not know native sidecars has dropped restartPolicy
)

// explain finds the cause for pods that are not as declared.
func (m *groupPods) explain(templates map[live.Creator]template) {
	top, isKnown := templates[m.Creator]
	m.Template = top.states[m.Injector]
	switch {
	case unlike(m.Counts) == 0:
	case m.isPod() && m.Counts[Unexpected] > 0:
		m.because(Unmanaged, "nothing replaces the pod %s: delete it, and apply its manifest without what is no longer declared", m.Creator.Name)
	case m.isPod():
		m.because(Unmanaged, "nothing replaces the pod %s: delete it, and apply the injected manifest", m.Creator.Name)
	case m.explainRemoved(templates), m.explainNotAdded(isKnown):
	case isKnown && isRight(m.Template, m.Counts):
		m.explainWaiting(top.rollout)
	case isKnown && m.Template == Unexpected:
		m.because(NotApplied, "its workload is not as declared: %s still has what is no longer declared; "+
			"the manifest without it was probably not applied", m.Creator)
	case m.Template == Missing || m.Template == Stale:
		m.because(NotApplied, "its workload is not as declared: %s does not have what is declared; "+
			"the injected manifest was probably not applied", m.Creator)
	}
}

func (m *groupPods) because(cause Cause, format string, args ...any) {
	m.Cause, m.Explanation = cause, fmt.Sprintf(format, args...)
}

// isRight reports whether pods of a template with this state would be as declared.
func isRight(template State, counts map[State]int) bool {
	isUnexpected := counts[Unexpected] > 0 && counts[Missing]+counts[Stale] == 0
	return template == Current || isUnexpected && template == Skipped
}

// explainRemoved looks for pods that are not like the template that they were created from. The cause is that of the
// worst state.
func (m *groupPods) explainRemoved(templates map[live.Creator]template) bool {
	for _, revision := range slices.Sorted(maps.Keys(m.revisions)) {
		counts := m.revisions[revision]
		source, isFound := m.sourceOf(revision, templates)
		isWorst := counts[Missing] > 0 || m.Counts[Missing] == 0
		if bad := counts[Missing] + counts[Stale]; isFound && isWorst && bad > 0 {
			verb := "changed"
			if counts[Missing] > 0 {
				verb = "removed"
			}
			m.because(Removed, "its template is as declared: %s has what is declared, and %s of it %s not; "+
				"it was probably %s by an admission webhook, or by something else that edits pods",
				source, ofPods(bad, pods(counts)), agree(bad, "does", "do"), verb)
			return true
		}
	}
	return false
}

// sourceOf returns the object that the pods of a revision were created from, if it is known and current.
func (m *groupPods) sourceOf(revision string, templates map[live.Creator]template) (name string, isFound bool) {
	for _, between := range m.between(revision) {
		if t, isKnown := templates[between]; isKnown && t.creator == m.Creator && !m.keepsPods() {
			return between.String(), t.states[m.Injector] == Current
		}
	}
	top, isKnown := templates[m.Creator]
	isNewest := top.rollout.isDone || revision != "" && revision == top.rollout.revision
	return m.Creator.String(), isKnown && isNewest && top.states[m.Injector] == Current && m.Creator.Kind != "CronJob"
}

// explainNotAdded looks for pods of one revision of which some are current, although the template is not.
func (m *groupPods) explainNotAdded(isKnown bool) bool {
	if m.Template != Missing && m.Template != Stale && isKnown {
		return false
	}
	template := ""
	if isKnown {
		template = fmt.Sprintf("the template of %s does not have it, and ", m.Creator)
	}
	for _, revision := range slices.Sorted(maps.Keys(m.revisions)) {
		if counts := m.revisions[revision]; revision != "" && counts[Current] > 0 && counts[Missing] > 0 {
			m.because(NotAdded, "%s%s of revision %s %s it: it is probably added at admission, and was not when the others were created; "+
				"restart those",
				template, ofPods(counts[Current], pods(counts)), revision, agree(counts[Current], "has", "have"))
			return true
		}
	}
	return false
}

// explainWaiting finds what pods from before the current template wait for.
func (m *groupPods) explainWaiting(r rollout) {
	state := fmt.Sprintf("the template of %s is current, and %s %s from before", m.Creator,
		ofPods(unlike(m.Counts), pods(m.Counts)), agree(unlike(m.Counts), "is", "are"))
	switch {
	case m.Creator.Kind == "CronJob":
		m.because(NextRun, "the next run is as declared: %s", state)
	case r.isPaused:
		m.because(Paused, "paused: %s; resume it by kubectl rollout resume", state)
	case r.isOnDelete:
		m.because(OnDelete, "waiting for somebody to delete pods, because of the update strategy OnDelete: %s", state)
	case m.keepsPods():
		m.because(OnDelete, "waiting for somebody to delete pods, because a %s replaces no others: %s", m.Creator.Kind, state)
	case r.partition > 0:
		m.because(Partition, "held back by spec.updateStrategy.rollingUpdate.partition, which is %d: %s", r.partition, state)
	default:
		m.because(RollingOut, "rolling out: %s", state)
	}
}

// explainDropped looks for native sidecars that only lack restartPolicy. Applying the manifest again would not help,
// unless the template has it and its pods are about to be replaced.
func (m *groupPods) explainDropped() {
	isWaiting := !slices.Contains([]Cause{"", Removed, NotApplied, Unmanaged}, m.Cause)
	if m.dropped == 0 || m.dropped < unlike(m.Counts) || isWaiting {
		return
	}
	m.because(Dropped, "restartPolicy: Always of a native sidecar is not there: if the manifest has it, "+
		"an old admission webhook has probably dropped it, or Kubernetes before 1.29")
}

// isDropped reports whether a native sidecar of the pod has no restartPolicy, and nothing that the pod has differs.
func (r *Row) isDropped() bool {
	isThere := func(f Field) bool { return !f.IsMissing }
	isRestartPolicy := func(f Field) bool {
		return strings.HasPrefix(f.Path, "spec.initContainers[") && strings.HasSuffix(f.Path, "].restartPolicy")
	}
	return slices.ContainsFunc(r.Fields, isRestartPolicy) && !slices.ContainsFunc(r.Fields, isThere)
}

// isPod reports whether the owner is the pod itself, because nothing manages it.
func (m *groupPods) isPod() bool { return m.Creator.APIVersion == "v1" && m.Creator.Kind == "Pod" }

// keepsPods reports whether the workload keeps its pods if its template changes.
func (m *groupPods) keepsPods() bool {
	return m.Creator.Kind == "ReplicaSet" || m.Creator.Kind == "ReplicationController"
}

func ofPods(n, all int) string {
	if all == 1 {
		return "1 pod"
	}
	return fmt.Sprintf("%d of %d pods", n, all)
}

// agree returns the form of a verb for a number.
func agree(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
