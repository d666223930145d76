package audit

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel calls do for 0 to n-1 on all cores, until the context ends.
func inParallel(ctx context.Context, n int, do func(int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	workers.Wait()
}
