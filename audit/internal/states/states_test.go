package states_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pillion.dev/pillion/audit/internal/states"
	"pillion.dev/pillion/internal/audit"
)

func rows(state audit.State) []audit.Row {
	return []audit.Row{{Injector: "proxy", Namespace: "shop", Pod: "ignored", State: state}}
}

func TestCountsFollowTheRows(t *testing.T) {
	table := states.NewTable()
	table.Set("shop", "b", rows(audit.Missing))
	table.Set("shop", "a", rows(audit.Missing))
	table.Set("shop", "a", rows(audit.Current))
	if got, want := fmt.Sprint(table.Counts()), "map[{proxy shop}:map[current:1 missing:1]]"; got != want {
		t.Errorf("the counts are %s, want %s", got, want)
	}
	var names []string
	for _, row := range table.Rows("shop") {
		names = append(names, row.Pod+" "+string(row.State))
	}
	if want := []string{"a current", "b missing"}; !slices.Equal(names, want) {
		t.Errorf("the rows are %q, want %q", names, want)
	}
	table.Set("shop", "a", nil)
	table.Set("shop", "b", nil)
	if len(table.Counts()) != 0 || len(table.Namespaces()) != 0 {
		t.Errorf("without pods there are %v in %q", table.Counts(), table.Namespaces())
	}
}

func TestTheVersionChangesWithTheRowsOnly(t *testing.T) {
	table := states.NewTable()
	table.Set("shop", "a", rows(audit.Missing))
	before := table.Version()
	table.Set("shop", "a", rows(audit.Missing))
	if table.Version() != before {
		t.Error("the version changes with the same rows")
	}
	table.Set("shop", "a", rows(audit.Stale))
	if table.Version() == before {
		t.Error("the version does not change with other rows")
	}
}

// TestCompleteIsTheOldestChange marks keys at different times, one of them again while it is being audited.
func TestCompleteIsTheOldestChange(t *testing.T) {
	var now time.Time
	at := func(seconds int) time.Time { return time.Unix(int64(seconds), 0) }
	queue := states.NewQueue(func() time.Time { return now })
	check := func(want int, when string) {
		t.Helper()
		if got := queue.Complete(); !got.Equal(at(want)) {
			t.Errorf("%s, all changes are known up to second %d, want %d", when, got.Unix(), want)
		}
	}
	now = at(1)
	check(1, "without keys")
	queue.Mark("a", "b", "a")
	now = at(2)
	queue.Mark("a", "c")
	check(1, "with keys")
	if keys := queue.Take(2); !slices.Equal(keys, []string{"a", "b"}) {
		t.Errorf("took %q", keys)
	}
	now = at(3)
	queue.Mark("a")
	check(1, "with keys that are being audited")
	queue.Done()
	check(2, "with keys that are left")
	if keys := queue.Take(9); !slices.Equal(keys, []string{"c", "a"}) || queue.Len() != 0 {
		t.Errorf("took %q", keys)
	}
	queue.Done()
	check(3, "with an empty queue")
}
