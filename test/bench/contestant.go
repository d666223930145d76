package main

import (
	"bufio"
	"bytes"
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
	// sidecars is the number of containers that the output must contain, to make sure that the program did its work.
	sidecars int
	runs     int

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

// run uses files for input and output, so that this process takes no core from the one that it measures.
func (c *contestant) run(shop *workshop) error {
	command := exec.Command(c.path, c.args...)
	if c.reads.path != "" && !c.fromFile {
		in, err := os.Open(c.reads.path)
		if err != nil {
			return err
		}
		defer in.Close() //nolint:errcheck // nothing was written to it
		command.Stdin = in
	}
	out, err := os.Create(filepath.Join(shop.dir, "output"))
	if err != nil {
		return err
	}
	defer out.Close() //nolint:errcheck // check reads what was written
	var stderr bytes.Buffer
	command.Stdout, command.Stderr = out, &stderr

	start := time.Now()
	err = command.Run()
	wall := time.Since(start)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	if len(c.taken) == 0 { // all runs have the same output
		if err := c.check(out.Name()); err != nil {
			return err
		}
	}
	c.taken = append(c.taken, run{wall: wall, processor: command.ProcessState.UserTime() + command.ProcessState.SystemTime()})
	c.peakBytes = max(c.peakBytes, peakBytes(command.ProcessState))
	c.hidden = c.peakBytes <= ownPeakBytes()
	return nil
}

// check counts the sidecars in the items of the output. The function config, which contains them too, comes after the items.
func (c *contestant) check(output string) error {
	file, err := os.Open(output)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // nothing was written to it
	found := 0
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if string(lines.Bytes()) == "functionConfig:" {
			break
		}
		if bytes.Contains(lines.Bytes(), []byte(sidecarLine)) {
			found++
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if found != c.sidecars {
		return fmt.Errorf("%d sidecars in its output, want %d", found, c.sidecars)
	}
	return nil
}
