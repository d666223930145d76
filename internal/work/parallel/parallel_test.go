package parallel_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"pillion.dev/pillion/internal/work/parallel"
)

func TestEachPieceIsDoneOnce(t *testing.T) {
	var times [1000]atomic.Int32
	parallel.Do(t.Context(), len(times), func(i int) { times[i].Add(1) })
	for i := range times {
		if n := times[i].Load(); n != 1 {
			t.Errorf("%d was done %d times", i, n)
		}
	}
}

func TestNothingIsDoneAfterTheContextHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	parallel.Do(ctx, 10, func(i int) { t.Errorf("%d was done", i) })
}

// The first error of several pieces is found in every run, also if each of them ends the context.
func TestAllPiecesBeforeOneThatIsDoneAreDone(t *testing.T) {
	for range 20_000 {
		ctx, cancel := context.WithCancel(t.Context())
		var done [4]atomic.Bool
		parallel.Do(ctx, len(done), func(i int) {
			done[i].Store(true)
			cancel()
		})
		for i := 1; i < len(done); i++ {
			if done[i].Load() && !done[i-1].Load() {
				t.Fatalf("%d was done, and %d was not", i, i-1)
			}
		}
	}
}

func TestTheCallerCanRecoverFromAPanic(t *testing.T) {
	defer func() {
		if reason := fmt.Sprint(recover()); !strings.Contains(reason, "no such luck") || !strings.Contains(reason, "parallel_test.go") {
			t.Errorf("recovered from %s", reason)
		}
	}()
	parallel.Do(t.Context(), 10, func(int) { panic("no such luck") })
	t.Error("there was no panic")
}

// One piece takes no goroutine, whose stack would have to grow.
func TestOnePieceIsDoneByTheCaller(t *testing.T) {
	before := runtime.NumGoroutine()
	parallel.Do(t.Context(), 1, func(int) {
		if now := runtime.NumGoroutine(); now > before {
			t.Errorf("there are %d goroutines, and there were %d", now, before)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	parallel.Do(ctx, 1, func(int) { t.Error("it was done after the context has ended") })
}
