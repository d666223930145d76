package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/text/manifest"
)

// configName is the name of an application's own config.
const configName = "injector.yaml"

// nearestConfig returns the config in a directory, or the nearest one above it in its repository, or "".
func nearestConfig(dir, repository string) (string, error) {
	for {
		path := filepath.Join(dir, configName)
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			path, isInside := within(repository, path)
			if !isInside {
				return "", fmt.Errorf("%q leads out of the repository, or to nothing", filepath.Join(dir, configName))
			}
			text, err := files.ReadRegular(path)
			if err != nil || holdsInjector(text) {
				return path, err
			}
		}
		if dir == repository || dir == filepath.Dir(dir) {
			return "", nil
		}
		dir = filepath.Dir(dir)
	}
}

// holdsInjector reports whether one of the objects in a text is an injector. A text that cannot be read counts if it
// mentions one, so that a mistake in a config is an error instead of a missing sidecar.
func holdsInjector(text []byte) bool {
	stream, err := manifest.Read(text)
	if err != nil {
		return bytes.Contains(text, []byte("SidecarInjector"))
	}
	return slices.ContainsFunc(stream.Items, func(item *manifest.Item) bool { return strings.HasPrefix(item.APIVersion, "pillion.dev/") })
}

// within returns the real path of a file, and whether the file exists and is in the directory.
func within(dir, path string) (string, bool) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", false
	}
	inside, err := filepath.Rel(dir, path)
	return path, err == nil && filepath.IsLocal(inside)
}

// gitRepository returns the nearest directory with .git, which is dir or above it. Without one, it returns dir.
func gitRepository(dir string) string {
	for up := dir; ; up = filepath.Dir(up) {
		if _, err := os.Lstat(filepath.Join(up, ".git")); err == nil {
			return up
		}
		if up == filepath.Dir(up) {
			return dir
		}
	}
}
