// Pillion-audit watches the pods of a cluster and shows which of them lack a declared sidecar, or run an old one.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"

	"pillion.dev/pillion/internal/edge/version"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run runs the program with arguments and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseFlags(args, stdout)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "pillion-audit:", err)
		return 2
	case o.version:
		fmt.Fprintln(stdout, version.Current())
		return 0
	}
	if err := serve(ctx, o, stderr); err != nil {
		fmt.Fprintln(stderr, "pillion-audit:", err)
		return 1
	}
	return 0
}
