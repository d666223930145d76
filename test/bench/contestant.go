package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// contestant is a program with its input and its measured runs.
type contestant struct {
	name  string
	path  string
	args  []string
	reads input
	// fromFile is whether the program opens its input itself instead of reading stdin.
	fromFile bool
	// prepare runs before each run, outside of the measured time, and may be nil.
	prepare func() error
	// check makes sure that the program did its work. It is nil for a program without output.
	check check
	// exit is the exit code of a program that did its work.
	exit int
	runs int

	// absent is the reason why it does not run, or empty.
	absent string

	taken     []run
	peakBytes int64
	// hidden is whether peakBytes may be that of this process instead of the contestant, see ownPeakBytes.
	hidden bool
}

// takeTurns runs each contestant once, then each again, until all have done their runs. The title is shown meanwhile.
func takeTurns(shop *workshop, title string, contestants []*contestant) error {
	rounds := 0
	for _, c := range contestants {
		if c.absent == "" {
			rounds = max(rounds, c.runs)
		}
	}
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "bench: %s, round %d of %d\n", title, round+1, rounds)
		for _, c := range contestants {
			if c.absent != "" || round >= c.runs {
				continue
			}
			if err := c.run(shop); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return nil
}

// run prepares, measures and checks one run. It uses files for input and output, so that this process takes no core from the one
// that it measures.
func (c *contestant) run(shop *workshop) error {
	if c.prepare != nil {
		if err := c.prepare(); err != nil {
			return err
		}
	}
	output := filepath.Join(shop.dir, "output")
	if err := c.measure(output); err != nil {
		return err
	}
	if c.check == nil {
		return nil
	}
	return c.check(output)
}

func (c *contestant) measure(output string) error {
	in, err := os.Open(c.stdin())
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // nothing was written to it
	out, err := os.Create(output)
	if err != nil {
		return err
	}
	defer out.Close() //nolint:errcheck // check reads what was written
	var stderr bytes.Buffer
	command := exec.Command(c.path, c.args...)
	command.Stdin, command.Stdout, command.Stderr = in, out, &stderr

	start := time.Now()
	err = command.Run()
	wall := time.Since(start)
	var failed *exec.ExitError
	if err != nil && (!errors.As(err, &failed) || failed.ExitCode() != c.exit) {
		return fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	if err == nil && c.exit != 0 {
		return fmt.Errorf("its exit code is 0, want %d", c.exit)
	}
	c.add(command.ProcessState, wall)
	return nil
}

func (c *contestant) stdin() string {
	if c.reads.path == "" || c.fromFile {
		return os.DevNull
	}
	return c.reads.path
}

func (c *contestant) add(ended *os.ProcessState, wall time.Duration) {
	c.taken = append(c.taken, run{wall: wall, processor: ended.UserTime() + ended.SystemTime()})
	c.peakBytes = max(c.peakBytes, peakBytes(ended))
	c.hidden = c.peakBytes <= ownPeakBytes()
}
