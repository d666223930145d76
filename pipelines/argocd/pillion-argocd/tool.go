package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// tool is a program that Argo CD runs, and that this program stands in for.
type tool struct {
	name    string
	command string // prints manifests
	// variable is the environment variable with the path of the real tool.
	variable string
}

var (
	kustomizeTool = tool{name: "kustomize", command: "build", variable: "PILLION_KUSTOMIZE"}
	helmTool      = tool{name: "helm", command: "template", variable: "PILLION_HELM"}
	tools         = []tool{kustomizeTool, helmTool}
)

// toolNamed returns the tool that a program of this name stands in for. Its version may follow, as in kustomize-v5.
func toolNamed(program string) (tool, bool) {
	for _, t := range tools {
		if strings.HasPrefix(filepath.Base(program), t.name) {
			return t, true
		}
	}
	return tool{}, false
}

// find returns the path of the real tool: the named one, or the next one in PATH after this program. It never returns
// one before this program: that may be a script that runs this program, as the one that Argo CD writes for kustomize's
// helm.
func (t tool) find(self, named, path string) (string, error) {
	this, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	if named != "" {
		info, err := os.Stat(named)
		switch {
		case err != nil:
			return "", fmt.Errorf("%s: %w", t.variable, err)
		case os.SameFile(info, this) || !isProgram(info):
			return "", fmt.Errorf("%s is %s, which is Pillion itself or not a program; set it to the path of %s", t.variable, named, t.name)
		}
		return named, nil
	}
	found := ""
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, t.name)
		info, err := os.Stat(file)
		switch {
		case err != nil || !filepath.IsAbs(dir) || !isProgram(info):
		case os.SameFile(info, this):
			found = ""
		case found == "":
			found = file
		}
	}
	if found == "" {
		return "", fmt.Errorf("there is no %s after %s in PATH, which is %s; set %s to the path of the real one", t.name, self, path, t.variable)
	}
	return found, nil
}

func isProgram(info os.FileInfo) bool {
	return info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// directory returns the directory that is rendered: the first argument that is one, or the working directory.
func directory(args []string) (string, error) {
	dir := "."
	for _, arg := range args {
		if info, err := os.Stat(arg); err == nil && info.IsDir() {
			dir = arg
			break
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// namespace returns the namespace that the manifests go to if they have none. Argo CD passes it to Helm by a flag.
func (t tool) namespace(args []string, ofApplication string) string {
	if t == kustomizeTool {
		return ofApplication
	}
	namespace := ""
	for i, arg := range args {
		if value, isSet := strings.CutPrefix(arg, "--namespace="); isSet {
			namespace = value
		} else if (arg == "--namespace" || arg == "-n") && i+1 < len(args) {
			namespace = args[i+1]
		}
	}
	return namespace
}
