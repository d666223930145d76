package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// contestant is a program with its input and its measured runs.
type contestant struct {
	name  string
	path  string
	args  []string
	reads input
	// check makes sure that the program did its work. It is nil for a program without output.
	check check
	// exit is the exit code of a program that did its work.
	exit int
	runs int
	// absent is the reason why it does not run, or empty.
	absent string

	taken     []run
	peakBytes int64
}

// run is the measurement of one run of a contestant.
type run struct{ wall, processor time.Duration }

func byWall(a, b run) int { return cmp.Compare(a.wall, b.wall) }

// measure runs each contestant once, then each again, until all have done their runs, and adds them to a table,
// compared with the first.
func (w *workshop) measure(t *table, title string, contestants ...*contestant) error {
	contestants = slices.DeleteFunc(contestants, func(c *contestant) bool {
		if c.absent != "" {
			fmt.Fprintf(os.Stderr, "bench: %s: not run: %s\n", c.name, c.absent)
		}
		return c.absent != ""
	})
	rounds := slices.MaxFunc(contestants, func(a, b *contestant) int { return cmp.Compare(a.runs, b.runs) }).runs
	if w.rounds > 0 {
		rounds = w.rounds
	}
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "bench: %s, round %d of %d\n", title, round+1, rounds)
		for _, c := range contestants {
			if w.rounds == 0 && round >= c.runs {
				continue
			}
			if err := c.run(filepath.Join(w.dir, "output")); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	t.addComparison(title, contestants)
	return nil
}

// run measures and checks one run. It uses files for input and output, so that this process takes no core from the one
// that it measures.
func (c *contestant) run(output string) error {
	in, err := os.Open(cmp.Or(c.reads.path, os.DevNull))
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
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	ended := command.ProcessState
	if ended.ExitCode() != c.exit {
		return fmt.Errorf("its exit code is %d, want %d\n%s", ended.ExitCode(), c.exit, stderr.Bytes())
	}
	c.taken = append(c.taken, run{wall: wall, processor: ended.UserTime() + ended.SystemTime()})
	c.peakBytes = max(c.peakBytes, peakBytes(ended))
	if c.check == nil {
		return nil
	}
	return c.check(output)
}

// fastest returns the run that was disturbed the least.
func (c *contestant) fastest() run { return slices.MinFunc(c.taken, byWall) }

func (c *contestant) median() time.Duration {
	sorted := slices.SortedFunc(slices.Values(c.taken), byWall)
	middle := len(sorted) / 2
	return (sorted[middle].wall + sorted[len(sorted)-1-middle].wall) / 2
}

// keptWaiting reports whether the machine was busy even in the fastest run. A contestant computes all the time, so that
// its elapsed time is its processor time, except for the few milliseconds of starting and ending a process.
func (c *contestant) keptWaiting() bool {
	fastest := c.fastest()
	return fastest.wall > fastest.processor*5/4+10*time.Millisecond
}

// timesFaster returns the fastest run of the other contestant divided by the fastest run of this one. Whatever disturbs
// a run makes it slower, so that the fastest runs vary less than medians do. Only the rounds in which both ran count:
// more runs are more chances to be fast.
func (c *contestant) timesFaster(other *contestant) float64 {
	both := min(len(c.taken), len(other.taken))
	return float64(slices.MinFunc(other.taken[:both], byWall).wall) / float64(slices.MinFunc(c.taken[:both], byWall).wall)
}

// memoryMultiple returns the peak memory as a multiple of the size of the input.
func (c *contestant) memoryMultiple() float64 { return float64(c.peakBytes) / float64(c.reads.bytes) }
