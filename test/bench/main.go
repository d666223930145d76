// Bench measures Pillion and a function made with kyaml's framework and merge2, side by side: the same input, from the
// start of the process to its end, taking turns so that both meet the same weather.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"
)

func main() {
	pillion := flag.String("pillion", "./pillion", "the program to measure")
	n := flag.Int("n", 10, "how many workloads, each with a Service and a ConfigMap")
	rounds := flag.Int("rounds", 51, "how many runs of each")
	flag.Parse()
	if err := bench(os.Stdout, *pillion, *n, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(out io.Writer, pillion string, n, rounds int) error {
	dir, err := os.MkdirTemp("", "pillion-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a directory left in the temporary space harms nobody

	kyaml := filepath.Join(dir, "kyamlfunc")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", kyaml, "./test/kyamlfunc")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}

	input := workloads(n)
	contestants := []*contestant{{name: "pillion", path: pillion}, {name: "kyaml + merge2", path: kyaml}}
	for range rounds {
		for _, c := range contestants {
			if err := c.run(input); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(out, "%d workloads, %d resources, %d KB, %d runs each\n", n, 3*n, len(input)/1000, rounds)
	return printTable(out, contestants)
}

// contestant is one program and how long each of its runs took.
type contestant struct {
	name, path string
	times      []time.Duration
	peakBytes  int64
}

func (c *contestant) run(input []byte) error {
	var stdout, stderr bytes.Buffer
	command := exec.Command(c.path)
	command.Stdin = bytes.NewReader(input)
	command.Stdout, command.Stderr = &stdout, &stderr
	start := time.Now()
	err := command.Run()
	c.times = append(c.times, time.Since(start))
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", c.name, err, stderr.Bytes())
	}
	if !bytes.Contains(stdout.Bytes(), []byte("name: envoy")) || stdout.Len() <= len(input) {
		return errors.New(c.name + " injected nothing")
	}
	c.peakBytes = max(c.peakBytes, peakBytes(command.ProcessState))
	return nil
}

func (c *contestant) median() time.Duration {
	slices.Sort(c.times)
	return c.times[len(c.times)/2]
}

// printTable compares everyone with the first.
func printTable(out io.Writer, contestants []*contestant) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tmedian\tfastest\tslowest\tpeak memory\tratio\t")
	for _, c := range contestants {
		median := c.median()
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d MB\t%.1f\t\n", c.name, milliseconds(median), milliseconds(c.times[0]),
			milliseconds(c.times[len(c.times)-1]), c.peakBytes>>20, float64(median)/float64(contestants[0].median()))
	}
	return table.Flush()
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
