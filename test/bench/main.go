// Bench compares Pillion with other programs for the same work: with the same input, from the start of each process to its end,
// and in turns, so that all run under the same conditions. Run it from the root of the module; docs/explanation/performance.md explains the
// output.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	s := settings{plan: fullPlan}
	only := flag.String("only", "", "the sections to measure, separated by commas; all of "+strings.Join(sectionNames(), ", ")+" by default")
	strict := flag.Bool("strict", false, "exit with code 1 if a floor is missed")
	flag.StringVar(&s.pillion, "pillion", "./pillion", "the program to measure")
	flag.IntVar(&s.rounds, "rounds", 0, "how often each contestant runs; 0 leaves it to the section")
	flag.IntVar(&s.kustomizeMax, "kustomize-max", 30, "the most resources to give to kustomize, whose time grows nearly with their square")
	flag.IntVar(&s.jqMax, "jq-max", 10000, "the most pods to give to jq, which takes ten times their size in memory")
	flag.Parse()

	goals, err := bench(os.Stdout, s, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if *strict && slices.ContainsFunc(goals, goal.missed) {
		os.Exit(1)
	}
}

// settings are the flags that the sections use.
type settings struct {
	plan         plan
	pillion      string
	rounds       int
	kustomizeMax int
	jqMax        int
}

// runs returns how often each contestant runs. A section may have its own default.
func (s settings) runs(suitable int) int {
	if s.rounds > 0 {
		return s.rounds
	}
	return suitable
}

// section measures one thing, and returns the text to print and the goals that it measured.
type section struct {
	name    string
	measure func(*workshop, settings) (table, []goal, error)
}

// sections are in the order of their output, quick ones first.
var sections = []section{
	{"startup", startup},
	{"injectors", injectors},
	{"compare", compare},
	{"shapes", shapes},
	{"tree", tree},
	{"explain", explain},
	{"scaling", scaling},
	{"audit", audit},
	{"watch", watch},
}

func sectionNames() []string {
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}
	return names
}

func chosenSections(only string) ([]section, error) {
	if only == "" {
		return sections, nil
	}
	var chosen []section
	for name := range strings.SplitSeq(only, ",") {
		at := slices.IndexFunc(sections, func(s section) bool { return s.name == name })
		if at < 0 {
			return nil, fmt.Errorf("there is no section %q; use one of %s", name, strings.Join(sectionNames(), ", "))
		}
		chosen = append(chosen, sections[at])
	}
	return chosen, nil
}

func bench(out io.Writer, s settings, only string) ([]goal, error) {
	chosen, err := chosenSections(only)
	if err != nil {
		return nil, err
	}
	shop, err := openWorkshop(s.pillion)
	if err != nil {
		return nil, err
	}
	defer shop.close()

	fmt.Fprintln(out, shop.describe())
	var goals []goal
	for _, section := range chosen {
		measured, sectionGoals, err := section.measure(shop, s)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(out, "\n%s", measured)
		goals = append(goals, sectionGoals...)
	}
	if len(goals) > 0 {
		fmt.Fprintf(out, "\n%s", goalsTable(goals))
	}
	fmt.Fprintf(out, "\n%s", marks())
	return goals, nil
}
