package test

import (
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/jsonfield"
)

var (
	fieldTable = regexp.MustCompile(`(?s)\| field \| value \| meaning \|\n\|---\|---\|---\|\n(.*?)\n\n`)
	fieldNames = regexp.MustCompile("`([^`]+)`")
)

// TestConfigPageHasEveryField checks that the tables of docs/reference/config.md have every field of the types that people write,
// and no other. Kubernetes' own types have references of their own.
func TestConfigPageHasEveryField(t *testing.T) {
	fields := map[string]bool{}
	addFields(fields, "", reflect.TypeFor[v1alpha1.SidecarInjectorList]())
	documented := map[string]bool{}
	for _, table := range fieldTable.FindAllStringSubmatch(readFile(t, filepath.Join(root, "docs", "reference", "config.md")), -1) {
		for row := range strings.Lines(table[1]) {
			previous := ""
			for _, name := range fieldNames.FindAllStringSubmatch(strings.Split(row, " | ")[0], -1) {
				previous = afterDot(previous, name[1])
				documented[strings.TrimSuffix(strings.TrimPrefix(previous, "spec."), ".fieldPath")] = true // which is Kubernetes' own
			}
		}
	}
	if len(documented) < 50 {
		t.Fatalf("the page has only %d fields: %v", len(documented), documented)
	}
	for field := range fields {
		if !documented[field] {
			t.Errorf("the page has no row for %s", field)
		}
	}
	for field := range documented {
		if !fields[field] {
			t.Errorf("the page has a row for %s, and there is no such field", field)
		}
	}
}

// afterDot returns the field that a name in a row stands for: `.memory` after `requests.cpu` is requests.memory.
func afterDot(previous, name string) string {
	if strings.HasPrefix(name, ".") {
		return previous[:strings.LastIndex(previous, ".")] + name
	}
	return name
}

// addFields adds the fields below a type, as the page writes their paths: items of a list and the spec have no prefix, and neither have
// the fields that take something from the app, which are described once for both lists of containers.
func addFields(fields map[string]bool, path string, of reflect.Type) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		if of.Kind() == reflect.Slice {
			path += "[]"
		}
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || !strings.HasPrefix(of.PkgPath(), module) {
		return
	}
	for _, field := range jsonfield.Of(of) {
		if !strings.HasPrefix(field.Struct.PkgPath(), module) {
			continue
		}
		below := strings.TrimPrefix(path+"."+field.Name, ".")
		below = strings.TrimPrefix(strings.TrimPrefix(below, "items[]."), "spec.")
		if inner, isContainer := strings.CutPrefix(below, "containers[]."); isContainer && isFromApp(inner) {
			below = inner
		}
		if strings.HasPrefix(below, "initContainers[].") || strings.HasPrefix(below, "shareVolumeDevicePolicy.") {
			continue // the page says: as above
		}
		if isLeaf(field.Type) || below == "metadata" || below == "shareVolumeDevicePolicy" {
			fields[below] = true
		}
		addFields(fields, below, field.Type)
	}
}

// isFromApp reports whether a field of containers takes something from the app.
func isFromApp(field string) bool {
	return slices.Contains([]string{"shareVolumePolicy", "shareVolumeDevicePolicy", "transferEnv", "resourcesPolicy"}, field)
}

// isLeaf reports whether a field has a row of its own, unlike a mapping whose fields have rows.
func isLeaf(of reflect.Type) bool {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return of.Kind() != reflect.Struct || !strings.HasPrefix(of.PkgPath(), module)
}
