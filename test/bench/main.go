// Bench compares Pillion with other programs for the same work: with the same input, from the start of each process to
// its end, and in turns, so that all run under the same conditions. Run it from the root of the module;
// docs/explanation/performance.md explains the output.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
)

func main() {
	only := flag.String("only", "", "a regular expression for the names of the sections to measure, such as startup|audit")
	strict := flag.Bool("strict", false, "exit with code 1 if a floor is missed")
	pillion := flag.String("pillion", "./pillion", "the program to measure")
	rounds := flag.Int("rounds", 0, "how often each contestant runs; 0 leaves it to the section")
	flag.Parse()

	goals, err := bench(os.Stdout, *pillion, *only, *rounds)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if *strict && slices.ContainsFunc(goals, goal.missed) {
		os.Exit(1)
	}
}

// section measures one thing, and returns what to print and the goals that it measured.
type section struct {
	name    string
	measure func(*workshop) (table, []goal, error)
}

// sections are in the order of their output, quick ones first.
var sections = []section{
	{"startup", startup},
	{"injectors", injectors},
	{"rerun", rerun},
	{"compare", compare},
	{"scaling", scaling},
	{"overlays", overlays},
	{"trees", trees},
	{"audit", audit},
	{"watch", watch},
}

func bench(out io.Writer, pillion, only string, rounds int) ([]goal, error) {
	chosen, err := regexp.Compile("^(?:" + only + ")$")
	if err != nil {
		return nil, err
	}
	shop, err := openWorkshop(pillion)
	if err != nil {
		return nil, err
	}
	defer shop.close()
	shop.plan, shop.rounds = fullPlan, rounds

	fmt.Fprintln(out, shop.describe())
	var goals []goal
	for _, s := range sections {
		if only != "" && !chosen.MatchString(s.name) {
			continue
		}
		measured, sectionGoals, err := s.measure(shop)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(out, "\n%s", measured)
		goals = append(goals, sectionGoals...)
	}
	if len(goals) == 0 {
		return nil, fmt.Errorf("no section has a name as in -only %s", only)
	}
	fmt.Fprintf(out, "\n%s\n~ the machine was busy: the elapsed time is longer than the processor time\n", goalsTable(goals))
	return goals, nil
}
