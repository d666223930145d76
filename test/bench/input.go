package main

import (
	"bufio"
	_ "embed"
	"fmt"
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

// sidecarImage is in every injected container, and workloadLine in every workload; neither is anywhere else in an item.
const (
	sidecarImage = "envoyproxy/envoy:v1.33.0"
	workloadLine = "kind: Deployment"
)

const (
	resourcesPerWorkload = 3
	teams                = 50
)

// injectorList returns injectors with the payload of the one in injector.yaml, each with unique names. Injector i
// selects the pods of team i%teams.
func injectorList(count int) string {
	_, payload, _ := strings.Cut(injector, "spec:\n")
	var list strings.Builder
	list.WriteString("apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nmetadata:\n  name: sidecars\nitems:\n")
	for i := range count {
		name := fmt.Sprintf("envoy-%d", i)
		fmt.Fprintf(&list, "- apiVersion: pillion.dev/v1alpha1\n  kind: SidecarInjector\n  metadata:\n    name: %s\n"+
			"  spec:\n    selector:\n      matchLabels:\n        team: team-%d\n", name, i%teams)
		named := strings.NewReplacer("name: envoy-conf", "name: "+name+"-conf", "name: envoy\n", "name: "+name+"\n").Replace(payload)
		for line := range strings.Lines(named) {
			list.WriteString("  " + line)
		}
	}
	return list.String()
}

// input is a file for programs to read.
type input struct {
	path  string
	bytes int64
}

// writeInput writes a file in small pieces, because on Linux the peak memory of a child is at least that of this
// process.
func writeInput(path string, write func(w *bufio.Writer) error) (input, error) {
	file, err := os.Create(path)
	if err != nil {
		return input{}, err
	}
	defer file.Close() //nolint:errcheck // Flush returns the errors of writing
	w := bufio.NewWriter(file)
	if err := write(w); err != nil {
		return input{}, err
	}
	if err := w.Flush(); err != nil {
		return input{}, err
	}
	size, err := file.Seek(0, io.SeekEnd)
	return input{path: path, bytes: size}, err
}

// writeList writes a ResourceList of n workloads.
func writeList(path string, n int, functionConfig string) (input, error) {
	list := resourcelist.Wrap(resourcelist.Documents(workload), functionConfig)
	start, end := strings.Index(list, "- "), strings.Index(list, "functionConfig:")
	return writeInput(path, func(w *bufio.Writer) error {
		_, _ = w.WriteString(list[:start]) // Flush returns the first error
		for i := range n {
			_, _ = strings.NewReplacer("NUMBER", strconv.Itoa(i), "TEAM", strconv.Itoa(i%teams)).WriteString(w, list[start:end])
		}
		_, _ = w.WriteString(list[end:])
		return nil
	})
}
