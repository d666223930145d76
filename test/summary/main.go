// Summary reads `go test -json` from stdin, prints the lines that go test itself would print, and ends with the list of skipped
// tests and the tools that they need. A test reports that by `t.Skip("needs TOOL: WHY")`. With -tools it also prints a table of
// the tools, with the results of the tests that have logged `uses TOOL VERSION`; see test/tools.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	withTools := flag.Bool("tools", false, "end with a table of the tools")
	flag.Parse()
	used := usage{}
	ok := summarise(os.Stdin, os.Stdout, used)
	if *withTools {
		used.print(os.Stdout)
		ok = ok && len(used) > 0 // no tool at all is not a pass
	}
	if !ok {
		os.Exit(1)
	}
}

// event is one line of `go test -json`; see `go doc test2json`.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// summarise returns true if at least one package was tested and none failed.
func summarise(in io.Reader, out io.Writer, used usage) bool {
	tested, failed := 0, false
	skips := map[string][]string{}
	outputs := map[string][]string{}

	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Fprintln(out, lines.Text())
			continue
		}
		test := e.Package + "." + e.Test
		used.count(e.Action, outputs[test])
		switch e.Action {
		case "output":
			switch {
			case isNoise(e.Output):
			case e.Test != "":
				outputs[test] = append(outputs[test], e.Output)
			default:
				fmt.Fprint(out, e.Output)
			}
		case "build-output":
			fmt.Fprint(out, e.Output)
		case "skip":
			if tool := missingTool(outputs[test]); tool != "" && e.Test != "" {
				skips[tool] = append(skips[tool], e.Test)
			}
			delete(outputs, test)
		case "fail":
			failed = true
			fmt.Fprint(out, strings.Join(outputs[test], ""))
			delete(outputs, test)
			if e.Test == "" {
				printUnfinished(out, e.Package, outputs)
			}
		case "pass":
			if e.Test == "" {
				tested++
			}
			delete(outputs, test)
		}
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(out, "reading the test events:", err)
		return false
	}
	printSkips(out, skips)
	return tested > 0 && !failed
}

// printUnfinished prints the output of tests that did not end, because a panic or the time limit ended all tests of the package.
// It contains the reason.
func printUnfinished(out io.Writer, pkg string, outputs map[string][]string) {
	for _, test := range slices.Sorted(maps.Keys(outputs)) {
		if strings.HasPrefix(test, pkg+".") {
			fmt.Fprint(out, strings.Join(outputs[test], ""))
			delete(outputs, test)
		}
	}
}

// isNoise reports whether go test prints a line only with -v, which -json implies.
func isNoise(line string) bool {
	return line == "PASS\n" || strings.HasPrefix(line, "=== ")
}

var needs = regexp.MustCompile(`needs ([^:\n]+): ([^\n]+)`)

func missingTool(output []string) string {
	found := needs.FindStringSubmatch(strings.Join(output, ""))
	if found == nil {
		return ""
	}
	return found[1] + " (" + found[2] + ")"
}

func printSkips(out io.Writer, skips map[string][]string) {
	if len(skips) == 0 {
		fmt.Fprintln(out, "skipped: nothing, every tool was there")
		return
	}
	for _, tool := range slices.Sorted(maps.Keys(skips)) {
		slices.Sort(skips[tool])
		fmt.Fprintf(out, "skipped for want of %s:\n", tool)
		for _, test := range skips[tool] {
			fmt.Fprintf(out, "  %s\n", test)
		}
	}
}
