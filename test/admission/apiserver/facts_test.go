package apiserver

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/facts.txt again instead of comparing with it")

// TestFacts runs each expression of testdata/facts.txt, which shows what CEL in admission policies can and cannot do,
// and compares with what the file says that it gives.
//
// A fact starts with a line "== claim" and has sections: pod (a plain one if absent), var NAME, condition (a
// matchCondition), kubernetes (1.36 if absent), and either patch or validate. The last section, gives, is written by
// -update.
func TestFacts(t *testing.T) {
	const file = "testdata/facts.txt"
	input, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	preamble, rest, _ := strings.Cut("\n"+string(input), "\n== ")
	output := strings.TrimPrefix(preamble, "\n")
	for _, part := range strings.Split(rest, "\n== ") {
		given, want, _ := strings.Cut(part, "\ngives:\n")
		claim, body, _ := strings.Cut(given, "\n")
		var got string
		t.Run(claim, func(t *testing.T) {
			got = readFact(body).outcome(t)
			if want = strings.TrimRight(want, "\n"); got != want && !*update {
				t.Errorf("it gives\n%s\nand not\n%s", got, want)
			}
		})
		output += "\n== " + strings.TrimRight(given, "\n") + "\ngives:\n" + got + "\n"
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.TrimPrefix(output, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

type fact struct {
	pod, kubernetes, condition, patch, validate string
	variables                                   []string
}

var section = regexp.MustCompile(`(?m)^(pod|kubernetes|condition|patch|validate|var \w+):[ \n]`)

func readFact(body string) fact {
	f := fact{pod: plain, kubernetes: "1.36"}
	found := section.FindAllStringSubmatchIndex(body, -1)
	for i, at := range found {
		end := len(body)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		text := strings.TrimSpace(body[at[1]:end])
		switch name := body[at[2]:at[3]]; name {
		case "pod":
			f.pod = text
		case "kubernetes":
			f.kubernetes = text
		case "condition":
			f.condition = text
		case "patch":
			f.patch = text
		case "validate":
			f.validate = text
		default:
			f.variables = append(f.variables, strings.TrimPrefix(name, "var "), text)
		}
	}
	return f
}

func (f fact) outcome(t *testing.T) string {
	t.Helper()
	var conditions []string
	if f.condition != "" {
		conditions = []string{f.condition}
	}
	var policy fmt.Stringer = mutation{expression: f.patch, conditions: conditions, variables: f.variables, reinvocationPolicy: "Never"}
	if f.validate != "" {
		policy = validation{validations: []string{f.validate, "denied"}, conditions: conditions, variables: f.variables}
	}
	manifests := policy.String()
	if f.kubernetes < "1.36" && f.patch != "" {
		manifests = strings.ReplaceAll(manifests, "k8s.io/v1", "k8s.io/v1beta1")
	}
	policies, err := Load([]byte(manifests), f.kubernetes)
	if err != nil {
		return "error: " + firstLine(err.Error())
	}
	if f.validate != "" {
		verdict, err := policies.Validate(pod(t, f.pod), shop)
		if err != nil {
			t.Fatal(err)
		}
		if len(verdict.Denials) == 0 {
			return "accepted"
		}
		return firstLine(verdict.Denials[0])
	}
	mutated, err := policies.Mutate(pod(t, f.pod), shop)
	if err != nil {
		return "error: " + firstLine(err.Error())
	}
	return changed(text(t, mutated.Pod), mutated.Cost)
}

// noise is what every pod has.
var noise = regexp.MustCompile(`(?m)^(status: {}|    resources: {}|  name: web|  namespace: shop)\n`)

// changed returns the text of a pod without noise.
func changed(pod string, cost int64) string {
	pod = strings.TrimPrefix(noise.ReplaceAllString(pod, ""), "metadata:\nspec:\n")
	return fmt.Sprintf("cost %d\n%s", cost, strings.TrimRight(pod, "\n"))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
