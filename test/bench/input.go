package main

import (
	"bufio"
	_ "embed"
	"io"
	"os"
	"strconv"
	"strings"

	"pillion.dev/pillion/test/resourcelist"
)

// workload is a Deployment of 80 lines with its Service and its ConfigMap. NUMBER makes each of them different, and
// the injectors of the injectors section select by TEAM.
//
//go:embed workload.yaml
var workload string

//go:embed injector.yaml
var injector string

// plainInjector writes no stamp: it is for comparisons with programs that do not record what they did.
var plainInjector = injector + "  stamp: None\n"

// sidecarImage is in every injected container, and workloadLine in every workload; neither is anywhere else in an item.
const (
	sidecarImage = "envoyproxy/envoy:v1.33.0"
	workloadLine = "kind: Deployment"
)

const (
	resourcesPerWorkload = 3
	teams                = 50
)

// input is a file for programs to read.
type input struct {
	path  string
	bytes int64
}

// writeList writes a ResourceList of n workloads.
func writeList(path string, n int, functionConfig string) (input, error) {
	return newList([]string{workload}, functionConfig).write(path, n)
}

// writeDocuments writes a file of the same n workloads, with one YAML document for each resource.
func writeDocuments(path string, n int) (input, error) {
	return text{workloads: []string{workload + "---\n"}}.write(path, n)
}

// text is a file that repeats workloads, in turns and with different numbers.
type text struct {
	head      string
	workloads []string
	tail      string
}

// newList returns a ResourceList. Each workload is one or more YAML documents.
func newList(workloads []string, functionConfig string) text {
	var list text
	for _, w := range workloads {
		head, rest, _ := strings.Cut(resourcelist.Wrap(resourcelist.Documents(w), functionConfig), "items:\n")
		items, config, _ := strings.Cut(rest, "functionConfig:\n")
		list.head, list.tail = head+"items:\n", "functionConfig:\n"+config
		list.workloads = append(list.workloads, items)
	}
	return list
}

// write writes in small pieces, because the memory of this process counts as that of its children, see ownPeakBytes.
func (t text) write(path string, n int) (input, error) {
	file, err := os.Create(path)
	if err != nil {
		return input{}, err
	}
	defer file.Close() //nolint:errcheck // Flush returns the errors of writing
	w := bufio.NewWriter(file)
	_, _ = w.WriteString(t.head) // Flush returns the first error
	for i := range n {
		_, _ = numbered(i).WriteString(w, t.workloads[i%len(t.workloads)])
	}
	_, _ = w.WriteString(t.tail)
	if err := w.Flush(); err != nil {
		return input{}, err
	}
	size, err := file.Seek(0, io.SeekEnd)
	return input{path: path, bytes: size}, err
}

// numbered makes workload i different from all others.
func numbered(i int) *strings.Replacer {
	return strings.NewReplacer("NUMBER", strconv.Itoa(i), "TEAM", strconv.Itoa(i%teams))
}
