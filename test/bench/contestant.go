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

// contestant is one program with what it reads, and what its runs took.
type contestant struct {
	name  string
	path  string
	args  []string
	reads input
	// fromFile is set where the program opens its input itself, and stdin stays empty.
	fromFile bool
	// sidecars is how many containers its output must hold: a fast program that did nothing has won nothing.
	sidecars int
	runs     int

	// absent says why it does not run.
	absent string

	taken     []run
	peakBytes int64
	// hidden is set where peakBytes may be this process' and not the contestant's, see ownPeakBytes.
	hidden bool
}

// takeTurns runs everyone once, then everyone again, until all have had their runs. The title is for those who wait.
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

// run reads from a file and writes to one, so that this process takes no core from the one that it measures.
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
	defer out.Close() //nolint:errcheck // what was written is looked at below
	var stderr bytes.Buffer
	command.Stdout, command.Stderr = out, &stderr

	start := time.Now()
	err = command.Run()
	wall := time.Since(start)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	if len(c.taken) == 0 { // what it did once, it does again
		if err := c.check(out.Name()); err != nil {
			return err
		}
	}
	c.taken = append(c.taken, run{wall: wall, processor: command.ProcessState.UserTime() + command.ProcessState.SystemTime()})
	c.peakBytes = max(c.peakBytes, peakBytes(command.ProcessState))
	c.hidden = c.peakBytes <= ownPeakBytes()
	return nil
}

// check counts the sidecars in the items of the output; the function config, which holds them too, stands behind.
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
