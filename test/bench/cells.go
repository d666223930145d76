package main

import "fmt"

// marks explains the signs in front of numbers that would mislead without them.
func marks() string {
	return "~ the machine was busy: the elapsed time is longer than the processor time\n" +
		"< not more than the benchmark itself uses, which is where Linux begins to count\n"
}

func (c *contestant) timeCell() string {
	if c.keptWaiting() {
		return "~" + duration(c.fastest().wall)
	}
	return duration(c.fastest().wall)
}

func (c *contestant) medianCell() string { return duration(c.median()) }

func (c *contestant) processorCell() string { return duration(c.fastest().processor) }

func (c *contestant) peakCell() string {
	switch {
	case c.peakBytes == 0:
		return "-"
	case c.hidden:
		return "<" + megabytes(c.peakBytes)
	default:
		return megabytes(c.peakBytes)
	}
}

// multipleCell returns an empty cell for an input that is smaller than the program.
func (c *contestant) multipleCell() string {
	if c.peakBytes == 0 || c.reads.bytes < 1e6 {
		return "-"
	}
	return factor(c.memoryMultiple())
}

func (c *contestant) runsCell() string { return fmt.Sprint(len(c.taken)) }
