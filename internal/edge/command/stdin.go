package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/edge/files"
)

// refuseStdin returns an error if standard input is a file or a pipe with data, which a run on the manifests of a
// project would ignore: a wrong result must not look like a right one. Only its end says that a pipe has none. A socket
// is not read, because the programs that start others with one leave it open for ever.
func (in *input) refuseStdin(cmd *cobra.Command) error {
	stdin, _ := cmd.InOrStdin().(*os.File) // nil has no state, as what is closed
	info, err := stdin.Stat()
	canEnd := err == nil && info.Mode()&(fs.ModeCharDevice|fs.ModeSocket) == 0
	if !canEnd {
		return nil
	}
	notice := time.AfterFunc(time.Second, func() {
		fmt.Fprintln(cmd.ErrOrStderr(), "waiting for the end of standard input, which must be empty; give none: </dev/null")
	})
	defer notice.Stop()
	// Not only the first byte: if it is the script or the list of a loop, its next line would begin with the second one.
	if n, _ := io.CopyN(io.Discard, stdin, files.MaxBytes); n > 0 {
		return errors.New("there is data on standard input, and " + in.project.path + " names other manifests; " +
			"read standard input with --project " + in.project.path + " -f -, or give none: </dev/null")
	}
	return nil
}
