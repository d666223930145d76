package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// table is aligned text, with the first column on the left and the numbers on the right.
type table struct {
	rows []row
}

// row is a line of cells, or a line with a note instead of all cells except the first.
type row struct {
	cells []string
	note  string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, row{cells: cells}) }
func (t *table) addNote(name, why string) {
	t.rows = append(t.rows, row{cells: []string{name}, note: why})
}

func (t table) String() string {
	var widths []int
	for _, r := range t.rows {
		for i, cell := range r.cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, r := range t.rows {
		var line strings.Builder
		for i, cell := range r.cells {
			if i == 0 {
				fmt.Fprintf(&line, "%-*s", widths[0], cell)
				continue
			}
			fmt.Fprintf(&line, "  %*s", widths[i], cell)
		}
		if r.note != "" {
			line.WriteString("  " + r.note)
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return text.String()
}

func duration(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1e3)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// difference returns a difference with its sign, which noise can reverse.
func difference(d time.Duration) string {
	if d < 0 {
		return "-" + duration(-d)
	}
	return "+" + duration(d)
}

func megabytes(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.2f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// factor returns a factor with two significant digits.
func factor(f float64) string {
	switch {
	case f < 1:
		return fmt.Sprintf("%.2f", f)
	case f < 100:
		return fmt.Sprintf("%.1f", f)
	default:
		return fmt.Sprintf("%.0f", f)
	}
}

// exact returns a factor with three significant digits, because goals are as close together as 1.05 and 1.10.
func exact(f float64) string {
	if f < 10 {
		return fmt.Sprintf("%.2f", f)
	}
	return factor(f)
}

// thousands writes 15000 as 15,000.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
