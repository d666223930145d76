package admission

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/test/admission/apiserver"
)

// TestLongTextsArriveAsTheyAre has texts that end a literal, a line or a comment of an expression, or the block of YAML
// that it is in.
func TestLongTextsArriveAsTheyAre(t *testing.T) {
	long := strings.Repeat("x", 99)
	for _, text := range []string{
		long + "\ny", "\n\n" + long + "\n\n", "  " + long + "\n  \n \t\n" + long + "  ", long + "\r\n" + long + "\r",
		long + "\n// no comment\n---\n...\n# none\n- a: b\n", long + "\nü\u2028\u0007\ufeff\u0000\U0001F600\n",
		`"` + long + "\n" + `"say "" it"`, long + "\n" + `"""`, `"""` + long + "\n" + `""""" "`, long + "\n" + `'''\"`, long + "\n" + `\`,
		long + "\n" + `\n \\n \" \\"" \u0041 $$(A)` + "\n", long + "\n" + long + `"` + "\n",
		long + ", " + long + " " + long, strings.Repeat("ü,", 300), strings.Repeat("ü", 300), strings.Repeat("many words ", 3000),
	} {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, appended := range []string{"", "${pod.labels['app']:-z}"} {
			value := strings.TrimSuffix(string(quoted), `"`) + appended + `"`
			subject, err := Compile(fmt.Sprintf(`{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: log}, spec: {
  containers: [{name: log, image: "log:1", mode: Container, args: [%[1]s, b], env: [{name: A, value: %[1]s}]}]}}`, value), nil)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			plain, err := apiserver.Pod([]byte(`{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: web, image: web}]}}`))
			if err != nil {
				t.Fatal(err)
			}
			mutated, err := subject.policies.Mutate(arrive(plain, false), shop)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			want := text
			if appended != "" {
				want += "z"
			}
			if log := mutated.Pod.Spec.Containers[1]; !slices.Equal(log.Args, []string{want, "b"}) || log.Env[0].Value != want {
				t.Errorf("%q became %q, %q", want, log.Args, log.Env[0].Value)
			}
			if verdict, err := subject.policies.Validate(arrive(mutated.Pod, false), shop); err != nil || verdict.Denied != nil {
				t.Errorf("%q: %v %v", text, err, verdict.Denied)
			}
		}
	}
}
