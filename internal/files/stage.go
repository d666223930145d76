package files

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// stagers is the number of files that are staged at a time. Most of the time is spent waiting for the disk, which combines
// several writes.
const stagers = 16

// stageAll stages all changes. Together with an error it returns what was staged before.
func stageAll(ctx context.Context, changes []Change, progress func(int)) ([]stagedFile, error) {
	staged, failed := make([]stagedFile, len(changes)), make([]error, len(changes))
	var next, done atomic.Int64
	var stop atomic.Bool
	var workers sync.WaitGroup
	for range min(stagers, len(changes)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(changes) && !stop.Load() && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if staged[i], failed[i] = stage(changes[i].Path, changes[i].Before, changes[i].After); failed[i] != nil {
					stop.Store(true)
				}
				if progress != nil {
					progress(int(done.Add(1)))
				}
			}
		})
	}
	workers.Wait()
	for i, err := range failed {
		if err != nil {
			return staged, fmt.Errorf("%s cannot be written, so no file was: %w", changes[i].Path, err)
		}
	}
	return staged, ctx.Err()
}
