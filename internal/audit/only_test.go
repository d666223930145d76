package audit_test

import (
	"testing"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/pods/live"
)

func TestOnlyKeepsTheGroupsOfItsRows(t *testing.T) {
	web, db := live.Creator{Kind: "Deployment", Name: "web"}, live.Creator{Kind: "StatefulSet", Name: "db"}
	all := audit.Audit{
		Rows: []audit.Row{
			{Injector: "a", Creator: web, Pod: "web-1", State: audit.Stale},
			{Injector: "a", Creator: web, Pod: "web-2", State: audit.Current},
			{Injector: "b", Creator: web, Pod: "web-1", State: audit.Current},
			{Injector: "a", Creator: db, Pod: "db-0", State: audit.Skipped},
		},
		Groups: []audit.Group{
			{Injector: "a", Creator: web, Counts: map[audit.State]int{audit.Stale: 1, audit.Current: 1}},
			{Injector: "b", Creator: web, Counts: map[audit.State]int{audit.Current: 1}},
			{Injector: "a", Creator: db, Counts: map[audit.State]int{audit.Skipped: 1}},
		},
	}
	kept := all.Only(func(row *audit.Row) bool { return !row.State.IsAsDeclared() })
	if len(kept.Rows) != 1 || kept.Rows[0].Pod != "web-1" || kept.Rows[0].Injector != "a" {
		t.Errorf("the rows are %+v", kept.Rows)
	}
	if len(kept.Groups) != 1 || kept.Groups[0].Injector != "a" || len(kept.Groups[0].Counts) != 2 {
		t.Errorf("the groups are %+v", kept.Groups)
	}
	if len(all.Rows) != 4 || len(all.Groups) != 3 {
		t.Error("the audit itself was changed")
	}
}
