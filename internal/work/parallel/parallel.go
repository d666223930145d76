// Package parallel runs independent pieces of work on all cores.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Do calls do for 0 to n-1 on all cores, begun in this order, until the context ends. It panics if a call does, so that
// the caller can recover: a panic in another goroutine would end the program.
func Do(ctx context.Context, n int, do func(int)) { DoWith(ctx, runtime.GOMAXPROCS(0), n, do) }

// DoWith is like Do, with a number of workers: more than there are cores for work that mostly waits.
func DoWith(ctx context.Context, workers, n int, do func(int)) {
	if n == 1 && ctx.Err() == nil {
		// A goroutine would first have to grow its stack, which takes as long as a small file.
		do(0)
		return
	}
	var next atomic.Int64
	var running sync.WaitGroup
	var panicked atomic.Value // the reason and the stack, as text
	for range min(n, workers) {
		running.Go(func() {
			defer func() {
				if reason := recover(); reason != nil {
					panicked.Store(fmt.Sprintf("%v\n\n%s", reason, debug.Stack()))
				}
			}()
			// The context is checked before a piece is taken, so that all pieces before one that is done are done, too.
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	running.Wait()
	if reason := panicked.Load(); reason != nil {
		panic(reason)
	}
}
