package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// tool is a program in one version.
type tool struct{ name, version string }

// outcomes are the numbers of tests, by the action that ended them.
type outcomes map[string]int

// usage is the outcomes of the tests that use each tool. The tool without a name counts all tests.
type usage map[tool]outcomes

var uses = regexp.MustCompile(`uses (\S+) (\S+)\n`)

// count adds the end of a test to each tool that it has named, once.
func (u usage) count(action string, output []string) {
	named := map[tool]bool{}
	for _, found := range uses.FindAllStringSubmatch(strings.Join(output, ""), -1) {
		named[tool{found[1], found[2]}] = true
	}
	if len(named) > 0 {
		named[tool{}] = true
	}
	for t := range named {
		if u[t] == nil {
			u[t] = outcomes{}
		}
		u[t][action]++
	}
}

func (u usage) print(out io.Writer) {
	rows := slices.SortedFunc(maps.Keys(u), func(a, b tool) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.version, b.version))
	})
	name, version := len("tool"), len("version")
	for _, t := range rows {
		name, version = max(name, len(t.name)), max(version, len(t.version))
	}
	fmt.Fprintf(out, "%-*s  %-*s  passed  skipped  failed\n", name, "tool", version, "version")
	for _, t := range rows {
		if t != (tool{}) {
			fmt.Fprintf(out, "%-*s  %-*s  %6d  %7d  %6d\n", name, t.name, version, t.version, u[t]["pass"], u[t]["skip"], u[t]["fail"])
		}
	}
	all := u[tool{}]
	fmt.Fprintf(out, "%d tests used a tool: %d passed, %d skipped, %d failed\n",
		all["pass"]+all["skip"]+all["fail"], all["pass"], all["skip"], all["fail"])
}
