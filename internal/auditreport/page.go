// Package auditreport writes audits as tables, JSON, an HTML page, and metrics.
package auditreport

import (
	"fmt"

	"pillion.dev/pillion/internal/audit"
)

// Page is what a report shows.
type Page struct {
	Title     string
	Injectors []string // by name, in order
	Audit     audit.Audit
	Total     int // the number of rows with those that filters leave out; 0 if there are no filters
	Columns   int // of the terminal; 0 if this is not known
}

// left returns how many of how many rows are shown, or "" if all of them are.
func (p Page) left() string {
	if p.Total <= len(p.Audit.Rows) {
		return ""
	}
	return fmt.Sprintf("%d of %d", len(p.Audit.Rows), p.Total)
}

// hasOneInjector reports whether a column for the injector would have the same name in all lines.
func (p Page) hasOneInjector() bool {
	for i := range p.Audit.Rows {
		if p.Audit.Rows[i].Injector != p.Audit.Rows[0].Injector {
			return false
		}
	}
	return len(p.Injectors) < 2
}
