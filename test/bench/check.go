package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
)

// check returns an error if a contestant did not do its work. It reads the file with the output.
type check func(output string) error

// holds checks how often a text is in the output, up to the function config of a ResourceList, which contains the
// sidecar as well.
func holds(want int, text string) check {
	return func(output string) error {
		file, err := os.Open(output)
		if err != nil {
			return err
		}
		defer file.Close() //nolint:errcheck // nothing was written to it
		found := 0
		lines := bufio.NewScanner(file)
		for lines.Scan() && string(lines.Bytes()) != "functionConfig:" {
			found += bytes.Count(lines.Bytes(), []byte(text))
		}
		if err := lines.Err(); err != nil {
			return err
		}
		if found != want {
			return fmt.Errorf("%q is %d times in its output, want %d", text, found, want)
		}
		return nil
	}
}

// holdsBytes checks the size of the output.
func holdsBytes(want int64) check {
	return func(output string) error {
		file, err := os.Stat(output)
		if err == nil && file.Size() != want {
			err = fmt.Errorf("its output has %d bytes, want %d", file.Size(), want)
		}
		return err
	}
}
