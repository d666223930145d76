package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/spelling"
)

// readLive reads the objects of a cluster that the flags and arguments name. Without pods among them, there is nothing
// to audit.
func (in *input) readLive(ctx context.Context, cmd *cobra.Command, args []string, configs []files.File) ([]*manifest.Item, error) {
	paths := slices.Concat(in.paths, args)
	if len(paths) == 0 {
		return nil, fmt.Errorf("there are no pods to audit; use: %s", in.auditPipe())
	}
	found, err := in.readFiles(ctx, cmd, files.Reader{Except: realPaths(configs)}, paths)
	if err != nil {
		return nil, err
	}
	items, err := in.splitLive(found.Files)
	if err == nil && !slices.ContainsFunc(items, mayBePod) {
		err = in.noPods(paths, items)
	}
	return items, err
}

// auditPipe returns the command line that audits all pods of a cluster with the same config.
func (in *input) auditPipe() string {
	line := "kubectl get pods -A -o json | pillion audit"
	for _, config := range in.configs {
		if config == "-" {
			config = "FILE" // standard input is the pipe
		}
		line += " -c " + shellQuoted(config)
	}
	return line + " -f -"
}

// splitLive returns the objects in texts. For each text that has none, the error names what it is instead, and what to
// use.
func (in *input) splitLive(texts []files.File) ([]*manifest.Item, error) {
	var all []*manifest.Item
	var errs []error
	for _, file := range texts {
		items, err := file.Items()
		if err != nil || !slices.ContainsFunc(items, mayBeObject) && len(items) > 0 {
			errs = append(errs, in.notLive(file, err))
			continue
		}
		all = append(all, items...)
	}
	return all, errors.Join(errs...)
}

// notLive returns the error for a text without Kubernetes objects, which may be the reason why it cannot be read.
func (in *input) notLive(file files.File, err error) error {
	name := file.Path
	if name == files.Stdin {
		name = "standard input"
	}
	return fmt.Errorf("%s %s; use: %s", name, describeText(file.Text, err), in.auditPipe())
}

// describeText returns what a text without Kubernetes objects is, as far as it helps. The error is why it cannot be
// read, or nil.
func describeText(text []byte, err error) string {
	const most = 200
	first, _, _ := strings.Cut(string(bytes.TrimSpace(text)), "\n")
	isStart := func(start string) bool { return strings.HasPrefix(first, start) }
	switch {
	case first == "":
		return "is empty; if kubectl printed an error, correct that first"
	case slices.ContainsFunc(kubectlMessages, isStart):
		return "starts with a message of kubectl (" + escape.Line(first[:min(len(first), most)]) + "); correct that, and leave out 2>&1"
	case err == nil:
		err = errors.New("nothing has apiVersion and kind")
	}
	return fmt.Sprintf("is not YAML or JSON of Kubernetes objects: %v; if a command wrote it, look at what it printed", err)
}

// kubectlMessages are how kubectl's errors and warnings begin.
var kubectlMessages = []string{
	"Error from server", "error: ", "Unable to connect to the server", "The connection to the server", "Warning: ", "No resources found",
}

// mayBeObject reports whether an item is a Kubernetes object, or may be a broken one.
func mayBeObject(item *manifest.Item) bool { return item.Kind != "" || item.Broken != nil }

func mayBePod(item *manifest.Item) bool {
	return item.Kind == "Pod" && item.APIVersion == "v1" || item.Broken != nil
}

// noPods returns the error for input without pods: what is there instead, and what to use.
func (in *input) noPods(paths []string, items []*manifest.Item) error {
	what := "has no object"
	if len(items) > 0 {
		what = fmt.Sprintf("has %s (the first is a %s), and no pod", spelling.Plural(len(items), "object"), escape.Line(items[0].Kind))
	}
	where := strings.Join(paths, ", ")
	if where == "-" {
		where = "standard input"
	}
	return fmt.Errorf("%s %s; for the pods of a cluster, use: %s; for manifests, use pillion verify",
		where, what, in.auditPipe())
}
