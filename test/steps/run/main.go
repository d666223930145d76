// Command run reads texts of growing size with every reader, and prints how many steps and bytes of memory that takes.
// It must be built from instrumented source.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"pillion.dev/pillion/test/steps/count"
)

// small and times are the sizes that are compared, in pieces of text.
const (
	small = 300
	times = 4
)

func main() {
	only := flag.String("only", "", "run only readers and texts with this in their name")
	flag.Parse()
	debug.SetGCPercent(-1)
	for _, r := range readers {
		for _, t := range texts {
			name := r.name + "/" + t.name
			if r.kinds&t.kind == 0 || !strings.Contains(name, *only) {
				continue
			}
			r.measure(t, small/8) // to exclude what happens only once
			steps, memory := r.measure(t, small)
			moreSteps, moreMemory := r.measure(t, small*times)
			fmt.Printf("%s\t%d\t%d\t%d\t%d\n", name, steps, moreSteps, memory, moreMemory)
			if *only != "" {
				fmt.Fprintln(os.Stderr, r.read([]byte(t.make(small))))
			}
			runtime.GC()
		}
	}
}

// measure returns the steps and the bytes of memory that reading a text of a size takes.
func (r reader) measure(t text, size int) (steps, memory int64) {
	input := []byte(t.make(size))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := count.Steps()
	r.read(input) //nolint:errcheck // the steps until an error count, too
	steps = count.Steps() - start
	runtime.ReadMemStats(&after)
	return steps, int64(after.TotalAlloc - before.TotalAlloc)
}
