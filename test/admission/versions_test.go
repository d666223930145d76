package admission

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/test/admission/apiserver"
	"pillion.dev/pillion/test/source"
)

// podsForEachVersion is the number of random pods for each config and each older version of Kubernetes.
const podsForEachVersion = 20

// TestOlderVersions compiles the policies of every config, example and preset with the CEL of older versions of
// Kubernetes, and runs them: they must do the same as those of the newest version, which the other tests compare with
// Pillion. The code that runs them is that of the newest API server.
func TestOlderVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("the newest version is tested")
	}
	all := slices.Concat(loaded(t, source.Configs), loaded(t, source.Examples), loaded(t, source.Presets))
	for _, minor := range []int{30, 34, 35} {
		t.Run(fmt.Sprintf("1.%d", minor), func(t *testing.T) {
			counts := tally{}
			for _, s := range all {
				t.Run(s.Name, func(t *testing.T) { counts.checkVersion(t, minor, s.Config) })
			}
			counts.print(t)
			if compiled := counts["configs: compiled"]; compiled < len(all)/2 {
				t.Errorf("only %d of %d configs are exportable, which proves little", compiled, len(all))
			}
		})
	}
}

func (c tally) checkVersion(t *testing.T, minor int, config string) {
	t.Helper()
	newest, err := Compile(config, nil)
	var notExportable *NotExportableError
	if errors.As(err, &notExportable) {
		_, older := CompileFor(minor, config, nil)
		if !errors.As(older, &notExportable) {
			t.Errorf("not exportable for the newest version only: %v, and %v", err, older)
		}
		c["configs: not exportable"]++
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	older, err := CompileFor(minor, config, nil)
	if errors.As(err, &notExportable) && strings.Contains(err.Error(), "the API server refuses every pod that gets one") {
		c["configs: with newer fields"]++
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	c["configs: compiled"]++
	for seed := range int64(podsForEachVersion) {
		manifest, namespace := randomPod(seed)
		if minor < firstMutating {
			c.checkVerdicts(t, newest, older, manifest, namespace)
			continue
		}
		comparison, err := older.Compare(manifest, namespace)
		if err != nil {
			t.Fatal(err)
		}
		c["pods: "+comparison.Outcome]++
		for _, problem := range comparison.Problems {
			t.Errorf("pod %d: %s", seed, problem)
		}
	}
}

// checkVerdicts compares the validating policies on a pod, as it is and with what the newest mutating policy adds.
func (c tally) checkVerdicts(t *testing.T, newest, older *Subject, manifest map[string]any, namespace apiserver.Namespace) {
	t.Helper()
	plain, err := decode(manifest)
	if err != nil {
		t.Fatal(err)
	}
	pod := arrive(plain, true)
	for range 2 {
		want, err := newest.policies.Validate(pod, namespace)
		if err != nil {
			t.Fatal(err)
		}
		got, err := older.policies.Validate(pod, namespace)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Denials, got.Denials); diff != "" {
			t.Errorf("the verdicts differ (-newest +older):\n%s", diff)
		}
		verdict := "accepted"
		if got.Denied != nil {
			verdict = "denied"
		}
		c["pods: "+verdict]++
		mutated, err := newest.policies.Mutate(pod, namespace)
		if err != nil {
			return // a pod that Pillion refuses
		}
		pod = arrive(mutated.Pod, true)
	}
}
