package check

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	podtable "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// row is a rule of the API server, with a pod that it accepts and one that it refuses.
type row struct {
	Rule, Code, Kind  string
	Before, After     yaml.Node
	BeforeAnnotations yaml.Node `yaml:"beforeAnnotations"`
	AfterAnnotations  yaml.Node `yaml:"afterAnnotations"`
}

func rows(t *testing.T) []row {
	t.Helper()
	text, err := os.ReadFile("testdata/api-rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []row
	if err := yaml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTheAPIServersRules(t *testing.T) {
	for _, r := range rows(t) {
		t.Run(r.Rule, func(t *testing.T) {
			before, after := template(&r.Before, &r.BeforeAnnotations), template(&r.After, &r.AfterAnnotations)
			of := Workload{Kind: podtable.Kind{Kind: "Pod"}}
			if r.Kind != "" {
				of.Kind = podtable.Kind{Group: "apps", Kind: r.Kind}
			}
			found := APIRules(before, after, of)
			if len(found) == 0 {
				t.Fatal("the injection is not refused")
			}
			for _, f := range found {
				if string(f.Code) != r.Code || f.Severity != finding.Error {
					t.Errorf("got %s %s: %s, want %s", f.Severity, f.Code, f.Message, r.Code)
				}
			}
			for what, pod := range map[string]podtable.Template{"accepted": before, "refused": after} {
				if found := APIRules(pod, pod, of); len(found) > 0 {
					t.Errorf("a pod that was %s already is refused: %v", what, found)
				}
			}
		})
	}
}

// TestTheRulesAreDocumented holds the table of docs/how-to/embedding.md against the codes of the rows.
func TestTheRulesAreDocumented(t *testing.T) {
	const page = "../../../docs/how-to/embedding.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## The API server's rules\n")
	documented, want := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if !strings.HasPrefix(line, "| ") || cells[0] == "code" {
			continue
		}
		for code := range strings.SplitSeq(cells[0], ", ") {
			documented[strings.Trim(code, "`")] = true
		}
	}
	for _, r := range rows(t) {
		want[r.Code] = true
	}
	if diff := cmp.Diff(want, documented); diff != "" {
		t.Errorf("%s (-rows +documented):\n%s", page, diff)
	}
}

// keptElsewhere are the rules that other steps keep, with what happens, the code, and the case of the engine or the test that shows it.
var keptElsewhere = []struct{ rule, what, code, by string }{
	{
		"only privileged containers use Bidirectional propagation, when shared",
		"shareVolumePolicy leaves the mount out, with a warning", "MountNotShared", "share-refused-by-kubernetes",
	},
	{
		"a container uses a volume as a device only once, when shared",
		"shareVolumeDevicePolicy leaves the device out, with a warning", "MountNotShared", "share-refused-by-kubernetes",
	},
	{
		"the name of an ephemeral container is not available",
		"the workload is refused, regardless of onConflict", "ContainerConflict", "conflict-ephemeral",
	},
	{
		"no volume has the name of a volumeClaimTemplate",
		"the workload is refused, unless onConflict.volume is Keep", "VolumeConflict", "conflict-claim-template",
	},
	{
		"after variables are replaced, a name has at most 63 characters, all of them valid",
		"the workload is refused", "VariableInvalid", "apirules-long-names",
	},
	{
		"the pod's labels match the workload's selector",
		"a label that the selector uses is not changed", "SelectorLabel", "metadata-selector",
	},
	{
		"all annotations together have at most 256 KiB, including stamps",
		"the workload is refused", "AnnotationsTooLong", "TestAnnotationsHaveRoomTogether",
	},
	{
		"Knative lets one container have ports",
		"the workload is refused", "KnativeLimits", "knative-ports",
	},
	{
		"requests fit into the pod's own resources, in a Deployment",
		"the workload is refused", "InvalidResources", "pod-resources",
	},
	{
		"the restartPolicy fits the kind",
		"a Deployment is refused, a Pod is not", "InvalidPod", "apirules-restart-policy",
	},
}

