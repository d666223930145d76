// Summary reads the output of `go test -json` from stdin, of one or more commands, and ends with the skipped tests and the reasons, the
// failed tests, and their numbers. On a terminal it shows its progress in one line, otherwise it prints the lines that go test itself
// would print. The line {"Action":"exit","Package":"NAME"} reports that a command has failed, because the exit code of a command in a
// pipe is lost.
//
// A test that needs a tool reports that by `t.Skip("needs TOOL: WHY")`. With -tools, Summary also prints a table of the tools, with the
// results of the tests that have logged `uses TOOL VERSION`; see test/tools.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

func main() {
	withTools := flag.Bool("tools", false, "print a table of the tools")
	packages := flag.Int("packages", 0, "the number of packages, for the progress on a terminal")
	flag.Parse()

	r := newResults(os.Stdout)
	if term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("TERM") != "dumb" {
		r.progress = &progress{out: os.Stdout, packages: *packages, start: time.Now()}
	}
	if err := r.readAll(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "reading the test events:", err)
		os.Exit(1)
	}
	r.printSkips()
	if *withTools {
		r.used.print(os.Stdout)
	}
	r.printEnd()
	if !r.ok() || *withTools && len(r.used) == 0 { // no tool at all is not a pass
		os.Exit(1)
	}
}

// readAll takes each event when it arrives, and lets the progress show the time in between.
func (r *results) readAll(in io.Reader) error {
	lines, failed := make(chan []byte), make(chan error, 1)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, 16<<20)
		for scanner.Scan() {
			lines <- bytes.Clone(scanner.Bytes())
		}
		failed <- scanner.Err()
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	defer r.progress.clear()
	for {
		select {
		case line, more := <-lines:
			if !more {
				return <-failed
			}
			r.read(line)
		case <-tick.C:
			r.progress.show(r)
		}
	}
}

func (r *results) read(line []byte) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		r.print(string(line) + "\n")
		return
	}
	r.take(e)
}
