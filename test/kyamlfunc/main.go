// Kyamlfunc is a function for comparison with Pillion. Without an argument it injects containers and volumes as
// functions usually do, with kyaml's framework and merge2, and nothing more. With the argument read-write it only reads
// and writes, to show what that alone costs.
package main

import (
	"fmt"
	"io"
	"os"
)

var modes = map[string]func(in io.Reader, out io.Writer) error{
	"inject":     inject,
	"read-write": readAndWrite,
}

func main() {
	mode := "inject"
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	run, known := modes[mode]
	if !known {
		fmt.Fprintf(os.Stderr, "there is no mode %q; use inject or read-write\n", mode)
		os.Exit(1)
	}
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