func TestRulesThatAreKeptElsewhereHaveACase(t *testing.T) {
	for _, r := range keptElsewhere {
		checkCase(t, r.rule, r.code, r.by)
	}
}

// checkCase makes sure that a case of fn has the code that is documented for its rule, or that a test has the name.
func checkCase(t *testing.T, rule, code, name string) {
	t.Helper()
	if strings.HasPrefix(name, "Test") {
		if text, err := os.ReadFile("../../core/engine/apirules_test.go"); err != nil || !strings.Contains(string(text), "func "+name+"(") {
			t.Errorf("%s: there is no test %s (%v)", rule, name, err)
		}
		return
	}
	archive, err := txtar.ParseFile(filepath.Join("..", "..", "core", "engine", "testdata", name+".txtar"))
	if err != nil {
		t.Errorf("%s: %v", rule, err)
		return
	}
	for _, file := range archive.Files {
		if file.Name == "says" && strings.Contains(string(file.Data), " "+code+": ") {
			return
		}
	}
	t.Errorf("%s: the case %s does not say %s", rule, name, code)
}

func template(spec, annotations *yaml.Node) podtable.Template {
	return podtable.Template{Node: node.Mapping(
		node.String("metadata"), node.Mapping(node.String("annotations"), own(annotations)), node.String("spec"), own(spec))}
}

// own returns a decoded node as one of the program.
func own(n *yaml.Node) *node.Node {
	document := node.Node{Content: []*node.Node{{Kind: node.ScalarNode, Tag: node.NullTag}}}
	if n.Kind != 0 {
		text, err := yaml.Marshal(n)
		if err = errors.Join(err, yamlread.Into(text, &document)); err != nil {
			panic(err)
		}
	}
	return document.Content[0]
}

// TestSharedPartsAreCheckedAlike has versions of a pod that share the nodes of what is equal, as after an injection, and versions
// that share none. What is not checked because it is shared, or known to be valid, must not have been a finding.
func TestSharedPartsAreCheckedAlike(t *testing.T) {
	all := rows(t)
	of := Workload{Kind: podtable.Kind{Group: "apps", Kind: "Deployment"}}
	for i := range all {
		for j := range all {
			for _, r := range []*row{&all[i], {Before: all[i].After, BeforeAnnotations: all[i].AfterAnnotations}} {
				before, after := template(&r.Before, &r.BeforeAnnotations), template(&all[j].After, &all[j].AfterAnnotations)
				shared := podtable.Template{Node: share(before.Node, after.Node)}
				if diff := cmp.Diff(APIRules(before, after, of), APIRules(before, shared, knowingValid(of, shared))); diff != "" {
					t.Fatalf("from %q to %q: %s", all[i].Rule, all[j].Rule, diff)
				}
			}
		}
	}
}

// knowingValid returns a workload with the containers of a pod that are valid.
func knowingValid(of Workload, pod podtable.Template) Workload {
	of.Valid = Valid{}
	for _, list := range []string{"containers", "initContainers"} {
		for _, c := range node.List(pod.Spec(), list) {
			of.Valid.Add(c, list)
		}
	}
	return of
}

// share returns a version that is made of the nodes of another, as far as they are equal.
func share(other, n *node.Node) *node.Node {
	switch {
	case other == nil:
		return n
	case node.Equal(other, n):
		return other
	}
	shared := node.Clone(n)
	for i, child := range n.Content {
		shared.Content[i] = share(counterpart(other, n, i), child)
	}
	return shared
}

// counterpart returns what another version has for a child of a node, or nil.
func counterpart(other, n *node.Node, child int) *node.Node {
	switch {
	case other.Kind != n.Kind:
	case n.Kind == node.SequenceNode && child < len(other.Content):
		return other.Content[child]
	case n.Kind == node.MappingNode:
		if at := node.Index(other, n.Content[child&^1].Value); at >= 0 {
			return other.Content[at+child%2]
		}
	}
	return nil
}
