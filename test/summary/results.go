package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// event is one line of `go test -json`; see `go doc test2json`.
type event struct {
	Action      string
	Package     string
	Test        string
	Output      string
	FailedBuild string
}

// test is the name of a test in a package. The package itself has an empty name.
type test struct{ pkg, name string }

func (t test) String() string {
	pkg := strings.TrimPrefix(t.pkg, "pillion.dev/pillion/")
	return strings.TrimRight(pkg+" "+t.name, " ")
}

// parent returns the test that t is a subtest of.
func (t test) parent() (parent test, isSubtest bool) {
	i := strings.LastIndexByte(t.name, '/')
	return test{t.pkg, t.name[:max(i, 0)]}, i >= 0
}

// contains reports whether other is a subtest of t, at any depth.
func (t test) contains(other test) bool {
	return t.pkg == other.pkg && strings.HasPrefix(other.name, t.name+"/")
}

// results are what the events up to now have reported. A test with subtests is not counted, only its subtests are.
type results struct {
	out      io.Writer
	progress *progress // nil if the output is not a terminal

	packages int // that have ended
	passed   int
	skipped  map[string][]test // by reason
	failed   []string          // tests, or packages with the reason
	exits    []string          // names of commands that failed
	used     usage

	outputs  map[test][]string
	running  map[test]bool // the packages and tests that have not ended
	subtests map[test]outcomes
	failures map[string]bool // packages with a failed test
}

func newResults(out io.Writer) *results {
	return &results{
		out: out, skipped: map[string][]test{}, used: usage{},
		outputs: map[test][]string{}, running: map[test]bool{}, subtests: map[test]outcomes{}, failures: map[string]bool{},
	}
}

// ok reports whether at least one package was tested and nothing failed.
func (r *results) ok() bool {
	return r.packages > 0 && len(r.failed) == 0 && len(r.exits) == 0
}

func (r *results) take(e event) {
	t := test{e.Package, e.Test}
	switch e.Action {
	case "start", "run":
		r.running[t] = true
	case "output":
		r.takeOutput(t, e.Output)
	case "build-output":
		r.print(e.Output)
	case "exit":
		r.exits = append(r.exits, e.Package)
	case "pass", "skip", "fail":
		r.used.count(e.Action, r.outputs[t])
		if e.Test == "" {
			r.endPackage(t, e)
		} else {
			r.endTest(t, e.Action)
		}
		delete(r.outputs, t)
		delete(r.running, t)
		r.progress.show(r)
	}
}

func (r *results) takeOutput(t test, output string) {
	switch {
	case isNoise(output):
	case t.name != "":
		r.outputs[t] = append(r.outputs[t], output)
	case r.progress == nil || !isPackageLine(output):
		r.print(output)
	}
}

// isNoise reports whether go test prints a line only with -v, which -json implies.
func isNoise(line string) bool {
	return line == "PASS\n" || strings.HasPrefix(line, "=== ")
}

// isPackageLine reports whether a line says that a package passed or has no tests.
func isPackageLine(line string) bool {
	return strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "?   \t")
}

func (r *results) endTest(t test, action string) {
	if action == "fail" {
		r.failures[t.pkg] = true
		r.print(strings.Join(r.outputs[t], ""))
	}
	if parent, isSubtest := t.parent(); isSubtest {
		if r.subtests[parent] == nil {
			r.subtests[parent] = outcomes{}
		}
		r.subtests[parent][action]++
	}
	below := r.subtests[t]
	delete(r.subtests, t)
	switch {
	case action == "fail" && below["fail"] == 0:
		r.failed = append(r.failed, t.String())
	case len(below) > 0: // they are counted instead
	case action == "pass":
		r.passed++
	case action == "skip":
		reason := skipReason(r.outputs[t])
		r.skipped[reason] = append(r.skipped[reason], t)
	}
}

// endPackage also reports the tests that did not end, because a panic or the time limit ended all tests of the package. Their output
// contains the reason.
func (r *results) endPackage(t test, e event) {
	r.packages++
	if e.Action != "fail" {
		return
	}
	unfinished := r.unfinished(t.pkg)
	for _, u := range unfinished {
		r.print(strings.Join(r.outputs[u], ""))
		if !slices.ContainsFunc(unfinished, u.contains) {
			r.failed = append(r.failed, u.String()+" (did not end)")
		}
		delete(r.outputs, u)
		delete(r.running, u)
	}
	switch {
	case e.FailedBuild != "":
		r.failed = append(r.failed, t.String()+" (cannot be built, or go vet reports a mistake)")
	case len(unfinished) == 0 && !r.failures[t.pkg]:
		r.failed = append(r.failed, t.String()+" (outside of its tests)")
	}
}

func (r *results) unfinished(pkg string) []test {
	var tests []test
	for t := range r.running {
		if t.pkg == pkg && t.name != "" {
			tests = append(tests, t)
		}
	}
	slices.SortFunc(tests, func(a, b test) int { return strings.Compare(a.name, b.name) })
	return tests
}

// print writes lines above the line of the progress.
func (r *results) print(text string) {
	r.progress.clear()
	fmt.Fprint(r.out, text)
}

var logged = regexp.MustCompile(`(?m)^ +\S+\.go:\d+: (.+)$`)

// skipReason returns the last message that the test has logged, as a clause.
func skipReason(output []string) string {
	messages := logged.FindAllStringSubmatch(strings.Join(output, ""), -1)
	if len(messages) == 0 {
		return "they give no reason"
	}
	reason := messages[len(messages)-1][1]
	need, isNeed := strings.CutPrefix(reason, "needs ")
	if !isNeed {
		return reason
	}
	if name, why, found := strings.Cut(need, ": "); found {
		return "they need " + name + " (" + why + ")"
	}
	return "they need " + need
}

func (r *results) printSkips() {
	for _, reason := range slices.Sorted(maps.Keys(r.skipped)) {
		tests := r.skipped[reason]
		slices.SortFunc(tests, func(a, b test) int { return strings.Compare(a.String(), b.String()) })
		fmt.Fprintf(r.out, "skipped, because %s:\n", reason)
		for _, t := range tests {
			fmt.Fprintf(r.out, "  %s\n", t)
		}
	}
}

func (r *results) printEnd() {
	failed := r.failed
	if len(failed) == 0 { // otherwise these are the reason why the command failed
		for _, name := range r.exits {
			failed = append(failed, "go test in "+name+" (its messages are above)")
		}
	}
	if r.packages == 0 {
		fmt.Fprintln(r.out, "no package was tested")
	}
	if len(failed) > 0 {
		fmt.Fprintf(r.out, "failed:\n  %s\n", strings.Join(failed, "\n  "))
	}
	fmt.Fprintln(r.out, r.counts(len(failed)))
}

// counts returns the numbers of tests in words.
func (r *results) counts(failed int) string {
	skipped := 0
	for _, tests := range r.skipped {
		skipped += len(tests)
	}
	text := fmt.Sprintf("%d passed, %d skipped", r.passed, skipped)
	if failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	return text
}
