package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// errInterrupted ends a command in another way than by saying what is wrong with its input.
var errInterrupted = errors.New("interrupted; no file was written")

// limit is the time that a run may take, and what it may not break off.
type limit struct {
	timeout time.Duration
	writing sync.Mutex // held while files are written
}

// run runs a verb, and leaves it behind when its time is over, whatever it waits for: nothing
// but writing files has an effect that lasts, and that is done or undone first.
func (l *limit) run(ctx context.Context, verb func(context.Context) error) error {
	switch {
	case l.timeout < 0:
		return fmt.Errorf("--timeout is %s; give a time such as 30s, or 0 for never", l.timeout)
	case l.timeout == 0:
		return verb(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- verb(ctx) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = l.late(ctx, done)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("not done in time: --timeout is %s; no file was written", l.timeout)
	}
	return err
}

// late waits for files that are being written; where they were, the verb may end.
func (l *limit) late(ctx context.Context, done <-chan error) error {
	if l.writing.TryLock() {
		return ctx.Err() // and keep it locked, so that no file is written any more
	}
	return <-done
}

// write writes files, which is not left half done: signals end a run at any other time by
// themselves, and here when everything is as it was. A second one ends it in any case.
func (l *limit) write(ctx context.Context, files func(context.Context) error) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	err := files(ctx)
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return err
}
