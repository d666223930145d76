package test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// limits are the rows of docs/reference/limits.md, with the constants whose values they have.
var limits = []struct{ file, constant, row string }{
	{"internal/text/manifest/manifest.go", "MaxItemBytes", "| an object | %s MiB;"},
	{"internal/pods/pod/template.go", "MaxContainers", "| the containers of a pod, in all of its lists | %s;"},
	{"internal/text/manifest/manifest.go", "MaxDepth", "| the depth of a workload, a config, or an object that may hold pods | %s levels |"},
	{"internal/text/manifest/manifest.go", "maxNodes", "| the values in a workload, a config, or an object that may hold pods | %s, and"},
	{"internal/text/manifest/manifest.go", "MaxAliasNodes", "and %s more by YAML aliases |"},
	{"internal/edge/files/reader.go", "MaxBytes", "| all manifests of a run | %s GiB;"},
	{"internal/pods/pod/template.go", "MaxAnnotationBytes", "(*stamps*) | %s KiB,"},
	{"internal/core/stamp/validate.go", "maxDepth", "| the depth of a stamp | %s levels |"},
	{"internal/core/stamp/joined.go", "MaxParts", "| the values that a stamp joins to one variable | %s |"},
	{"internal/edge/files/kustomizations.go", "maxKustomizationBytes", "| a kustomization, as `-f` reads it | %s MiB, and"},
	{"internal/edge/files/aliases.go", "maxAliased", "MiB, and %s MiB more by YAML aliases |"},
	{"internal/edge/files/ignorepattern.go", "maxIgnorePatterns", "`.krmignore`) | %s |"},
	{"internal/edge/files/ignorepattern.go", "maxIgnoreSteps", "with the patterns of ignore files | %s, and"},
	{"internal/edge/files/ignorepattern.go", "ignoreStepsPerFile", ", and %s for each file or directory that it finds |"},
	{"internal/edge/files/reader.go", "maxPathBytes", "| the path of a file | %s bytes |"},
	{"internal/config/injector/project.go", "maxCoveredEntries", "| `covered` of a project file | %s rows,"},
	{"internal/config/injector/project.go", "maxRolloutEntries", "| `rollouts` of a project file | %s entries of `to`,"},
	{"internal/config/form/form.go", "MaxInjectors", "| injectors in a config | %s |"},
	{"internal/config/schema/aliases.go", "maxEntries", "| any other list in a config | %s entries |"},
	{"internal/config/injector/patterns.go", "maxPatternBytes", "| a regular expression (`targetContainersNameRegex`) | %s bytes |"},
	{"internal/config/injector/patterns.go", "maxPatternInstructions", "| all regular expressions of a config | %s instructions:"},
	{"internal/config/schema/rules.go", "maxGlobs", "| %s entries with wildcards |"},
	{"internal/text/expression/expression.go", "MaxBytes", "| an expression of `resourcesExpr` | %s bytes;"},
	{"internal/text/expression/expression.go", "MaxDepth", "; nested %s deep |"},
	{"api/v1alpha1/types.go", "MaxNameBytes", "| the name of an injector | %s characters |"},
	{"internal/config/variable/variable.go", "MaxName", "`${workload.name}` | %s bytes |"},
	{"internal/config/variable/variable.go", "MaxLabel", "`${container.name}` | %s bytes |"},
	{"internal/config/variable/variable.go", "MaxAnnotation", "| an annotation | %s KiB |"},
	{"internal/config/variable/variable.go", "MaxImage", "| `${container.image}` | %s KiB |"},
	{"internal/core/version/join.go", "maxJoined", "is joined to | %s KiB |"},
	{"internal/core/stamp/joined.go", "MaxParts", "join to one environment variable | %s |"},
	{"internal/core/engine/workload.go", "maxNameBytes", "| the name of a workload, and its namespace | %s characters |"},
	{"internal/core/engine/workload.go", "maxFindings", "| the findings of an injector about a workload | %s, errors first"},
	{"internal/core/engine/workload.go", "maxMessageBytes", "| the message of a finding | %s KiB |"},
	{"internal/work/meter/meter.go", "BaseSteps", "| the work of a run | %s steps, and"},
	{"internal/work/meter/meter.go", "StepsPerByte", "steps, and %s for each byte of its config and manifests |"},
}

// TestLimitsPage checks that each row of docs/reference/limits.md has the value of its constant.
func TestLimitsPage(t *testing.T) {
	page := readFile(t, filepath.Join(root, "docs", "reference", "limits.md"))
	for _, limit := range limits {
		value := constantIn(t, limit.file, limit.constant)
		for unit, bytes := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
			if strings.Contains(limit.row, "%s "+unit) {
				value /= bytes
			}
		}
		if row := fmt.Sprintf(limit.row, withCommas(value)); !strings.Contains(page, row) {
			t.Errorf("%s in %s: the page does not have %q", limit.constant, limit.file, row)
		}
	}
}

// constantIn returns the value of a constant in a Go file.
func constantIn(t *testing.T, file, name string) int64 {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, filepath.Join(root, file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var expression strings.Builder
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && spec.Names[0].Name == name && len(spec.Values) == 1 {
			if err := printer.Fprint(&expression, files, spec.Values[0]); err != nil {
				t.Fatal(err)
			}
		}
		return true
	})
	evaluated, err := types.Eval(files, nil, token.NoPos, expression.String())
	if err != nil {
		t.Fatalf("%s in %s: %v", name, file, err)
	}
	value, _ := constant.Int64Val(evaluated.Value)
	return value
}

// withCommas returns a number as the pages write it: 10,000.
func withCommas(n int64) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
