package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

const (
	injector = "examples/kpt-package/injector.yaml"
	manifest = "examples/kpt-package/deployment.yaml"
)

// suggestion is a command to paste in the root of the repository, after `make demo` has built the program there. It names
// files, because -k cannot build the directories of these examples, which explain would report.
type suggestion struct{ does, command string }

var suggestions = []suggestion{
	{
		"show for each workload whether it gets the sidecar, and why",
		"./pillion explain -c examples/opt-in/injector.yaml \\\n" +
			"  examples/opt-in/opted-*.yaml examples/opt-in/silent.yaml",
	},
	{
		"show what happens to pods that already use the name, the port or the volume of the sidecar",
		"./pillion explain -c examples/conflicts/injector.yaml \\\n" +
			"  examples/conflicts/container.yaml examples/conflicts/port.yaml examples/conflicts/volume.yaml",
	},
	{
		"add the sidecar, remove it again, and compare the result with the file",
		"./pillion inject -c " + injector + " -f " + manifest + " |\n" +
			"  ./pillion remove -c " + injector + " |\n" +
			"  cmp - " + manifest + " && echo 'no byte differs'",
	},
}

// tour explains what Pillion does, shows it on one example, and suggests what to try next.
func tour(pillion string, out *os.File) error {
	heading, plain := "", ""
	if hasColours(out) {
		heading, plain = "\x1b[1m", "\x1b[0m"
	}
	fmt.Fprintf(out, `%[1]sWhat you will see%[2]s
%[3]s describes a sidecar that ships logs, and the volume it needs.
%[4]s is an app without it.
Pillion prints the lines that it would add to the app. All other lines, with their comments, stay as they are.

%[1]s$ ./pillion diff -c %[3]s -f %[4]s%[2]s
`, heading, plain, injector, manifest)

	if err := showDiff(pillion, out); err != nil {
		return err
	}
	printNext(out, heading, plain)
	return nil
}

func showDiff(pillion string, out *os.File) error {
	diff := exec.Command(pillion, "diff", "-c", injector, "-f", manifest)
	diff.Stdout, diff.Stderr = out, out // the program itself finds out whether this is a terminal
	err := diff.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return fmt.Errorf("%s changed nothing in %s", pillion, manifest)
	case errors.As(err, &exit) && exit.ExitCode() == 1: // something would change
		return nil
	default:
		return fmt.Errorf("%s diff: %w", pillion, err)
	}
}

func printNext(out io.Writer, heading, plain string) {
	var text strings.Builder
	fmt.Fprintf(&text, `
The annotation pillion.dev/injected-logs is the stamp. It records what was added, so that Pillion can update or remove exactly that.

%sWhat to try next%s
`, heading, plain)
	for _, s := range suggestions {
		fmt.Fprintf(&text, "# %s\n%s\n\n", s.does, s.command)
	}
	text.WriteString("Then run Pillion on your own manifests: docs/README.md\n")
	_, _ = io.WriteString(out, text.String())
}
