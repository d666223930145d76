package main

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// table has rows of cells.
type table struct{ rows [][]string }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// addComparison adds contestants that have run, and compares them with the first.
func (t *table) addComparison(title string, contestants []*contestant) {
	if len(t.rows) > 0 {
		t.add()
	}
	t.add(title, "fastest", "median", "processor", "ratio", "peak memory", "x input", "runs")
	for _, c := range contestants {
		fastest, multiple := c.fastest(), "-"
		if c.reads.bytes > 1e6 { // a smaller input says nothing
			multiple = factor(c.memoryMultiple())
		}
		t.add(c.name, busy(c.keptWaiting())+duration(fastest.wall), duration(c.median()), duration(fastest.processor),
			factor(contestants[0].timesFaster(c)), megabytes(c.peakBytes), multiple, strconv.Itoa(len(c.taken)))
	}
}

// busy returns the mark of what was measured on a busy machine.
func busy(isBusy bool) string {
	if isBusy {
		return "~"
	}
	return ""
}

func (t table) String() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, cells := range t.rows {
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	_ = w.Flush() // a strings.Builder has no errors
	return text.String()
}

func duration(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1e3)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// factor returns a factor with three significant digits, because goals are as close together as 1.05 and 1.10.
func factor(f float64) string {
	switch {
	case f < 10:
		return fmt.Sprintf("%.2f", f)
	case f < 100:
		return fmt.Sprintf("%.1f", f)
	default:
		return fmt.Sprintf("%.0f", f)
	}
}

// thousands writes 15000 as 15,000.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
