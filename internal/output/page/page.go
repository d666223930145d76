// Package page holds the one model of reports: rows with counts, groups and details. It writes them as tables of text,
// as JSON, as Markdown, and as an HTML page.
package page

import (
	"fmt"
	"strconv"

	"pillion.dev/pillion/finding"
)

// Page is what an HTML page shows. Its texts may be of strangers: what a browser would act on is escaped when it is
// written.
type Page struct {
	Title     string
	Injectors []string // by name
	Noun      string   // what a row is: workload
	State     string   // what the state of a row is called, in lower case: decision
	Numbers   []string // the headings of the numbers of rows
	Details   string   // what the lines about a row are called: Pods
	Search    string   // where words are searched
	Hidden    string   // what only the script shows: diffs
	Command   string   // the command that prints it
	Notes     []Line   // what to know before the counts
	Counts    []Count
	Advice    []Line // below the counts
	Findings  []Line // about the run as a whole
	Groups    []Group
	Rows      []Row
	Left      []Line // why others are not among the rows
}

// Count is a number at the top of a page.
type Count struct {
	Class, Number, Words, Remark string
	Filter, Value                string // which rows a click on it shows; empty if there are none
}

// Group is the rows of a namespace, with a bar of their states.
type Group struct {
	Name, Words string
	Parts       []Part
	Whole       int // the length of the longest bar, as a count
}

// Part is how many of a group have a state.
type Part struct {
	Class string
	Count int
}

// Row is a workload.
type Row struct {
	Name, Namespace, Kind string
	Injector              string // empty in all rows if there is only one
	Class, State          string
	Values, Severities    []string // to filter by; values are those of the state
	Code                  string   // of the reason
	Marks                 []Line   // other problems, with a class and a code each
	Reason                string
	Numbers               []Number
	Detail
}

// Number is a number of a row, in words and as it is sorted.
type Number struct {
	Words string
	Key   float64 `json:"-"` // which may be infinite
}

// Detail is what a reader sees of a row that is opened.
type Detail struct {
	Location string
	Lines    []Line
	Diff     func(context int) []string `json:"-"` // the lines of the hunks; nil if there is no diff
	Note     string
}

// Line is a line of a list, such as a finding.
type Line struct {
	Class, Label string // how severe it is, or which state it is about
	Code, Text   string
	End          string // a location, or a command to paste
	More         string // further lines
}

// Few returns the first texts of a list, and one about the others, with their number, if there are several of these.
func Few(all []string, most int, others string) []string {
	if more := len(all) - most; more > 1 {
		return append(all[:most:most], fmt.Sprintf(others, more))
	}
	return all
}

// Share returns a part as a percentage of the whole. Equal parts have equal shares, and only the whole is 100%.
func Share(part, whole int) string {
	percent := (200*part + whole) / max(2*whole, 1)
	switch {
	case percent == 0 && part > 0:
		return "<1%"
	case percent == 100 && part < whole:
		percent = 99
	}
	return fmt.Sprintf("%d%%", percent)
}

// Parts returns the counts that are not 0, in an order.
func Parts[State ~string](order []State, counts map[State]int) []Part {
	var parts []Part
	for _, state := range order {
		if counts[state] > 0 {
			parts = append(parts, Part{string(state), counts[state]})
		}
	}
	return parts
}

// Tiles returns the counts that are not 0, in an order, with their shares of the whole. They filter by what the states
// are called.
func Tiles[State ~string](order []State, counts map[State]int, whole int, filter string, words func(State) string) []Count {
	var tiles []Count
	for _, part := range Parts(order, counts) {
		called := words(State(part.Class))
		tiles = append(tiles, Count{part.Class, strconv.Itoa(part.Count), called, Share(part.Count, whole), filter, called})
	}
	return tiles
}

// Lines returns findings as lines of a list, with their locations.
func Lines(findings []finding.Finding) []Line {
	lines := make([]Line, len(findings))
	for i, f := range findings {
		severity := f.Severity.String()
		lines[i] = Line{Class: severity, Label: severity, Code: string(f.Code), Text: f.Message, End: Location(f.File), More: f.Detail}
	}
	return lines
}

// WithCode returns a message after its code, each if there is one.
func WithCode(code finding.Code, message string) string {
	if code == "" || message == "" {
		return string(code) + message
	}
	return string(code) + ": " + message
}

// Location returns a file and line as editors and CI jump to it: web.yaml:12.
func Location(file *finding.File) string {
	if file == nil {
		return ""
	}
	return finding.File{Path: file.Path, Line: file.Line}.String()
}

// Set is the rows with the same key.
type Set[Key, Row any] struct {
	Key  Key
	Rows []Row
}

// By returns the sets of rows with the same key, in the order of their first rows.
func By[Key comparable, Row any](rows []Row, key func(*Row) Key) []Set[Key, Row] {
	var sets []Set[Key, Row]
	places := map[Key]int{}
	for i := range rows {
		k := key(&rows[i])
		place, known := places[k]
		if !known {
			place = len(sets)
			places[k] = place
			sets = append(sets, Set[Key, Row]{Key: k})
		}
		sets[place].Rows = append(sets[place].Rows, rows[i])
	}
	return sets
}
