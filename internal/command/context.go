package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Errors that end a command in another way than by saying what is wrong with its input.
var (
	errInterrupted = errors.New("interrupted; nothing was written")
	errTimeout     = errors.New("not done in time")
)

// withContext runs a verb with a context that Ctrl-C and the timeout end. The function that
// kustomize and kpt run has none: they end it as they end any process.
func withContext(parent context.Context, timeout time.Duration, run func(context.Context) error) error {
	if parent == nil {
		parent = context.Background()
	}
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		ctx = limited
	}
	err := run(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: --timeout is %s; nothing was written", errTimeout, timeout)
	case errors.Is(err, context.Canceled):
		return errInterrupted
	}
	return err
}

// await waits for work that has no effect outside of memory, and leaves it behind where the
// context ends first.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
