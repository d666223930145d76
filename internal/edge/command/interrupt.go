package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"pillion.dev/pillion/internal/edge/files"
)

// errInterrupted ends a command after a signal.
var errInterrupted = errors.New("interrupted; no file was written")

// writeFiles writes all changes or none. A signal cancels that instead of ending the program, so that what is written
// already is undone. A second signal ends the program.
func writeFiles(ctx context.Context, changes []files.Change) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	err := files.Write(ctx, changes)
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return err
}
