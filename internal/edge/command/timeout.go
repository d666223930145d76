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

// errInterrupted ends a command after a signal.
var errInterrupted = errors.New("interrupted; no file was written")

// limit ends a run after a timeout, but never while files are written.
type limit struct {
	timeout time.Duration
	writing sync.Mutex // held while files are written
}

// run runs a verb and returns when the timeout has passed, even if the verb still waits for something. This is safe
// because only writing files has a lasting effect, and run waits until that is done or undone.
func (l *limit) run(ctx context.Context, verb func(context.Context) error) error {
	switch {
	case l.timeout < 0:
		return fmt.Errorf("--timeout is %s; use a time such as 30s, or 0 for never", l.timeout)
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
		if l.writing.TryLock() {
			err = ctx.Err() // it stays locked, so that no file is written afterwards
		} else {
			err = <-done
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("not done in time: --timeout is %s; no file was written", l.timeout)
	}
	return err
}

// write calls a function that writes files. A signal cancels its context instead of ending the program, so that it can
// undo what it did. A second signal ends the program.
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
