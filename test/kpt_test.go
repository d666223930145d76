package test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/test/golden"
)

// positionInjector is an injector with one sidecar and the given fields for its position. The sidecar has the same
// fields as its neighbours, because kpt would copy their comments to them.
const positionInjector = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: envoy
spec:
  containers:
  - name: envoy
    image: envoyproxy/envoy:v1.33.0
    args: ["--mode", "serve"]
    env: [{name: SIZE, value: "9"}]
    ports: [{containerPort: 9901, name: admin}]
    volumeMounts: [{name: envoy-conf, mountPath: /etc/envoy}]
%s  volumes:
  - name: envoy-conf
    emptyDir: {}
`

// TestKptKeepsComments checks that every comment stays with its field, wherever the sidecar goes. After a function
// returns, kpt copies comments and the order of keys from the input by list index, so a sidecar in front of a container
// would get its `# kpt-set:` comment, and every container after it the comments of the next.
func TestKptKeepsComments(t *testing.T) {
	const plain = "    mode: Container\n"
	positions := []struct{ name, knobs, list, before string }{
		{"after the app containers", plain + "    podInjectPolicy: AfterAppContainer\n", "containers", ""},
		{"before the app containers", plain + "    podInjectPolicy: BeforeAppContainer\n", "containers", "app"},
		{"before the first", plain + "    before: app\n", "containers", "app"},
		{"before one in the middle", plain + "    before: second\n", "containers", "second"},
		{"after the first", plain + "    after: app\n", "containers", "second"},
		{"after the last", plain + "    after: third\n", "containers", ""},
		{"native, before the init containers", "", "initContainers", "migrate"},
		{"native, in the middle", "    after: migrate\n", "initContainers", "warm"},
		{"native, after the last", "    after: warm\n", "initContainers", ""},
	}
	for _, position := range positions {
		t.Run(position.name, func(t *testing.T) {
			kpt := tool(t, "kpt")
			pkg := copyPackage(t, filepath.Join("testdata", "kpt", "positions"))
			writeFile(t, filepath.Join(pkg, "injector.yaml"), fmt.Sprintf(positionInjector, position.knobs))
			untouched := renderedByKptAlone(t, kpt, pkg)

			mustRun(t, pkg, "", kpt, "fn", "render", "--allow-exec")
			web := readFile(t, filepath.Join(pkg, "web.yaml"))
			addsOnlyLinesWithoutComments(t, untouched, web)
			standsBefore(t, web, position.list, position.before)

			mustRun(t, pkg, "", kpt, "fn", "render", "--allow-exec")
			if diff := cmp.Diff(web, readFile(t, filepath.Join(pkg, "web.yaml"))); diff != "" {
				t.Errorf("the second render differs (-first +second):\n%s", diff)
			}
		})
	}
}

// TestKptKeepsFileHeader checks that a header followed by a blank line is kept. kpt does not send it to the function,
// and restores it only if the item keeps its id.
func TestKptKeepsFileHeader(t *testing.T) {
	kpt := tool(t, "kpt")
	pkg := copyPackage(t, filepath.Join("testdata", "kpt", "header"))
	mustRun(t, pkg, "", kpt, "fn", "render", "--allow-exec")
	web := readFile(t, filepath.Join(pkg, "web.yaml"))
	for _, want := range []string{"# Copyright", "name: envoy\n", "image: app:1 # kpt-set: ${app-image}\n"} {
		if !strings.Contains(web, want) {
			t.Errorf("%q is not in\n%s", want, web)
		}
	}
}

// TestKptDiffHasAddedLinesOnly checks that git shows only the sidecar, wherever it goes, in a package with comments
// that is formatted as kpt writes it.
func TestKptDiffHasAddedLinesOnly(t *testing.T) {
	for _, knobs := range []string{"", "    mode: Container\n", "    mode: Container\n    podInjectPolicy: BeforeAppContainer\n"} {
		t.Run(strings.TrimSpace(knobs), func(t *testing.T) {
			kpt := tool(t, "kpt")
			pkg := copyPackage(t, filepath.Join("testdata", "kpt", "positions"))
			writeFile(t, filepath.Join(pkg, "injector.yaml"), fmt.Sprintf(positionInjector, knobs))
			writeFile(t, filepath.Join(pkg, "web.yaml"), renderedByKptAlone(t, kpt, pkg))
			gitRepository(t, pkg)
			mustRun(t, pkg, "", kpt, "fn", "render", "--allow-exec")
			diff := gitDiff(t, pkg)
			if !strings.Contains(diff, "+      - name: envoy\n") {
				t.Errorf("the sidecar is not there:\n%s", diff)
			}
			for line := range strings.Lines(diff) {
				if strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "--- ") {
					t.Errorf("a line is gone: %s\n%s", line, diff)
				}
			}
		})
	}
}

