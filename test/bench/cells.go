package main

import "fmt"

// marks explains the signs in cells whose number alone would mislead.
func marks() string {
	return "~ the machine was busy: more time went by than the processor worked for it\n" +
		"< no more than the bench itself holds, which is where Linux begins to count\n"
}

func (c *contestant) timeCell() string {
	if c.keptWaiting() {
		return "~" + duration(c.median())
	}
	return duration(c.median())
}

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
