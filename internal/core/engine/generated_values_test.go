package engine_test

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"regexp"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	sigsyaml "sigs.k8s.io/yaml"
)

var (
	counted   = regexp.MustCompile(`(?:containerPort|replicas|terminationGracePeriodSeconds): [0-9]+`)
	imageLine = regexp.MustCompile(`(?m)^ +image: app:1\n`)
)

// respelled writes numbers and booleans of a workload in other spellings that kubectl reads, and
// adds some. What it does depends on the text alone.
func respelled(workload string) string {
	s := newSource(uint64(crc32.ChecksumIEEE([]byte(workload))))
	workload = counted.ReplaceAllStringFunc(workload, func(field string) string {
		name, digits, _ := strings.Cut(field, ": ")
		n, _ := strconv.Atoi(digits)
		return name + ": " + s.number(n)
	})
	workload = strings.ReplaceAll(workload, "runAsNonRoot: false", "runAsNonRoot: "+s.boolean())
	workload = strings.ReplaceAll(workload, ", image: app:1", s.of(", image: app:1", ", image: app:1, tty: "+s.boolean()))
	return imageLine.ReplaceAllStringFunc(workload, func(line string) string {
		indent, _, _ := strings.Cut(line, "image")
		return line + s.of("", "", indent+"stdin: "+s.boolean()+"\n",
			indent+"volumeMounts: [{name: data, mountPath: /data, readOnly: "+s.boolean()+"}]\n")
	})
}

// boolean is a truth value in one of the spellings that kubectl reads.
func (s source) boolean() string {
	return s.of("true", "false", "True", "FALSE", "yes", "No", "on", "Off", "y", "N")
}

// number is an integer in one of the spellings that kubectl reads.
func (s source) number(n int) string {
	return s.of(fmt.Sprint(n), fmt.Sprint(n), fmt.Sprintf("0x%X", n), fmt.Sprintf("0%o", n), fmt.Sprintf("0o%o", n), fmt.Sprintf("0b%b", n),
		fmt.Sprintf("%d.0", n), fmt.Sprintf("+%d", n), fmt.Sprintf("%d_", n), fmt.Sprintf("%de0", n))
}

// accepted claims that the API server can read what a run wrote, if it could read what was there.
func (h *history) accepted(before, after string) {
	h.Helper()
	if decode(before) != nil {
		return
	}
	if err := decode(after); err != nil {
		h.fail("the API server can no longer read it: %v\n%s", err, after)
	}
}

// decode reads a generated workload as kubectl and the API server do: by JSON that is made without
// knowing the types, so that yes is never a string.
func decode(workload string) error {
	text, err := sigsyaml.YAMLToJSON([]byte(workload))
	if err != nil {
		return err
	}
	switch {
	case strings.Contains(workload, "kind: CronJob"):
		return json.Unmarshal(text, new(batchv1.CronJob))
	case strings.Contains(workload, "kind: Pod"):
		return json.Unmarshal(text, new(corev1.Pod))
	default: // what a Job and a StatefulSet have besides is of no interest
		return json.Unmarshal(text, new(appsv1.Deployment))
	}
}