// TestKptWays checks that every way to run the function in kpt has the same result.
func TestKptWays(t *testing.T) {
	for _, way := range []struct {
		name       string
		needsImage bool
		args       []string
	}{
		{"render", false, []string{"render", "--allow-exec"}},
		{"eval exec", false, []string{"eval", "--exec", "pillion", "--fn-config", "injector.yaml"}},
		{"eval image", true, []string{"eval", "--image", testImage, "--image-pull-policy", "Never", "--fn-config", "injector.yaml"}},
	} {
		t.Run(way.name, func(t *testing.T) {
			kpt := tool(t, "kpt")
			pkg := copyPackage(t, filepath.Join("testdata", "kpt", "positions"))
			writeFile(t, filepath.Join(pkg, "injector.yaml"), fmt.Sprintf(positionInjector, ""))
			gitRepository(t, pkg)
			if way.needsImage {
				image(t)
			}
			mustRun(t, pkg, "", kpt, append([]string{"fn"}, way.args...)...)
			golden.Check(t, filepath.Join("testdata", "kpt", "positions.diff"), gitDiff(t, pkg))
		})
	}
}

func TestKptRefusalLeavesFilesAlone(t *testing.T) {
	kpt := tool(t, "kpt")
	pkg := copyPackage(t, filepath.Join("testdata", "kpt", "positions"))
	config := strings.Replace(fmt.Sprintf(positionInjector, ""), "- name: envoy\n    image", "- name: app\n    image", 1)
	writeFile(t, filepath.Join(pkg, "injector.yaml"), config)
	gitRepository(t, pkg)
	for _, way := range [][]string{
		{"render", "--allow-exec"},
		{"eval", "--exec", "pillion", "--fn-config", "injector.yaml"},
	} {
		r := run(t, pkg, "", kpt, append([]string{"fn"}, way...)...)
		if r.exitCode == 0 {
			t.Errorf("%s passed", way[0])
		}
		if !strings.Contains(r.stderr+r.stdout, "ContainerConflict") {
			t.Errorf("%s does not show the reason:\n%s%s", way[0], r.stdout, r.stderr)
		}
		if diff := gitDiff(t, pkg); diff != "" {
			t.Errorf("%s changed files:\n%s", way[0], diff)
		}
	}
}

func TestKptShowsHelp(t *testing.T) {
	kpt := tool(t, "kpt")
	doc := mustRun(t, "", "", kpt, "fn", "doc", "--image", image(t))
	help := mustRun(t, "", "", "pillion", "--help")
	if !strings.Contains(doc.stdout+doc.stderr, strings.TrimSpace(help.stdout)) {
		t.Errorf("kpt fn doc shows\n%s%s\nwant\n%s", doc.stdout, doc.stderr, help.stdout)
	}
}

// renderedByKptAlone returns web.yaml after kpt has run a function that changes nothing: kpt itself moves some
// comments.
func renderedByKptAlone(t *testing.T, kpt, pkg string) string {
	t.Helper()
	copied := copyPackage(t, pkg)
	kptfile := filepath.Join(copied, "Kptfile")
	writeFile(t, kptfile, strings.Replace(readFile(t, kptfile), "exec: pillion", "exec: "+tool(t, "cat"), 1))
	mustRun(t, copied, "", kpt, "fn", "render", "--allow-exec")
	return readFile(t, filepath.Join(copied, "web.yaml"))
}

// addsOnlyLinesWithoutComments checks that after without its added lines is before.
func addsOnlyLinesWithoutComments(t *testing.T, before, after string) {
	t.Helper()
	left := strings.SplitAfter(before, "\n")
	for line := range strings.Lines(after) {
		if len(left) > 0 && line == left[0] {
			left = left[1:]
			continue
		}
		if strings.Contains(line, "#") {
			t.Errorf("a comment was added or moved: %q in\n%s", line, after)
			return
		}
	}
	if strings.Join(left, "") != "" {
		t.Errorf("not in the rendered file any more, or not in its place: %q in\n%s", left[0], after)
	}
}

// standsBefore checks that the sidecar is directly in front of the container named next, or at the end of the list.
func standsBefore(t *testing.T, web, list, next string) {
	t.Helper()
	names := containerNames(t, web, list)
	for i, name := range names {
		if name != "envoy" {
			continue
		}
		follower := ""
		if i+1 < len(names) {
			follower = names[i+1]
		}
		if follower != next {
			t.Errorf("the sidecar stands before %q, want %q: %q", follower, next, names)
		}
		return
	}
	t.Errorf("no sidecar in %s: %q", list, names)
}
