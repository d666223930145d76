package injector

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

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
	const much = "].resourcesPolicy.targetContainersNameRegex: " +
		"with this pattern, the regular expressions of the config have more than 10000 instructions"
	for claim, test := range map[string]struct {
		patterns []string
		refused  bool
	}{
		"of one pattern":       {[]string{strings.Repeat("a{0,999}", 127)}, true},
		"of the same patterns": {slices.Repeat([]string{"a{1000}b"}, 60), false}, // they are compiled once
		"of distinct patterns": {distinct(60), true},
		"of character classes": {[]string{strings.Repeat(`\pL`, 300)}, true},
	} {
		containers := ""
		for i, pattern := range test.patterns {
			containers += fmt.Sprintf("- {name: c%d, image: x, resourcesPolicy: {targetContainersNameRegex: '%s', resourcesExpr: "+
				"{requests: {cpu: cpu}}}}\n", i, pattern)
		}
		_, findings := Read(parse(t, envoy("containers:\n"+containers)))
		got := said(findings)
		if isRefused := strings.Count(got, much) == 1; isRefused != test.refused {
			t.Errorf("%s: %s", claim, got)
		}
	}
}

func TestPatternsThatCannotBeRead(t *testing.T) {
	const at = "spec.containers[0].resourcesPolicy.targetContainersNameRegex: "
	for pattern, want := range map[string]string{
		"web-(":                   "\"web-(\" is not a regular expression: missing closing ): `web-(`; see https://golang.org/s/re2syntax",
		strings.Repeat("a", 1025): "the pattern is 1025 bytes long; the most is 1024",
	} {
		config := sidecar("resourcesPolicy: {targetContainersNameRegex: '" + pattern + "', resourcesExpr: {requests: {cpu: cpu}}}")
		bad{pattern, config, []string{at + want}}.run(t)
	}
}

func distinct(count int) (all []string) {
	for i := range count {
		all = append(all, fmt.Sprintf("a{1000}%d", i))
	}
	return all
}
