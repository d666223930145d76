package formats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pillion.dev/pillion/internal/edge/command"
)

// sarifModule is a Go module whose source holds the official JSON schema of SARIF 2.1.0.
const sarifModule, sarifVersion = "github.com/owenrumney/go-sarif/v3", "v3.3.1"

const sarifInjector = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  containers: [{name: logs, image: "logs:1", mode: Container}]
`

// TestSARIFKeepsToItsSchema validates reports of all kinds against the official schema.
func TestSARIFKeepsToItsSchema(t *testing.T) {
	schema := sarifSchema(t)
	pod := func(name, container, image string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec:\n  containers:\n  - {name: %s, image: %s}\n",
			name, container, image)
	}
	hostile := `"a\u0000\u001b[31m](https://example.com) \u202e<script>"`
	for name, test := range map[string]struct {
		file, text string
		config     string
		stdin      bool
		exitCode   int
		result     string // the first result of verify, as position: rule
	}{
		"clean":          {text: pod("web", "app", "app"), config: "  paused: true\n"},
		"outdated":       {text: pod("web", "app", "app"), exitCode: 1, result: "web.yaml:5:3: Outdated"},
		"refused":        {text: pod("web", "logs", "app"), exitCode: 2, result: "web.yaml:6:18: ContainerConflict"},
		"not YAML":       {text: "apiVersion: v1\nkind: Pod\nmetadata: [", exitCode: 2},
		"standard input": {text: pod("web", "app", "app"), stdin: true, exitCode: 1},
		"wrong config": {
			text: pod("web", "app", "app"), config: "  nonsense: 1\n", exitCode: 2, result: "injector.yaml:6:3: InvalidConfig",
		},
		"too few": {text: pod("web", "app", "app"), config: "  expect: {min: 9}\n", exitCode: 2},
		"hostile names": {
			file: "a b%:#?\u202e.yaml", text: pod(hostile, "app", "app"), exitCode: 1,
		},
		"hostile values": {text: pod("web", "logs", hostile), exitCode: 2},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := t.TempDir(), cmp.Or(test.file, "web.yaml")
			for name, text := range map[string]string{"injector.yaml": sarifInjector + test.config, file: test.text} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(dir)
			args := []string{"verify", "-c", "injector.yaml", "-o", "sarif"}
			if test.stdin {
				file = "-"
			}
			args = append(args, file)
			stdout, exitCode := pillion(args, test.text)
			if exitCode != test.exitCode {
				t.Errorf("exit code %d, want %d", exitCode, test.exitCode)
			}
			validateSARIF(t, schema, stdout)
			if got := firstSARIFResult(t, stdout); test.result != "" && got != test.result {
				t.Errorf("the first result is %q, want %q", got, test.result)
			}
			args[0] = "explain"
			if stdout, _ := pillion(args, test.text); stdout != "" {
				validateSARIF(t, schema, stdout)
			}
		})
	}
}

func pillion(args []string, stdin string) (stdout string, exitCode int) {
	var out strings.Builder
	exitCode = command.Run(args, strings.NewReader(stdin), &out, io.Discard)
	return out.String(), exitCode
}

func TestSARIFSchemaFindsMistakes(t *testing.T) {
	schema := sarifSchema(t)
	if schema.Validate(map[string]any{"version": "2.1.0", "runs": []any{map[string]any{"results": []any{}}}}) == nil {
		t.Error("a run without a tool is accepted")
	}
}

func validateSARIF(t *testing.T, schema *jsonschema.Schema, text string) {
	t.Helper()
	log, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if err := schema.Validate(log); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
}

// firstSARIFResult returns the first result of a report as a position and a rule, or "" if there is none.
func firstSARIFResult(t *testing.T, text string) string {
	t.Helper()
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	if len(log.Runs[0].Results) == 0 {
		return ""
	}
	first := log.Runs[0].Results[0]
	at := first.Locations[0].PhysicalLocation
	return strings.Join([]string{
		at.ArtifactLocation.URI, strconv.Itoa(at.Region.StartLine), strconv.Itoa(at.Region.StartColumn), " " + first.RuleID,
	}, ":")
}

// sarifSchema reads the schema from the module's source, where it is a constant. It skips the test if Go cannot get the
// module.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	download, failed := exec.Command("go", "mod", "download", "-json", sarifModule+"@"+sarifVersion).Output()
	var module struct{ Dir, Error string }
	if err := json.Unmarshal(download, &module); err != nil || failed != nil {
		t.Skipf("needs the schema of SARIF: %v %s", failed, module.Error)
	}
	source, err := parser.ParseFile(token.NewFileSet(), filepath.Join(module.Dir, "pkg", "report", "v210", "sarif", "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(source, func(n ast.Node) bool {
		if literal, isLiteral := n.(*ast.BasicLit); isLiteral && len(literal.Value) > len(text) {
			text = literal.Value
		}
		return true
	})
	return compile(t, []byte(strings.Trim(text, "`")))
}
