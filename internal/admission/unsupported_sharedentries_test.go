package admission_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/admission"
	"pillion.dev/pillion/internal/engine"
)

// joinedValue is a value that an injector joins to the variable A.
type joinedValue struct {
	injector int
	text     string
	before   bool
}

// TestExportableValuesAreJoinedInOrder shows that Pillion joins the values of an exportable config as policies do: those before the app's
// value in their order, the app's value, and those after it, each unless the app's value has it or an earlier one is the same.
func TestExportableValuesAreJoinedInOrder(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	elements := func(least, most int) string {
		all := make([]string, least+r.Intn(most-least+1))
		for i := range all {
			all[i] = string("abcd"[r.Intn(4)])
		}
		return strings.Join(all, " ")
	}
	exportable := 0
	for range 400 {
		var values []joinedValue
		for injector := range 1 + r.Intn(3) {
			for range 1 + r.Intn(3) {
				values = append(values, joinedValue{injector, elements(1, 2), r.Intn(2) == 0})
			}
		}
		config := readJoined(t, values)
		_, findings := admission.New(config.Injectors(), admission.Options{Minor: 36, Mutate: true, FailurePolicy: "Fail"})
		if finding.HasError(findings) {
			continue
		}
		exportable++
		own := elements(0, 3)
		if got, want := injectJoined(t, config, own), joinInOrder(own, values); got != want {
			t.Fatalf("%q with %v becomes %q, and not %q", own, values, got, want)
		}
	}
	if exportable < 40 {
		t.Errorf("only %d configs are exportable", exportable)
	}
}

func readJoined(t *testing.T, values []joinedValue) engine.Config {
	t.Helper()
	text := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n"
	for i, v := range values {
		if i == 0 || v.injector != values[i-1].injector {
			text += fmt.Sprintf("- metadata: {name: i%d}\n  spec:\n    policy: disabled\n    appContainers:\n    - env:\n", v.injector)
		}
		order := "After"
		if v.before {
			order = "Before"
		}
		text += fmt.Sprintf("      - {name: A, value: %q, join: ' ', joinOrder: %s}\n", v.text, order)
	}
	config, findings := engine.ReadConfig(engine.Source{Text: []byte(text)})
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	return config
}

