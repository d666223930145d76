package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"pillion.dev/pillion/test/resourcelist"
)

// tree measures changing the files of a git tree in place, next to copying it.
func tree(shop *workshop, settings settings) (table, []goal, error) {
	apps := (settings.plan.files - len(rootFiles)) / resourcesPerWorkload
	source, err := writeTree(filepath.Join(shop.dir, "source"), apps)
	if err != nil {
		return table{}, nil, err
	}
	config, err := shop.writeInjector()
	if err != nil {
		return table{}, nil, err
	}
	inPlace, copied := injectingInPlace(shop, config, source, apps), copyingTree(shop, source, apps)
	inPlace.runs, copied.runs = settings.runs(7), settings.runs(7)
	t, err := against(shop, fmt.Sprintf("git tree, %s files", thousands(settings.plan.files)), inPlace, copied)
	return t, nil, err
}

// injectingInPlace returns a contestant that changes a new copy of the tree in each run.
func injectingInPlace(shop *workshop, config string, source input, apps int) *contestant {
	fresh := filepath.Join(shop.dir, "tree")
	return &contestant{
		name: "pillion inject -R --in-place", path: shop.pillion,
		args: []string{"inject", "-c", config, "-f", fresh, "-R", "--in-place"}, reads: source, fromFile: true,
		prepare: func() error { return copyTree(fresh, source.path) }, check: treeHolds(fresh, apps, sidecarImage),
	}
}

func copyingTree(shop *workshop, source input, apps int) *contestant {
	target := filepath.Join(shop.dir, "copied")
	c := &contestant{
		name: "cp -r", path: "cp", args: []string{"-r", source.path, target}, reads: source, fromFile: true,
		prepare: func() error { return os.RemoveAll(target) }, check: treeHolds(target, apps, workloadLine),
	}
	if _, err := exec.LookPath(c.path); err != nil {
		c.absent = "not run: there is no cp"
	}
	return c
}

// rootFiles are at the root of the tree.
var rootFiles = map[string]string{"README.md": "# The shop\n", ".gitignore": "*.tmp\n/dist/\n!keep.tmp\n"}

// writeTree writes a directory for each workload, with a file for each of its resources. An empty .git makes the tree a
// repository for Pillion, which then obeys ignore files.
func writeTree(root string, apps int) (input, error) {
	if err := os.MkdirAll(filepath.Join(root, ".git"), 0o755); err != nil {
		return input{}, err
	}
	total, err := writeFiles(root, rootFiles, numbered(0))
	for i := 0; i < apps && err == nil; i++ {
		var size int64
		dir := filepath.Join(root, fmt.Sprintf("team-%d", i%teams), fmt.Sprintf("web-%d", i))
		size, err = writeFiles(dir, manifestFiles(), numbered(i))
		total += size
	}
	return input{path: root, bytes: total}, err
}

func manifestFiles() map[string]string {
	documents := resourcelist.Documents(workload)
	return map[string]string{"deployment.yaml": documents[0], "service.yaml": documents[1], "configmap.yaml": documents[2]}
}

// writeFiles returns the size of all files.
func writeFiles(dir string, files map[string]string, numbers *strings.Replacer) (size int64, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	for name, file := range files {
		text := numbers.Replace(file)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return 0, err
		}
		size += int64(len(text))
	}
	return size, nil
}

func copyTree(target, source string) error {
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	return os.CopyFS(target, os.DirFS(source))
}
