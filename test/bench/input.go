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

// sidecarLine is a line of every injected container, and of nothing else in an item.
const sidecarLine = "image: envoyproxy/envoy:v1.33.0"

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
	list := resourcelist.Wrap(resourcelist.Documents(workload), functionConfig)
	head, rest, _ := strings.Cut(list, "items:\n")
	items, config, _ := strings.Cut(rest, "functionConfig:\n")
	return writeFile(path, head+"items:\n", items, n, "functionConfig:\n"+config)
}

// writeDocuments writes a file of the same n workloads, with one YAML document for each resource.
func writeDocuments(path string, n int) (input, error) {
	return writeFile(path, "", workload+"---\n", n, "")
}

// writeFile writes in small pieces, because the memory of this process counts as that of its children, see ownPeakBytes.
func writeFile(path, head, repeated string, n int, tail string) (input, error) {
	file, err := os.Create(path)
	if err != nil {
		return input{}, err
	}
	defer file.Close() //nolint:errcheck // Flush returns the errors of writing
	w := bufio.NewWriter(file)
	_, _ = w.WriteString(head) // Flush returns the first error
	for i := range n {
		numbered := strings.NewReplacer("NUMBER", strconv.Itoa(i), "TEAM", strconv.Itoa(i%teams))
		_, _ = numbered.WriteString(w, repeated)
	}
	_, _ = w.WriteString(tail)
	if err := w.Flush(); err != nil {
		return input{}, err
	}
	size, err := file.Seek(0, io.SeekEnd)
	return input{path: path, bytes: size}, err
}
