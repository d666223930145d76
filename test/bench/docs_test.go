package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tables are the rows of all tables of a page, without backquotes.
type tables [][]string

func readDocs(t *testing.T) tables {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "explanation", "performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	var rows tables
	for line := range strings.Lines(strings.ReplaceAll(string(page), "`", "")) {
		if row, isRow := strings.CutPrefix(strings.TrimSpace(line), "| "); isRow {
			rows = append(rows, strings.Split(strings.TrimSuffix(row, " |"), " | "))
		}
	}
	return rows
}

// has reports whether there is a row with this first cell and these last ones.
func (t tables) has(first string, last ...string) bool {
	return slices.ContainsFunc(t, func(row []string) bool {
		return row[0] == first && len(row) > len(last) && slices.Equal(row[len(row)-len(last):], last)
	})
}

// limitCell returns a limit as the page writes it.
func limitCell(limit float64) string {
	if limit == 0 {
		return "none"
	}
	return fmt.Sprint(limit)
}