// injectJoined returns the value of A after Pillion, or the error.
func injectJoined(t *testing.T, config engine.Config, own string) string {
	t.Helper()
	variable := ""
	if own != "" {
		variable = fmt.Sprintf(`{"name": "A", "value": %q}`, own)
	}
	pod := fmt.Sprintf(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "annotations": {"pillion.dev/inject": "true"}},
		"spec": {"containers": [{"name": "web", "image": "web", "env": [%s]}]}}`, variable)
	result, err := engine.Apply(t.Context(), config, engine.Source{Text: []byte(pod)})
	if err != nil {
		t.Fatal(err)
	}
	if findings := result.Run.Findings(); finding.HasError(findings) {
		return finding.Err(findings).Error()
	}
	var injected struct {
		Spec struct {
			Containers []struct{ Env []struct{ Value string } }
		}
	}
	text := result.Texts[0]
	if text == nil {
		return own
	}
	if err := json.Unmarshal(text, &injected); err != nil {
		t.Fatal(err)
	}
	return injected.Spec.Containers[0].Env[0].Value
}

func joinInOrder(own string, values []joinedValue) string {
	var before, after, known []string
	for _, v := range values {
		if strings.Contains(" "+own+" ", " "+v.text+" ") || slices.Contains(known, v.text) {
			continue
		}
		known = append(known, v.text)
		if v.before {
			before = append(before, v.text)
		} else {
			after = append(after, v.text)
		}
	}
	if own != "" {
		before = append(before, own)
	}
	return strings.Join(append(before, after...), " ")
}

// TestEntriesThatPoliciesCannotCombine has the env of two injectors, which is refused at the second one.
func TestEntriesThatPoliciesCannotCombine(t *testing.T) {
	const first, second = "items[0].spec.appContainers[0].env[1]", "items[1].spec.appContainers[0].env[0]"
	for name, c := range map[string]struct{ one, two, at, want string }{
		"other value":     {"{name: A, value: a}", "{name: A, value: b}", second, "injector one sets A to another value"},
		"set and joined":  {"{name: A, value: a}", "{name: A, value: b, join: ' '}", second, "injector one sets the variable A"},
		"joined and set":  {"{name: A, value: a, join: ' '}", "{name: A, value: b}", second, "injector two sets the variable A"},
		"other separator": {"{name: A, value: a, join: ' '}", "{name: A, value: b, join: ','}", second, `with the separator " "`},
		"uses a variable": {"{name: A, value: a, join: ' '}", "{name: A, value: $(B), join: ' '}", second, "uses another variable"},
		"same end":        {"{name: A, value: b, join: ' '}", "{name: A, value: a b, join: ' '}", second, `"b" and "a b", which are joined to A`},
		"common element": {
			"{name: A, value: b, join: ' '}", "{name: A, value: b a, join: ' ', joinOrder: Before}", second, `"b" and "b a"`,
		},
		"of one injector": {"{name: A, value: b, join: ' '}, {name: A, value: a b, join: ' '}", "{name: B, value: b}", first, `"b" and "a b"`},
	} {
		t.Run(name, func(t *testing.T) {
			findings := exportTwo(t, "appContainers: [{env: ["+c.one+"]}]", "appContainers: [{env: ["+c.two+"]}]")
			if len(findings) != 1 || findings[0].Code != finding.NotExportable || findings[0].Field.Path != c.at ||
				!strings.Contains(findings[0].Message, c.want) {
				t.Errorf("%v, want one finding about %s", findings, c.at)
			}
		})
	}
}

func TestEntriesThatPoliciesCombine(t *testing.T) {
	for name, specs := range map[string][2]string{
		"equal":       {"appContainers: [{env: [{name: A, value: a}]}]", "appContainers: [{env: [{name: A, value: a}], envPosition: Append}]"},
		"joined":      {"appContainers: [{env: [{name: A, value: a, join: ' '}]}]", "appContainers: [{env: [{name: A, value: b, join: ' '}]}]"},
		"joined once": {"appContainers: [{env: [{name: A, value: a, join: ' '}]}]", "appContainers: [{env: [{name: A, value: a, join: ' '}]}]"},
		"first beginning": {
			"appContainers: [{env: [{name: A, value: --require /a, join: ' '}]}]",
			"appContainers: [{env: [{name: A, value: --require /b, join: ' '}]}]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if findings := exportTwo(t, specs[0], specs[1]); len(findings) > 0 {
				t.Error(findings)
			}
		})
	}
}

func TestReplacingAndKeepingTheSameEntryIsNotExportable(t *testing.T) {
	const entries = "volumes: [{name: v, emptyDir: {}}], appContainers: [{env: [{name: A, value: a}], " +
		"volumeMounts: [{name: v, mountPath: /v}]}], onConflict: "
	findings := exportTwo(t, entries+"{env: Replace, mountPath: Replace}", entries+"{env: Error, mountPath: Error}")
	if len(findings) != 2 || !strings.Contains(fmt.Sprint(findings), "different values of onConflict.mountPath, one of them Replace") {
		t.Error(findings)
	}
}

func exportTwo(t *testing.T, one, two string) []finding.Finding {
	t.Helper()
	config, findings := engine.ReadConfig(engine.Source{Text: fmt.Appendf(nil, `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- {metadata: {name: one}, spec: {policy: disabled, %s}}
- {metadata: {name: two}, spec: {policy: disabled, %s}}
`, one, two)})
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	_, findings = admission.New(config.Injectors(), admission.Options{Minor: 36, Mutate: true, FailurePolicy: "Fail"})
	return findings
}

func TestTooManyEntriesAreNotExportable(t *testing.T) {
	for onConflict, most := range map[string]int{"Keep": 437, "Replace": 88, "Error": 132} {
		env := func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "{name: V%d, value: x}, ", i)
			}
			return b.String()
		}
		spec := "appContainers: [{env: [%s]}], onConflict: {env: " + onConflict + "}"
		if findings := exportTwo(t, fmt.Sprintf(spec, env(most)), "appContainers: [{env: [{name: A, value: a}]}]"); len(findings) != 1 ||
			!strings.Contains(findings[0].Message, "costs more than the API server allows") {
			t.Errorf("%.500v", findings)
		}
		if findings := exportTwo(t, fmt.Sprintf(spec, env(most-1)), "appContainers: [{env: [{name: A, value: a}]}]"); len(findings) > 0 {
			t.Errorf("%.500v", findings)
		}
	}
}
