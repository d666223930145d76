package injector

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"testing"
)

func TestNamePatternsMatchWholeNames(t *testing.T) {
	pattern := one(t, with("names: ['web|db']")).Names[0]
	if !pattern.MatchString("web") || !pattern.MatchString("db") || pattern.MatchString("web-1") || pattern.MatchString("mydb") {
		t.Error("web|db does not match just web and db")
	}
}

func TestInstructionsAreNoFewerThanCompiled(t *testing.T) {
	for _, pattern := range []string{
		"", "a", "web-.*", "(a|b)*c+d?", "a{1000}", "a{0,999}", "a{3,}", "(?:a{10}b){20,}", "(a{2}|[a-z0-9]{3}){5}", "(?i)web", `\pL{30}`,
		"(?:){100}", "x*{0}",
	} {
		parsed, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			continue
		}
		program, err := syntax.Compile(parsed.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		const ends = 2 // the instructions for failure and for a match
		if counted := instructions(parsed); counted < len(program.Inst)-ends {
			t.Errorf("%s: %d instructions are counted, and %d compiled", pattern, counted, len(program.Inst))
		}
	}
}

func TestProgramsOfPatternsAreBounded(t *testing.T) {
	const much = "with this pattern, the regular expressions of the config have more than 10000 instructions"
	for claim, test := range map[string]struct{ config, at string }{
		"of one pattern":       {with("names: ['" + strings.Repeat("a{0,999}", 127) + "']"), "spec.names[0]: "},
		"of many":              {with("names: [" + strings.Repeat("'a{1000}b', 'b{1000}', ", 200) + "]"), "spec.names["},
		"of distinct patterns": {with("names: [" + distinct(60) + "]"), "spec.names["},
		"of character classes": {with("names: ['" + strings.Repeat(`\pL`, 300) + "']"), "spec.names[0]: "},
		"of a container": {
			envoy("containers: [{name: x, image: x, resourcesPolicy: " +
				"{targetContainersNameRegex: '" + strings.Repeat("a{1000}", 140) + "', resourcesExpr: {requests: {cpu: cpu}}}}]"),
			"spec.containers[0].resourcesPolicy.targetContainersNameRegex: ",
		},
	} {
		_, said := Read(parse(t, test.config))
		found := ""
		for _, f := range said {
			if strings.Contains(f.Message, much) {
				found += f.Message
			}
		}
		switch {
		case claim == "of many": // the same patterns again and again are compiled once
			if len(said) > 0 {
				t.Errorf("%s: %v", claim, said)
			}
		case !strings.HasPrefix(found, test.at) || strings.Count(found, much) != 1:
			t.Errorf("%s: %v", claim, said)
		}
	}
}

func distinct(count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, "'a{1000}%d', ", i)
	}
	return b.String()
}
