package admission

import (
	"bytes"
	"os"
	"testing"
)

// TestChangedPoliciesAreFound is the negative control: a policy with one changed line differs from Pillion.
func TestChangedPoliciesAreFound(t *testing.T) {
	for _, c := range []struct{ name, config, old, changed string }{
		{"image", "plain", `"log:1"`, `"log:2"`},
		{"selected", "selection", `"team-b"`, `"team-x"`},
		{"order", "several", `"three"`, `"tree"`},
		{"variable", "variables", `[?"app"]`, `[?"team"]`},
		{"default", "variables", `== "" ? "none"`, `== "" ? "no"`},
		{"container", "variables-of-containers", `"http"`, `"web"`},
		{"finishes", "jobs-skip", `!= "Always"`, `== "Always"`},
		{"replaced volume", "conflicts-replace", `op: "replace"`, `op: "add"`},
		{"port", "conflicts-port", `p.containerPort == 8080`, `p.containerPort == 8082`},
		{"key", "podspec-lists", `orValue("") == w.?ip`, `orValue("") != w.?ip`},
		{"entry", "podspec-lists", "!(w in ", "(w in "},
		{"hostnames", "podspec-lists", "!(h in ", "(h in "},
		{"joined", "env-join", `(value == "" ? [] : [value])`, `(value != "" ? [] : [value])`},
		{"kept", "env-prepend", "n < 0 ||", "n < 5 ||"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, err := os.ReadFile("testdata/configs/" + c.config + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			subject, err := Compile(string(config), func(text []byte) []byte {
				if !bytes.Contains(text, []byte(c.old)) {
					t.Fatalf("the policy does not contain %s:\n%s", c.old, text)
				}
				return bytes.ReplaceAll(text, []byte(c.old), []byte(c.changed))
			})
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for seed := range int64(100) {
				manifest, namespace := randomPod(seed)
				comparison, err := subject.Compare(manifest, namespace)
				if err != nil {
					t.Fatal(err)
				}
				for _, problem := range comparison.Problems {
					if !bytes.HasPrefix([]byte(problem), []byte("Pillion refuses")) {
						found++
						break
					}
				}
			}
			if found == 0 {
				t.Error("no pod of 100 differs")
			}
			t.Logf("%d pods of 100 differ", found)
		})
	}
}
