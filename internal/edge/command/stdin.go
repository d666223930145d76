package command

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
)

// patience is how long a run on a project waits for the end of standard input, or for data in it.
const patience = 5 * time.Second

// refuseStdin returns an error if standard input has data, which a run on a project would ignore. Manifests were read
// from there before there was a project file.
func (in *input) refuseStdin(cmd *cobra.Command) error {
	stdin := cmd.InOrStdin()
	if isTerminal(stdin) {
		return nil
	}
	found := make(chan bool, 1)
	go func() {
		n, _ := io.ReadFull(stdin, make([]byte, 1))
		found <- n > 0
	}()
	select {
	case hasData := <-found:
		if hasData {
			return errors.New("there is data on standard input, and " + in.project.path + " names other manifests; " +
				"read standard input with --project " + in.project.path + " -f -, or give none: </dev/null")
		}
	case <-time.After(patience): // a pipe that nobody uses, as some runners have
		if !in.quiet {
			fmt.Fprintln(cmd.ErrOrStderr(), "warning: standard input is open and has no data yet; it is not read (see -f -)")
		}
	}
	return nil
}
