// Package livepods generates pods as kubectl prints those of a large cluster, with the states in which an audit must
// find them.
package livepods

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
)

// Injector is the config to audit the pods with.
//
//go:embed injector.yaml
var Injector string

// current is a pod in which everything that the injector declares is there. Words in capitals are different in each
// pod.
//
//go:embed pod.json
var current string

// Namespaces is how many namespaces the pods are in, in turns of their owners.
const Namespaces = 40

// Pod is one pod of the cluster.
type Pod struct {
	Name, Namespace, State string
	JSON                   string // indented by 4 spaces
}

// All returns n pods. They belong to ReplicaSets of 1 to 50 pods. Of 100 pods, about 3 lack the sidecar, 5 run an old
// one, 4 have finished, 3 belong to workloads that opted out, and the others are current.
func All(n int) iter.Seq[Pod] {
	return func(yield func(Pod) bool) {
		for owner, i := 0, 0; i < n; owner++ {
			for size := 1 + number(owner, saltSize)%50; size > 0 && i < n; size-- {
				if !yield(newPod(i, owner)) {
					return
				}
				i++
			}
		}
	}
}

// Write writes n pods as kubectl get pods -A -o json prints them, and returns how many are in each state.
func Write(to io.Writer, n int) (map[string]int, error) {
	counts := map[string]int{}
	w := bufio.NewWriter(to)
	_, _ = w.WriteString("{\n    \"apiVersion\": \"v1\",\n    \"items\": [") // Flush returns the first error
	separator := "\n"
	for pod := range All(n) {
		counts[pod.State]++
		_, _ = w.WriteString(separator)
		for line := range strings.Lines(pod.JSON) {
			_, _ = w.WriteString("        ")
			_, _ = w.WriteString(line)
		}
		separator = ",\n"
	}
	_, _ = w.WriteString("\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n")
	return counts, w.Flush()
}

func newPod(i, owner int) Pod {
	pod := Pod{Namespace: fmt.Sprintf("team-%d", owner%Namespaces)}
	kind := kindOf(i, owner)
	app, hash, suffix := fmt.Sprintf("web-%d", owner), letters(owner, 8), letters(i, 5)
	pod.Name, pod.State = app+"-"+hash+"-"+suffix, kind.state
	pod.JSON = strings.NewReplacer(
		"OWNER", app, "HASH", hash, "SUFFIX", suffix, "NAMESPACE", pod.Namespace, "NUMBER", strconv.Itoa(i), "NODE", strconv.Itoa(i%250),
		"REPLICASET", uid(owner, saltOwnerUID), "UID", uid(i, saltUID), "CONTAINER", fmt.Sprintf("%064x", number(i, saltContainer)),
	).Replace(kind.template())
	return pod
}

// kind is one kind of pod, with the state that an audit must find.
type kind struct {
	state    string
	template func() string
}

var (
	isCurrent  = kind{"current", edited()}
	isMissing  = kind{"missing", edited(removeSidecar)}
	isStale    = kind{"stale", edited(useOldImage)}
	isFinished = kind{"skipped", edited(finish)}
	isOptedOut = kind{"skipped", edited(removeSidecar, optOut)}
)

func kindOf(i, owner int) kind {
	if number(owner, saltOptOut)%100 < 3 {
		return isOptedOut
	}
	switch percent := number(i, saltState) % 100; {
	case percent < 3:
		return isMissing
	case percent < 8:
		return isStale
	case percent < 12:
		return isFinished
	default:
		return isCurrent
	}
}

// salts make the numbers of a pod independent of each other.
const (
	saltSize = iota + 1
	saltState
	saltOptOut
	saltUID
	saltOwnerUID
	saltContainer
)

// number returns a number that looks random, and is the same in each run. It mixes bits as SplitMix64 does.
func number(i int, salt uint64) int {
	n := (uint64(i) + salt<<32) * 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return int((n ^ n>>31) >> 33)
}

// letters returns different letters for different numbers, of those that controllers use in names.
func letters(i, count int) string {
	const all, step = "bcdfghjklmnpqrstvwxz2456789", 7919 // a prime, so that neighbours look different
	text := make([]byte, count)
	rest := i * step
	for n := range text {
		text[n] = all[rest%len(all)]
		rest /= len(all)
	}
	return string(text)
}

func uid(i int, salt uint64) string {
	return fmt.Sprintf("%08x-%04x-4000-8000-%012x", number(i, salt), i%0xffff, i)
}
