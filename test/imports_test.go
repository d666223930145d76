package test

import (
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allowedImports lists the packages of the project and what each of them imports of the others, in the order in which the
// data flows (see docs/explanation/design.md): a package imports only packages above its own line. "internal/" is left out of the names,
// and a line without a colon continues the line above.
const allowedImports = `
edit:
escape:
expression:
glob:
joined:
jsonfield:
jsonpointer:
meter:
parallel:
spelling:
version:
preset:                  spelling
preset/docs:             preset

yaml/lex:
yaml/node:               escape yaml/lex
yaml/read:               escape yaml/lex yaml/node
yaml/emit:               yaml/lex yaml/node
yaml/splice:             edit yaml/emit yaml/lex yaml/node yaml/read

api/v1alpha1:
finding:                 escape
pod:                     api/v1alpha1 finding jsonfield spelling yaml/node
pod/generate:            pod
resources:               expression pod yaml/node
schema:                  api/v1alpha1 jsonfield pod
api/v1alpha1/generate:   schema
encode:                  jsonfield yaml/emit yaml/node yaml/read
variable:                escape spelling yaml/node

manifest:                edit parallel spelling yaml/lex yaml/node yaml/read
check:                   api/v1alpha1 finding pod resources yaml/node
injector:                api/v1alpha1 check escape expression finding glob jsonfield manifest meter pod spelling
                         variable yaml/lex yaml/node yaml/read
plan:                    api/v1alpha1 finding injector pod yaml/node
selection:               api/v1alpha1 finding glob injector meter pod spelling yaml/node
stamp:                   api/v1alpha1 joined jsonpointer pod resources yaml/lex yaml/node
                         yaml/read
transformers:            api/v1alpha1 encode finding pod yaml/node
apply:                   api/v1alpha1 escape expression finding injector joined meter plan pod resources stamp transformers
                         yaml/lex yaml/node
cost:                    pod resources yaml/node
outcome:                 cost edit finding pod stamp yaml/node
engine:                  api/v1alpha1 apply check cost edit escape finding injector manifest meter outcome parallel plan pod
                         selection stamp transformers yaml/emit yaml/lex yaml/node yaml/read yaml/splice

page:                    edit escape finding outcome
report:                  cost edit escape finding outcome page
patch:                   api/v1alpha1 finding injector plan pod stamp yaml/emit yaml/node
declared:                pod resources yaml/node
live:                    finding pod yaml/node
audit:                   api/v1alpha1 declared engine finding injector live manifest outcome parallel pod selection
                         stamp yaml/node yaml/read
credential:              edit pod yaml/node yaml/read
learn:                   api/v1alpha1 credential encode engine escape finding injector jsonfield live manifest outcome pod variable
                         yaml/emit yaml/node yaml/read
auditreport:             audit escape finding live outcome page pod
policy:                  api/v1alpha1 check finding glob injector jsonfield jsonpointer plan pod variable yaml/emit yaml/node
files:                   finding manifest yaml/node
kustomization:           files

playground:              edit engine escape finding injector manifest outcome page patch plan policy preset report selection
                         yaml/node yaml/splice
fn:                      api/v1alpha1 encode engine finding outcome report transformers yaml/emit
fn/kiofilter:            fn outcome
fn/kptfn:                finding fn outcome
command:                 api/v1alpha1 audit auditreport edit engine escape files finding glob injector kustomization learn manifest
                         outcome page patch plan policy preset report spelling version yaml/emit yaml/node yaml/read
command/docs:            command
pipelines/argocd/pillion-argocd: command files kustomization manifest
main:                    command
`

// TestImportsFollowTheDataFlow compares what the packages import with the table, and reports all differences at once.
func TestImportsFollowTheDataFlow(t *testing.T) {
	allowed, order := parseImportTable(t)
	actual := importsOfPackages(t)
	var problems []string
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for i, name := range order {
		if _, exists := actual[name]; !exists {
			report("%s: there is no such package; remove the line", name)
			continue
		}
		for _, imported := range allowed[name] {
			if !slices.Contains(order[:i], imported) {
				report("%s: the line of %s is not above it", name, imported)
			}
			if !slices.Contains(actual[name], imported) {
				report("%s: does not import %s; remove it from the line", name, imported)
			}
		}
	}
	for name, imports := range actual {
		if !slices.Contains(order, name) {
			report("%s: has no line; it imports %s", name, strings.Join(imports, " "))
			continue
		}
		for _, imported := range imports {
			if !slices.Contains(allowed[name], imported) {
				report("%s: must not import %s", name, imported)
			}
		}
	}
	if len(problems) > 0 {
		slices.Sort(problems)
		t.Errorf("the imports differ from the table allowedImports:\n%s", strings.Join(problems, "\n"))
	}
}

// TestNoProgramsAndNoNetwork checks what SECURITY.md promises: the program has no code to start another one, and none of its own packages
// opens a connection. Only kustomize's code, which -k uses, has both; package kustomization disables them.
func TestNoProgramsAndNoNetwork(t *testing.T) {
	listed := mustRun(t, root, "", "go", "list", "-deps", "-tags", "nokustomize", "-f", `{{.ImportPath}} {{join .Imports " "}}`, ".").stdout
	ours := 0
	for line := range strings.Lines(listed) {
		pkg, imports := strings.Fields(line)[0], strings.Fields(line)[1:]
		if slices.Contains(imports, "os/exec") {
			t.Errorf("%s imports os/exec", pkg)
		}
		if !strings.HasPrefix(pkg, modulePath) {
			continue
		}
		ours++
		if slices.Contains(imports, "net") || slices.Contains(imports, "net/http") {
			t.Errorf("%s imports net or net/http", pkg)
		}
	}
	if ours < 40 {
		t.Errorf("only %d packages of Pillion are listed", ours)
	}
}

// parseImportTable reads allowedImports.
func parseImportTable(t *testing.T) (allowed map[string][]string, order []string) {
	t.Helper()
	allowed = map[string][]string{}
	for line := range strings.Lines(allowedImports) {
		name, imports, found := strings.Cut(strings.TrimSpace(line), ":")
		if !found && strings.TrimSpace(line) != "" {
			last := order[len(order)-1]
			allowed[last] = append(allowed[last], strings.Fields(line)...)
		}
		if !found {
			continue
		}
		if _, twice := allowed[name]; twice {
			t.Fatalf("%s has two lines", name)
		}
		allowed[name] = strings.Fields(imports)
		order = append(order, name)
	}
	return allowed, order
}

// importsOfPackages returns what each package of the module imports of the others, tests and everything under test/ left out.
func importsOfPackages(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if path != root && (isOtherModule(path) || slices.Contains([]string{".git", ".cache", "dist", "test", "testdata"}, entry.Name())) {
			return filepath.SkipDir
		}
		inModule, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		pkg, err := build.ImportDir(path, 0)
		var none *build.NoGoError
		if errors.As(err, &none) {
			return nil
		}
		if err != nil {
			return err
		}
		imports := []string{}
		for _, imported := range pkg.Imports {
			if rest, ours := strings.CutPrefix(imported, modulePath+"/"); ours {
				imports = append(imports, shortName(rest))
			}
		}
		all[shortName(filepath.ToSlash(inModule))] = imports
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const modulePath = "pillion.dev/pillion"

func isOtherModule(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, "go.mod"))
	return err == nil && len(found) > 0
}

// shortName returns the name of a package in the table.
func shortName(path string) string {
	if path == "." {
		return "main"
	}
	return strings.TrimPrefix(path, "internal/")
}
